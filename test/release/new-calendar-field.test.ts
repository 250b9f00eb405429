/**
 * This release serves beside a next one that adds a calendar field, which this one does not know: the field waits,
 * nothing else does, and both find every property.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertOutcomes, startLoad } from '../faults/load.ts';
import { daysAhead, hotelWith, inCity, nights, openNow } from '../kit/catalogue-lines.ts';
import { type RunningServer, startServer, until, Workplace } from '../kit/command-line.ts';
import { closeConnections } from '../kit/http-exchange.ts';
import { LATER_FIELD, makeLaterRelease } from '../kit/later-release.ts';
import { PartnerClient } from '../kit/partner-client.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../kit/postgres-server.ts';
import { callSupply } from '../kit/supply-client.ts';

const CITY = 'Rolling';
const STAY = { checkIn: daysAhead(2), checkOut: daysAhead(5) };
const SETTINGS = { INGRESS_LIMIT: '0', LOG_LEVEL: 'error', DRAIN_SECONDS: '1' };
/** Much longer than a change takes to be seen. */
const SEEN_MS = 2_000;
const SETTLED_MS = 30_000;

class LaterWorkplace extends Workplace {
  protected override readonly bin: string;

  constructor(environment: Readonly<Record<string, string>>, bin: string) {
    super(environment);
    this.bin = bin;
  }
}

describe('A new calendar field of the next release, beside this one, on one SQLite file', () => {
  it('waits for the end of the older process', () => upgradeWithField({}));
});

describe(
  'A new calendar field of the next release, beside this one, on PostgreSQL',
  { skip: postgresMissing() },
  () => {
    let postgres: PostgresServer;
    before(async () => {
      postgres = await startPostgres();
    });
    after(() => postgres.close());
    it('waits for the end of the older process', async () =>
      upgradeWithField({ DATABASE_URL: await postgres.createDatabase() }));
  },
);

async function upgradeWithField(settings: Readonly<Record<string, string>>): Promise<void> {
  const release = makeLaterRelease();
  const earlier = new Workplace({ ...SETTINGS, ...settings });
  const later = new LaterWorkplace(earlier.environment, release.bin);
  try {
    await playUpgrade(earlier, later);
  } finally {
    closeConnections();
    await earlier.remove();
    await later.remove();
    release.remove();
  }
}

async function playUpgrade(earlier: Workplace, later: Workplace): Promise<void> {
  const lines = [openNow('open-house', inCity(CITY)), openNow('festival', inCity(CITY))];
  const input = lines.map((line) => JSON.stringify(line)).join('\n');
  await earlier.json(['import', 'catalogue', '-'], { input });
  await earlier.json(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
  const { token } = await earlier.json(['credential', 'issue', '--partner', 'acme', '--quota', '1000000']);
  const issue = ['operator-token', 'issue', '--name', 'pms', '--source', 'catalogue'];
  const { token: operatorToken } = await earlier.json(issue);
  const older = await startServer(earlier);
  const newer = await startServer(later);
  const find = async ({ partnerUrl }: RunningServer) =>
    new PartnerClient(partnerUrl, token).search({ city: CITY, ...STAY });
  const countAt = async (server: RunningServer) => (await find(server)).success.pagination.total;
  const send = async (set: object) => {
    const entry = { propertyId: 'festival', inventoryTypeId: 'double', dateFrom: STAY.checkIn };
    return callSupply(newer.operatorUrl, 'PATCH', 'calendars', {
      token: operatorToken,
      body: { entries: [{ ...entry, dateTo: STAY.checkIn, ...set }] },
    });
  };

  const loads = [older, newer].map((server) => startLoad(() => find(server), { clientCount: 2, pauseMs: 5 }));
  const held = await send({ [LATER_FIELD]: 9 });
  assert.deepEqual([held.status, held.body.code], [503, 'OPERATOR_API_UNAVAILABLE']);
  const calendar = [
    nights(daysAhead(-1), daysAhead(30), { availability: 3, rate: '120.00' }),
    nights(STAY.checkIn, STAY.checkIn, { [LATER_FIELD]: 9 }),
  ];
  const file = JSON.stringify(hotelWith('festival', calendar, inCity(CITY)));
  const imported = await later.run(['import', 'catalogue', '-'], { input: file });
  assert.notEqual(imported.code, 0);
  assert.match(imported.stderr, new RegExp(`${LATER_FIELD} must wait for the end of an older release`));
  assert.equal((await send({ rate: '99.00' })).status, 200, 'other fields do not wait');
  await sleep(SEEN_MS);
  assert.deepEqual([await countAt(older), await countAt(newer)], [2, 2]);
  for (const load of loads) {
    const seen = await load.stop();
    assertOutcomes(seen, ['200']);
    assert.ok(seen.length > 20 && seen.every(({ answer }) => answer?.success.pagination.total === 2));
  }

  older.child.kill('SIGTERM');
  assert.equal((await older.ended).code, 0);
  await until(async () => (await send({ [LATER_FIELD]: 9 })).status === 200, SETTLED_MS);
  await until(async () => (await countAt(newer)) === 1, SETTLED_MS);
  newer.child.kill('SIGTERM');
  assert.equal((await newer.ended).code, 0);
}
