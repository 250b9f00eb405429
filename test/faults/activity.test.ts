/** A service that is killed loses what it counted since its last write, and counts nothing twice. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { TrafficEntry } from '../../src/operator/activity/traffic-report.ts';
import { SliceWriter } from '../../src/operator/activity/slice-writer.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { openStorage } from '../../src/storage/open.ts';
import { canSharePorts } from '../../src/app/workers/claimed-ports.ts';
import { openNow } from '../kit/catalogue-lines.ts';
import { type Environment, type RunningServer, startServer, until } from '../kit/command-line.ts';
import { WorkplaceHere } from '../kit/commands-here.ts';
import { askAtOnce } from '../kit/many-requests.ts';
import { describePostgres } from '../suites/storage/postgres-fixture.ts';

import { postgresMissing, startPostgres } from '../kit/postgres-server.ts';
import { mountSmallDisk, NO_SMALL_DISK, type SmallDisk } from './small-disk.ts';

const WRITTEN_MS_MAX = 25_000;
const EACH = 40;
const DISK_MB = 40;
/** An empty server takes half of it. */
const POSTGRES_DISK_MB = 200;
const PLACES = 1_000;

describe('What happened to a service that is killed, on SQLite', () => {
  holdAgainstKills(async () => ((await canSharePorts()) ? { WORKERS: '2' } : {}));
});
describePostgres('What happened to a service that is killed, on PostgreSQL', (server) => {
  holdAgainstKills(async () => ({ DATABASE_URL: await server().createDatabase() }));
});

describe('What happened to a service whose disk is full, on SQLite', () => {
  it('waits, is written once when there is room again, and what was dropped is said', async (context) => {
    const disk = mountSmallDisk(DISK_MB);
    if (disk === undefined) return context.skip(NO_SMALL_DISK);
    try {
      await holdOnFullDisk(disk, `sqlite:${join(disk.folder, 'stayport.db')}`);
    } finally {
      disk.close();
    }
  });
});

describe('What happened to a service whose disk is full, on PostgreSQL', () => {
  it('waits, is written once when there is room again, and what was dropped is said', async (context) => {
    const missing = postgresMissing();
    if (missing !== false) return context.skip(missing);
    const disk = mountSmallDisk(POSTGRES_DISK_MB);
    if (disk === undefined) return context.skip(NO_SMALL_DISK);
    const server = await startPostgres({}, disk.folder);
    try {
      await holdOnFullDisk(disk, await server.createDatabase());
    } finally {
      await server.close();
      disk.close();
    }
  });
});

async function holdOnFullDisk(disk: SmallDisk, url: string): Promise<void> {
  const storage = await openStorage(url, { clock: systemClock });
  try {
    await storage.migrate();
    const said: object[] = [];
    const meter = { rowsWritten: 0, rowsDropped: 0 };
    const logger = { warn: (fields: object): void => void said.push(fields) };
    const writer = new SliceWriter({ storage, clock: systemClock, logger, meter, writer: 'one' });
    const count = async (round: number): Promise<boolean> => {
      writer.add({ traffic: [], requests: [], demand: [], unknownPlaces: placesOf(round), unmet: [] });
      return writer.write();
    };
    assert.equal(await count(0), true);
    disk.fill();
    let rounds = 1;
    // PostgreSQL has room of its own for the first ones.
    for (; meter.rowsDropped === 0; rounds += 1) await count(rounds);
    assert.match(String((said[0] as { readonly err: unknown }).err), /StorageUnavailable.*(?:disk|full)/);
    disk.free();
    await until(async () => writer.write());
    assert.equal(await count(rounds), true);
    const stored = await storage.readUnknownPlaces({ from: 0, to: 9, searchesMin: 1, rowsMax: 1_000_000 });
    assert.equal(stored.length, meter.rowsWritten);
    assert.ok(stored.every(({ searches }) => searches === 1));
    assert.equal(meter.rowsWritten + meter.rowsDropped, (rounds + 1) * PLACES);
    assert.deepEqual(said.slice(1), [{ rows: meter.rowsDropped }]);
  } finally {
    await storage.close();
  }
}

function placesOf(round: number) {
  return Array.from({ length: PLACES }, (_, index) => ({ day: 1, place: `P${round} ${index}`, searches: 1 }));
}

function holdAgainstKills(makeEnvironment: () => Promise<Environment>): void {
  let workplace: WorkplaceHere;
  let token = '';
  before(async () => {
    workplace = new WorkplaceHere({ INGRESS_LIMIT: '0', ...(await makeEnvironment()) });
    await workplace.json(['import', 'catalogue', '-'], { input: JSON.stringify(openNow('open')) });
    await workplace.json(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
    ({ token } = await workplace.json(['credential', 'issue', '--partner', 'acme', '--quota', '100000']));
  });
  after(() => workplace.remove());

  const ask = async ({ partnerUrl }: RunningServer): Promise<void> => {
    const answers = await askAtOnce([partnerUrl], token, EACH);
    assert.ok(answers.every(({ status }) => status === 200));
  };
  const countTraffic = async (): Promise<number> => {
    const rows: TrafficEntry[] = await workplace.json(['traffic']);
    return rows.reduce((sum, { count }) => sum + count, 0);
  };

  it('is kept but for the last ten seconds, each time', async () => {
    let least = 0;
    for (let round = 0; round < 2; round += 1) {
      const server = await startServer(workplace);
      await ask(server);
      least += EACH;
      await until(async () => (await countTraffic()) >= least, WRITTEN_MS_MAX);
      await ask(server);
      server.child.kill('SIGKILL');
      await server.ended;
      const counted = await countTraffic();
      assert.ok(counted >= least && counted <= least + EACH, `${counted} of ${least + EACH}`);
      least = counted;
    }
    const last = await startServer(workplace);
    await ask(last);
    last.child.kill('SIGTERM');
    await last.ended;
    assert.equal(await countTraffic(), least + EACH);
  });
}
