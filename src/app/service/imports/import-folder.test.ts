import { inEnglish } from '../../../domain/wrong.ts';
import assert from 'node:assert/strict';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { FILE_BYTES_MAX } from '../../../console/reading/import-state.ts';
import { DISK_RESERVE_BYTES, ImportFolder } from './import-folder.ts';

const NOW_MS = 1_800_000_000_000;

describe('The folder of imports', () => {
  let path: string;
  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'stayport-test-'));
  });
  afterEach(() => rm(path, { recursive: true, force: true }));

  const open = (freeBytes = Number.MAX_SAFE_INTEGER, clock = () => NOW_MS): ImportFolder => {
    return new ImportFolder({ path, clock, machineClock: clock, freeBytes: async () => freeBytes });
  };

  it('takes no file that would leave too little room for the database', async () => {
    const least = DISK_RESERVE_BYTES + FILE_BYTES_MAX;
    assert.equal(await open(least).findObstacle('Ada', 0), undefined);
    const obstacle = await open(least - 1).findObstacle('Ada', 0);
    assert.match(obstacle === undefined ? '' : inEnglish(obstacle), /disk is nearly full/);
  });

  it('is locked by one of many, until that one is done or silent for ten seconds', async () => {
    const lock = (): Promise<boolean> => open().lock('one');
    const now = open(0, () => Date.now());
    const locked = await Promise.all([now.lock('a'), now.lock('b'), now.lock('c')]);
    assert.deepEqual(locked.filter(Boolean), [true]);
    await open().unlock();
    await writeFile(join(path, 'working'), 'other');
    const touched = async (agoMs: number): Promise<boolean> => {
      const at = new Date(NOW_MS - agoMs);
      await utimes(join(path, 'working'), at, at);
      return lock();
    };
    const waiting = open(0, () => Date.now()).lock('late');
    setTimeout(() => void open().unlock(), 100);
    assert.equal(await waiting, true, 'its holder had ended, and lets go a moment later');
    assert.equal(await touched(9_999), false);
    assert.equal(await touched(10_000), true);
  });
});
