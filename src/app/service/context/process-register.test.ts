import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { until } from '../../../../test/kit/command-line.ts';
import { openTemporaryStorage, type TemporaryStorage } from '../../../../test/kit/temporary-storage.ts';
import { SchemaMismatch, type Storage, StorageUnavailable } from '../../../storage/storage.ts';
import { type ProcessRegister, startRegister } from './process-register.ts';

const NOW_MS = Date.UTC(2026, 10, 22);

describe('The register of running processes', () => {
  let temporary: TemporaryStorage;
  let rounds: number;
  let started: ProcessRegister[];
  beforeEach(async () => {
    temporary = await openTemporaryStorage(() => NOW_MS);
    rounds = 0;
    started = [];
  });
  afterEach(async () => {
    for (const register of started) await register.stop();
    await temporary.close();
  });

  async function start(changed: Partial<Storage> = {}) {
    const storage: Storage = {
      ...temporary.storage,
      async readProcesses(nowMs) {
        rounds += 1;
        return temporary.storage.readProcesses(nowMs);
      },
      ...changed,
    };
    const logger = pino({ level: 'silent' });
    const register = await startRegister({ storage, clock: () => NOW_MS, logger, roundMs: 5 });
    started.push(register);
    return register;
  }

  async function untilRounds(count: number): Promise<void> {
    const wanted = rounds + count;
    await until(async () => rounds >= wanted);
  }

  it('a process is in the register from its first moment until its end', async () => {
    const register = await start();
    assert.equal((await temporary.storage.readProcesses(NOW_MS)).length, 1);
    await register.stop();
    assert.deepEqual(await temporary.storage.readProcesses(NOW_MS), []);
  });

  it('goes on while the database is away', async () => {
    let isAway = true;
    await start({
      async registerProcess(running, nowMs) {
        rounds += 1;
        if (isAway) throw new StorageUnavailable('away');
        return temporary.storage.registerProcess(running, nowMs);
      },
    });
    await untilRounds(3);
    isAway = false;
    await until(async () => (await temporary.storage.readProcesses(NOW_MS)).length === 1);
  });

  it('registers again in the next rounds when a restore has lost its row', async () => {
    await start();
    const database = new DatabaseSync(temporary.databaseUrl.replace('sqlite:', ''));
    database.exec('DELETE FROM running_processes');
    database.close();
    assert.deepEqual(await temporary.storage.readProcesses(NOW_MS), []);
    await until(async () => (await temporary.storage.readProcesses(NOW_MS)).length === 1);
  });

  it('refuses the start on a schema that was contracted a moment before', async () => {
    const refusal = 'use Stayport 9.0.0 or newer';
    const schemaState = async () => ({ version: 901, latest: 14, isBehind: false, refusal });
    await assert.rejects(start({ schemaState }), (error) => {
      assert.ok(error instanceof SchemaMismatch);
      assert.equal(error.message, refusal);
      return true;
    });
    assert.deepEqual(await temporary.storage.readProcesses(NOW_MS), []);
  });
});
