import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { until } from '../../../test/kit/command-line.ts';
import { openTemporaryStorage, type TemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import { SchemaMismatch, type SeenProcess, type Storage, StorageUnavailable } from '../../storage/storage.ts';
import { holdDiscounts, type ProcessRegister, startRegister } from './process-register.ts';

const OF_1488E62: SeenProcess = { release: null, knows: 5, where: 'app-2, 7 connections', seenAtMs: null };
const NOW_MS = Date.UTC(2026, 10, 22);

describe('The register of running processes', () => {
  let temporary: TemporaryStorage;
  /** Processes that the database shows beside the registered ones. */
  let unregistered: readonly SeenProcess[];
  let rounds: number;
  let started: ProcessRegister[];
  beforeEach(async () => {
    temporary = await openTemporaryStorage(() => NOW_MS);
    unregistered = [];
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
        return [...(await temporary.storage.readProcesses(nowMs)), ...unregistered];
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
    assert.equal(register.allKnowDiscounts(), true);
    await register.stop();
    assert.deepEqual(await temporary.storage.readProcesses(NOW_MS), []);
  });

  it('knows a release without discounts before anything is served, and notices its end', async () => {
    unregistered = [OF_1488E62];
    const register = await start();
    assert.equal(register.allKnowDiscounts(), false);
    unregistered = [];
    await until(async () => register.allKnowDiscounts());
  });

  it('counts one that comes later when it is seen twice: a process registers a moment after it opens the database', async () => {
    let answers = 0;
    const register = await start({
      async readProcesses(nowMs) {
        rounds += 1;
        const registered = await temporary.storage.readProcesses(nowMs);
        return (answers += 1) % 2 === 0 ? [...registered, OF_1488E62] : registered;
      },
    });
    await untilRounds(6);
    assert.equal(register.allKnowDiscounts(), true, 'it is gone each second time');

    const other = await start();
    unregistered = [OF_1488E62];
    await until(async () => !other.allKnowDiscounts());
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
    const tooNew = 'use Stayport 9.0.0 or newer';
    const schemaState = async () => ({ version: 901, latest: 14, isBehind: false, tooNew });
    await assert.rejects(start({ schemaState }), (error) => {
      assert.ok(error instanceof SchemaMismatch);
      assert.equal(error.message, tooNew);
      return true;
    });
    assert.deepEqual(await temporary.storage.readProcesses(NOW_MS), []);
  });
});

describe('Discounts', () => {
  const property = { propertyId: 'a', discounts: [{ code: 'week', percent: '10' }], currency: 'EUR' };
  const terms = { currency: 'EUR', discounts: [{ hundredths: 1_000n }] };
  const found = { property, terms, revision: 1 };
  const storage = { findProperty: async () => found } as unknown as Storage;

  it('apply while every process knows them', async () => {
    const held = holdDiscounts(storage, { allKnowDiscounts: () => true });
    assert.equal(await held.findProperty('a'), found);
  });

  it('wait while one does not: every process then computes the same price', async () => {
    const held = holdDiscounts(storage, { allKnowDiscounts: () => false });
    assert.deepEqual(await held.findProperty('a'), {
      revision: 1,
      property: { propertyId: 'a', currency: 'EUR' },
      terms: { currency: 'EUR', discounts: [] },
    });
    assert.equal(found.property.discounts.length, 1, 'the stored property is untouched');
  });
});
