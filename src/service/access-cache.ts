/**
 * What is known now of partners, credentials and handoff keys: held in memory, replaced whole when it changes.
 */
import type { Clock } from '../runtime/clock.ts';
import { buildHandoffKeyring, type HandoffKeyring } from '../handoff/handoff-keys.ts';
import { ensureHandoffKey } from '../handoff/key-changes.ts';
import { type AccessDirectory, buildAccessDirectory } from '../access/access-directory.ts';
import type { Random } from '../runtime/random.ts';
import type { Settings } from '../settings/settings.ts';
import type { AccessRows, HandoffKeyRow } from '../storage/access/store.ts';
import type { Storage } from '../storage/storage.ts';
import { type FindMissingKey, createMissingKeyFinder } from './find-missing-key.ts';

export interface AccessCache {
  readonly directory: () => AccessDirectory;
  readonly handoffKeys: () => HandoffKeyring;
  /** Replaces what is known by these rows. */
  readonly take: (rows: AccessRows) => void;
  /** For a value sealed with a key that is not held; undefined where the keys are a setting. */
  readonly findNewHandoffKeys: FindMissingKey | undefined;
}

export interface AccessCacheDeps {
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Reads everything once. Keys of the setting win over stored ones; without them and without a stored key, the first one
 * is made.
 */
export async function loadAccessCache(
  storage: Storage,
  { handoffKeys: keysOfSetting, quoteTtlSeconds }: Pick<Settings, 'handoffKeys' | 'quoteTtlSeconds'>,
  deps: AccessCacheDeps,
): Promise<AccessCache> {
  let handoffKeys = keysOfSetting ?? (await ensureHandoffKey({ ...deps, storage, quoteTtlSeconds }));
  let directory = buildAccessDirectory(await storage.readAccess());
  const keyringOf = (rows: readonly HandoffKeyRow[]): HandoffKeyring =>
    buildHandoffKeyring(rows, quoteTtlSeconds) ?? handoffKeys;
  const findNewHandoffKeys = createMissingKeyFinder({
    readKeys: async () => keyringOf(await storage.readHandoffKeys()),
    uptimeMs: () => performance.now(),
  });
  return {
    directory: () => directory,
    handoffKeys: () => handoffKeys,
    take(rows) {
      directory = buildAccessDirectory(rows);
      if (keysOfSetting === undefined) handoffKeys = keyringOf(rows.handoffKeys);
    },
    findNewHandoffKeys: keysOfSetting === undefined ? findNewHandoffKeys : undefined,
  };
}
