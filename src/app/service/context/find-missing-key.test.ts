import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTemporaryStorage, type TemporaryStorage } from '../../../../test/kit/temporary-storage.ts';
import { Wrong } from '../../../domain/wrong.ts';
import { buildHandoffKeyring, type HandoffKeyring, parseHandoffKeys } from '../../../handoff/handoff-keys.ts';
import { rotateHandoffKey } from '../../../handoff/key-changes.ts';
import { systemRandom } from '../../../runtime/random.ts';
import type { Storage } from '../../../storage/storage.ts';
import { createMissingKeyFinder, loadAccessCache } from './access-cache.ts';

const NOW_MS = Date.UTC(2026, 10, 20);
const deps = { clock: () => NOW_MS, random: systemRandom };

function keyringOf(...keyIds: readonly string[]): HandoffKeyring {
  const secret = Buffer.alloc(32, 7).toString('base64');
  const parsed = parseHandoffKeys(keyIds.map((keyId) => `${keyId}:${secret}`).join(','));
  assert.ok(!(parsed instanceof Wrong));
  return parsed;
}
const headerOf = (keyId: string): string => keyringOf(keyId).signing.header;

function search() {
  const world = { nowMs: 5_000, reads: 0, keyring: keyringOf('k1') };
  const find = createMissingKeyFinder({
    readKeys: () => {
      world.reads++;
      return Promise.resolve(world.keyring);
    },
    uptimeMs: () => world.nowMs,
  });
  return { world, find };
}

const quoteTtlSeconds = () => 1_800;

describe('the search for a new handoff key', () => {
  it('reads the keys, and finds one that was made a moment ago', async () => {
    const { world, find } = search();
    world.keyring = keyringOf('k2', 'k1');
    assert.equal(await find(headerOf('k2')), world.keyring);
  });

  it('reads at most once a second, however many ids are made up', async () => {
    const { world, find } = search();
    for (let id = 0; id < 500; id++) assert.equal(await find(headerOf(`made-up-${id}`)), undefined);
    await Promise.all(Array.from({ length: 50 }, (_, id) => find(headerOf(`at-once-${id}`))));
    assert.equal(world.reads, 1);
    world.nowMs += 999;
    await find(headerOf('later'));
    assert.equal(world.reads, 1);
    world.nowMs += 1;
    await Promise.all(Array.from({ length: 50 }, (_, id) => find(headerOf(`again-${id}`))));
    assert.equal(world.reads, 2);
  });

  it('does not read again for an id that it did not find', async () => {
    const { world, find } = search();
    for (let second = 0; second < 5; second++) {
      world.nowMs += 1_000;
      assert.equal(await find(headerOf('made-up')), undefined);
    }
    assert.equal(world.reads, 1);
  });

  it('remembers a bounded number of them', async () => {
    const { world, find } = search();
    for (let id = 0; id < 1_001; id++) await find(headerOf(`made-up-${id}`));
    world.nowMs += 1_000;
    await find(headerOf('made-up-1000'));
    assert.equal(world.reads, 1, 'the newest is remembered');
    await find(headerOf('made-up-0'));
    assert.equal(world.reads, 2, 'the oldest are not');
  });

  it('uses what it has read for no longer than a second: a key may be retired', async () => {
    const { world, find } = search();
    assert.equal(await find(headerOf('k1')), world.keyring);
    world.keyring = keyringOf('k2');
    world.nowMs += 1_000;
    assert.equal(await find(headerOf('k1')), undefined);
  });

  it('waits for a read under way, however long it takes', async () => {
    const answer = Promise.withResolvers<HandoffKeyring>();
    let reads = 0;
    let nowMs = 0;
    const find = createMissingKeyFinder({
      readKeys: () => {
        reads++;
        return answer.promise;
      },
      uptimeMs: () => nowMs,
    });
    const first = find(headerOf('k1'));
    nowMs = 3_000;
    const second = find(headerOf('k1'));
    answer.resolve(keyringOf('k1'));
    assert.ok((await first) !== undefined && (await second) !== undefined);
    assert.equal(reads, 1);
  });

  it('asks a database that is away no more often', async () => {
    let reads = 0;
    let nowMs = 0;
    const find = createMissingKeyFinder({
      readKeys: () => {
        reads++;
        return Promise.reject(new Error('away'));
      },
      uptimeMs: () => nowMs,
    });
    for (nowMs = 0; nowMs <= 1_000; nowMs += 100) await assert.rejects(find(headerOf('k1')), /away/);
    assert.equal(reads, 2);
  });
});

describe('held access', () => {
  let database: TemporaryStorage;
  before(async () => {
    database = await openTemporaryStorage(deps.clock);
  });
  after(() => database.close());

  it('finds a key of another process without reading credentials', async () => {
    const refusing: Storage = {
      ...database.storage,
      readAccess: () => (isStarted ? Promise.reject(new Error('read whole')) : database.storage.readAccess()),
    };
    let isStarted = false;
    const access = await loadAccessCache(refusing, { handoffKeys: undefined, quoteTtlSeconds }, deps);
    isStarted = true;
    await rotateHandoffKey({ storage: database.storage, ...deps });
    const stored = buildHandoffKeyring(await database.storage.readHandoffKeys(), 1_800);
    const found = await access.findNewHandoffKeys?.(stored!.signing.header);
    assert.equal(found?.signing.keyId, stored?.signing.keyId);
    assert.notEqual(access.handoffKeys().signing.keyId, stored?.signing.keyId, "that is the follower's work");
  });

  it('looks for no key when the keys are a setting, and takes none from rows', async () => {
    const access = await loadAccessCache(
      database.storage,
      { handoffKeys: keyringOf('own'), quoteTtlSeconds },
      deps,
    );
    assert.equal(access.findNewHandoffKeys, undefined);
    access.take(await database.storage.readAccess());
    assert.equal(access.handoffKeys().signing.keyId, 'own');
  });
});
