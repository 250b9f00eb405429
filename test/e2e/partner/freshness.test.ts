/** A property whose sources are silent closes for partners by itself, and opens when one speaks. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { createMessageIds } from '../../../src/storage/supply/message-id.ts';
import { type FreshnessWatch, watchFreshness } from '../../../src/supply/freshness/watch-freshness.ts';
import { hotel } from '../../kit/catalogue-lines.ts';
import { quoteBody } from '../../kit/partner-client.ts';
import { type Running, startInstallation } from '../../kit/installation.ts';

const STAY = { checkIn: '2026-12-01', checkOut: '2026-12-04' };
const HOUR_MS = 3_600_000;
const DEADLINE_MS = 8_000;

describe('maxSupplyAgeHours', () => {
  let running: Running;
  let watch: FreshnessWatch;
  before(async () => {
    running = await startInstallation([
      hotel('limited', { maxSupplyAgeHours: 24 }),
      hotel('unlimited', { maxSupplyAgeHours: null }),
    ]);
    const { storage, time } = running.installation;
    // As another process on the same database does it; the service follows.
    watch = watchFreshness({
      storage,
      clock: () => time.nowMs,
      logger: pino({ level: 'silent' }),
      holder: 'another',
      newMessageId: createMessageIds(() => 'freshness'),
      horizonNights: 730,
      pauses: { roundMs: 20, sliceMs: 1 },
    });
  });
  after(async () => {
    await watch.stop();
    await running.installation.close();
  });

  async function becomes(isOpen: boolean): Promise<void> {
    const deadlineMs = performance.now() + DEADLINE_MS;
    const isAvailable = async () => (await running.partner.availability('limited', STAY)).success.available;
    while ((await isAvailable()) !== isOpen) {
      assert.ok(performance.now() < deadlineMs, `limited should be ${isOpen ? 'open' : 'closed'}`);
      await delay(20);
    }
    const found = (await running.partner.search({ city: 'Venezia', guests: 2, ...STAY })).success.items;
    assert.deepEqual(
      found.map(({ propertyId }) => propertyId),
      isOpen ? ['limited', 'unlimited'] : ['unlimited'],
    );
    const quote = await running.partner.quote(quoteBody('limited', STAY.checkIn, STAY.checkOut));
    assert.equal(quote.status, isOpen ? 201 : 409);
  }

  it('closes and opens a property in search, availability and quotes, while the service runs', async () => {
    await becomes(true);
    running.installation.time.nowMs += 24 * HOUR_MS;
    await becomes(false);
    assert.equal(watch.state().closedProperties <= 1, true);
    // Not a word is new in it.
    await running.installation.importLines([hotel('limited', { maxSupplyAgeHours: 24 })]);
    await becomes(true);
  });
});
