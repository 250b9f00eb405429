/**
 * What is known now of partners, credentials and handoff keys: held in memory, replaced whole when it changes.
 */
import type { Clock } from '../runtime/clock.ts';
import { buildHandoffKeyring, type HandoffKeyring } from '../handoff/handoff-keys.ts';
import { ensureHandoffKey } from '../handoff/key-changes.ts';
import { type AccessDirectory, buildAccessDirectory } from '../access/access-directory.ts';
import type { Random } from '../runtime/random-text.ts';
import type { Settings } from '../settings/settings.ts';
import type { AccessRows, Storage } from '../storage/storage.ts';

export interface HeldAccess {
  readonly directory: () => AccessDirectory;
  readonly handoffKeys: () => HandoffKeyring;
  /** Replaces what is known by these rows. */
  readonly take: (rows: AccessRows) => void;
  /**
   * The keys as the database has them now, for a value sealed with a key that was made this very second. Only the
   * keys are replaced: partners and credentials come in order, from the follower, so that no old answer brings a
   * revoked one back.
   */
  readonly reloadHandoffKeys: () => Promise<HandoffKeyring>;
}

export interface HeldAccessDeps {
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Reads everything once. Keys of the setting win over stored ones; without them and without a stored key, the first one
 * is made.
 */
export async function holdAccess(
  storage: Storage,
  { handoffKeys: keysOfSetting, quoteTtlSeconds }: Pick<Settings, 'handoffKeys' | 'quoteTtlSeconds'>,
  deps: HeldAccessDeps,
): Promise<HeldAccess> {
  let handoffKeys = keysOfSetting ?? (await ensureHandoffKey({ ...deps, storage, quoteTtlSeconds }));
  let directory = buildAccessDirectory(await storage.readAccess());
  const takeHandoffKeys = (rows: AccessRows): void => {
    if (keysOfSetting !== undefined) return;
    handoffKeys = buildHandoffKeyring(rows.handoffKeys, quoteTtlSeconds) ?? handoffKeys;
  };
  return {
    directory: () => directory,
    handoffKeys: () => handoffKeys,
    take(rows) {
      directory = buildAccessDirectory(rows);
      takeHandoffKeys(rows);
    },
    async reloadHandoffKeys() {
      takeHandoffKeys(await storage.readAccess());
      return handoffKeys;
    },
  };
}
