/** `CATALOGUE_FILE` with PostgreSQL, of two processes, and on a disk that is full. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { makeProperty, TODAY } from '../kit/catalogue-samples.ts';
import { hotel } from '../kit/catalogue-lines.ts';
import { startServer, Workplace } from '../kit/command-line.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../kit/postgres-server.ts';
import { applyAll, makeFiled, openFiled, settledAt } from '../kit/saved-catalogue.ts';
import { buildCalendar } from '../../src/domain/calendar.ts';
import { mountSmallDisk, NO_SMALL_DISK } from './small-disk.ts';

const LOADED = '"catalogue is in memory"';

describe('The file of the catalogue with PostgreSQL', { skip: postgresMissing() }, () => {
  let server: PostgresServer;
  let workplace: Workplace;
  before(async () => {
    server = await startPostgres();
    const DATABASE_URL = await server.createDatabase();
    workplace = new Workplace({ DATABASE_URL, PORT: '0', OPERATOR_PORT: '0' });
  });
  after(async () => {
    await workplace.remove();
    await server.stop();
  });

  it('is there when it is set, whole after two processes wrote it, and used by the next start', async () => {
    const path = join(workplace.directory, 'of-postgres.cache');
    const input = ['one', 'two'].map((id) => JSON.stringify(hotel(id))).join('\n');
    assert.equal((await workplace.run(['import', 'catalogue', '-'], { input })).code, 0);
    const plain = await startServer(workplace);
    plain.child.kill('SIGTERM');
    assert.match((await plain.ended).stderr, /"from":"database"/);
    assert.ok(!existsSync(join(workplace.directory, 'catalogue.cache')), 'unless it is set there is none');

    const env = { CATALOGUE_FILE: path };
    const both = await Promise.all([startServer(workplace, env), startServer(workplace, env)]);
    for (const { child } of both) child.kill('SIGTERM');
    for (const { ended } of both) assert.equal((await ended).code, 0);
    const again = await startServer(workplace, env);
    again.child.kill('SIGTERM');
    const line = (await again.ended).stderr.split('\n').find((text) => text.includes(LOADED));
    const { from, properties } = JSON.parse(line!) as { from: string; properties: number };
    assert.deepEqual([from, properties], ['file', 2]);
    assert.deepEqual(leftoversBeside(path), []);
  });
});

const disk = mountSmallDisk(24);

describe('The file of the catalogue on a full disk', { skip: disk === undefined && NO_SMALL_DISK }, () => {
  after(() => disk?.close());

  it('stays as it was, has nothing beside it, and is written again when there is room', async () => {
    const path = join(disk!.folder, 'catalogue.cache');
    const { catalogue, file, lines } = makeFiled({ path });
    applyAll(catalogue, hotels(0, 50));
    await file.save(settledAt(50));
    const before = readFileSync(path);
    disk!.fill();
    applyAll(catalogue, hotels(50, 50), 51);
    await file.save(settledAt(100));
    assert.match(lines.join('\n'), /ENOSPC/);
    assert.ok(readFileSync(path).equals(before));
    assert.deepEqual(leftoversBeside(path), []);
    disk!.free();
    await file.save(settledAt(100));
    const read = makeFiled({ path });
    assert.deepEqual(await openFiled(read), settledAt(100)());
    assert.equal(read.catalogue.size().properties, 100);
  });
});

function leftoversBeside(path: string): string[] {
  return readdirSync(dirname(path)).filter((name) => name.endsWith('.tmp'));
}

function hotels(from: number, count: number) {
  const open = buildCalendar([{ from: TODAY, to: TODAY + 20, set: { availability: 1, rate: 9_000 } }]);
  return Array.from({ length: count }, (_, index) => ({
    property: makeProperty(`h${from + index}`, {}, [2]),
    calendars: [open],
  }));
}
