/** Files sent in the console, looked at by their real thread. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { until } from '../../../../test/kit/command-line.ts';
import { openTemporaryStorage } from '../../../../test/kit/temporary-storage.ts';
import type { ImportState, SentFile } from '../../../console/reading/import-state.ts';
import { ImportFolder, importFolderPath } from './import-folder.ts';
import { type Imports, startImports } from './imports.ts';

const HORIZON_NIGHTS = 730;
const SENT = {
  kind: 'rates',
  source: 'catalogue',
  replace: false,
  sheetNamed: null,
  encodingNamed: null,
  person: 'Ada',
} as const;
const systemMs = (): number => Date.now();

async function* contentOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

describe('A file of the console', () => {
  let closing: (() => Promise<void>)[] = [];
  beforeEach(() => {
    closing = [];
  });
  afterEach(async () => {
    for (const close of closing.toReversed()) await close();
  });

  function start(databaseUrl: string): Imports {
    const logger = pino({ enabled: false });
    const imports = startImports(
      { databaseUrl, horizonNights: HORIZON_NIGHTS },
      { clock: systemMs, random: randomBytes, logger, bookingOrigins: () => [] },
    );
    closing.push(() => imports.stop());
    return imports;
  }

  /** The state of a file once nobody works on it. */
  async function seen(imports: Imports, databaseUrl: string, file: SentFile): Promise<ImportState> {
    const path = importFolderPath(databaseUrl);
    const folder = new ImportFolder({ path, clock: systemMs, machineClock: systemMs });
    const taken = await imports.take(file);
    assert.ok(taken.ok, JSON.stringify(taken));
    const find = async (): Promise<ImportState> => (await folder.find(taken.value))!;
    await until(async () => (await find()).phase !== 'checking');
    return find();
  }

  it('is named as it was sent, whatever signs its name has', async () => {
    const temporary = await openTemporaryStorage();
    closing.push(() => temporary.close());
    const imports = start(temporary.databaseUrl);
    for (const kind of ['catalogue', 'rates'] as const)
      for (const fileName of ['$&.xlsx', "$`$'$$.csv"]) {
        const content = contentOf(Buffer.from('PK\u0003\u0004 and no archive'));
        const { failure } = await seen(imports, temporary.databaseUrl, { ...SENT, kind, fileName, content });
        assert.ok(failure !== null);
        assert.ok(failure.startsWith(`${fileName} is damaged: it can't be unpacked (`), failure);
        assert.ok(!failure.includes(importFolderPath(temporary.databaseUrl)), failure);
      }
  });

  it('that was not looked at to its end wrote nothing, and does not say that something stays', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stayport-'));
    closing.push(() => rm(folder, { recursive: true, force: true }));
    const database = join(folder, 'test.db');
    await writeFile(database, 'no database at all, so that the thread can not open it');
    const databaseUrl = `sqlite:${database}`;
    const file: SentFile = { ...SENT, fileName: 'rates.csv', content: contentOf(Buffer.from('a,b\n')) };
    const { phase, failure } = await seen(start(databaseUrl), databaseUrl, file);
    assert.equal(phase, 'failed');
    assert.equal(
      failure,
      'The file could not be looked at to its end; nothing was written. Send it again, or a smaller part of it.',
    );
  });
});
