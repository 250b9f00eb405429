/** A release serves what a later one wrote: what it does not know it passes over, and keeps. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { decodeCalendar } from '../../../src/domain/calendar-codec.ts';
import { systemRandom } from '../../../src/runtime/random.ts';
import { hotel } from '../../kit/catalogue-lines.ts';
import { type Installation, openInstallation } from '../../kit/installation.ts';
import { PartnerClient, quoteBody } from '../../kit/partner-client.ts';
import { randomMessageIds } from '../../../src/storage/supply/message-id.ts';
import { changeNights } from '../../../src/supply/manual-override/change-nights.ts';

/** Field 99 with one run: 20,000 days after the first day, 400 nights, value 7. */
const LATER_FIELD = Uint8Array.from([99, 1, 160, 234, 44, 144, 3, 7]);
const STAY = { checkIn: '2026-12-01', checkOut: '2026-12-04' };

describe('A calendar field of a later release', () => {
  let installation: Installation;
  let partner: PartnerClient;

  before(async () => {
    installation = await openInstallation();
    await installation.importLines([hotel('later-house')]);
    inDatabase((database) => {
      for (const table of ['inventory_types', 'calendar_layers'])
        for (const { nights } of database.prepare(`SELECT nights FROM ${table}`).all())
          database
            .prepare(`UPDATE ${table} SET nights = ?`)
            .run(Buffer.concat([nights as Uint8Array, LATER_FIELD]));
    });
    const { token } = await installation.issue();
    const service = await installation.serve();
    partner = new PartnerClient(service.partnerUrl, token);
  });
  after(() => installation.close());

  function inDatabase<T>(work: (database: DatabaseSync) => T): T {
    const database = new DatabaseSync(installation.databasePath);
    try {
      return work(database);
    } finally {
      database.close();
    }
  }

  it('leaves the property in searches, availability and quotes', async () => {
    const { items } = (await partner.search({ city: 'Venezia', ...STAY })).success;
    assert.deepEqual(
      items.map(({ propertyId }) => propertyId),
      ['later-house'],
    );
    assert.equal((await partner.availability('later-house', STAY)).success.available, true);
    const quote = await partner.quote(quoteBody('later-house', STAY.checkIn, STAY.checkOut));
    assert.equal(quote.status, 201);
  });

  it('is kept through a change of other fields', async () => {
    const { storage } = installation;
    const nights = { from: 20_800, to: 20_801 };
    const types = { propertyId: 'later-house', inventoryTypeIds: ['double'] };
    const deps = {
      storage,
      clock: () => installation.time.nowMs,
      newMessageId: randomMessageIds(systemRandom),
      horizonNights: 730,
    };
    await changeNights(deps, { action: 'close', ...types, ...nights, dryRun: false });
    const [stored] = (await storage.findProperty('later-house'))?.calendars ?? [];
    assert.ok(stored !== undefined);
    const calendar = decodeCalendar(stored.nights);
    assert.deepEqual(calendar.stopSell, [{ from: nights.from, until: nights.to + 1, value: 1 }]);
    assert.deepEqual(
      calendar.unknown.map(({ code, runs: [run] }) => [code, run?.value]),
      [[99, 7]],
    );
  });
});
