/**
 * The keys that seal handoff values: 256 bits each, known by a key id. The first of a keyring signs, all verify, so
 * that a key can be replaced while values sealed with the old one are still travelling.
 *
 * They come from the setting HANDOFF_KEYS, or else from the database, where the first start makes one.
 */
import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Clock } from '../runtime/clock.ts';
import { type Random, randomBase62 } from '../runtime/random-text.ts';
import type { AccessStore, HandoffKeyRow } from '../storage/storage.ts';

interface HandoffKey {
  readonly keyId: string;
  readonly key: KeyObject;
  /** The encoded protected header of every value sealed with this key; part of what the seal authenticates. */
  readonly header: string;
}

export interface HandoffKeyring {
  readonly signing: HandoffKey;
  /** By encoded protected header: exactly the headers that our keys write, and no other. */
  readonly byHeader: ReadonlyMap<string, HandoffKey>;
}

type ParsedHandoffKeys =
  | { readonly ok: true; readonly keyring: HandoffKeyring }
  | { readonly ok: false; readonly problem: string };

interface HandoffKeyDeps {
  readonly storage: Pick<AccessStore, 'putHandoffKey'>;
  readonly clock: Clock;
  readonly random: Random;
}

const KEY_BYTES = 32;
/** Short, because it travels in every value. */
const KEY_ID_LENGTH_MAX = 32;
const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/;
export const HANDOFF_KEYS_EXAMPLE = 'k2:<base64 of 32 random bytes>,k1:<base64 of 32 random bytes>';
const KEYS_IN_SETTING_MAX = 100;

/**
 * The keyring of a HANDOFF_KEYS setting, `kid:base64,kid:base64`. The problem says which entry is wrong and why,
 * and never repeats anything that may be a secret.
 */
export function parseHandoffKeys(setting: string): ParsedHandoffKeys {
  const keys: HandoffKey[] = [];
  const entries = setting.split(',');
  if (entries.length > KEYS_IN_SETTING_MAX) return refuse(`more than ${KEYS_IN_SETTING_MAX} keys`);
  for (const [index, entry] of entries.entries()) {
    const place = `key ${index + 1}`;
    const colon = entry.indexOf(':');
    if (colon === -1) return refuse(`${place} has no colon between key id and base64`);
    const keyId = entry.slice(0, colon).trim();
    if (!KEY_ID.test(keyId)) {
      return refuse(`${place} has a key id that is not 1 to ${KEY_ID_LENGTH_MAX} of A-Z a-z 0-9 _ -`);
    }
    if (keys.some((key) => key.keyId === keyId)) return refuse(`${place} repeats a key id`);
    const secret = parseSecret(entry.slice(colon + 1).trim());
    if (secret === undefined) return refuse(`${place} is not the base64 of exactly ${KEY_BYTES} bytes`);
    keys.push(makeHandoffKey(keyId, secret));
  }
  return { ok: true, keyring: makeKeyring(keys) };
}

/** The keyring of the stored keys, the newest signing; undefined while there is none. Throws on a damaged row. */
export function buildHandoffKeyring(rows: readonly HandoffKeyRow[]): HandoffKeyring | undefined {
  if (rows.length === 0) return undefined;
  const newestFirst = [...rows].sort((a, b) => b.revision - a.revision);
  return makeKeyring(
    newestFirst.map((row) => {
      const secret = parseSecret(row.secret);
      if (secret === undefined || !KEY_ID.test(row.keyId)) throw new Error('a stored handoff key is damaged');
      return makeHandoffKey(row.keyId, secret);
    }),
  );
}

/** Makes the first key of a database that has none; several processes that start at once agree on one. */
export async function ensureHandoffKey(deps: HandoffKeyDeps): Promise<HandoffKeyring> {
  return getKeyring(await deps.storage.putHandoffKey(newKeyRow(deps), { unlessAnyExists: true }));
}

/** A new key that signs from now on; the older ones still verify. */
export async function rotateHandoffKey(deps: HandoffKeyDeps): Promise<{ readonly keyId: string }> {
  const row = newKeyRow(deps);
  await deps.storage.putHandoffKey(row, { unlessAnyExists: false });
  return { keyId: row.keyId };
}

function getKeyring(rows: readonly HandoffKeyRow[]): HandoffKeyring {
  const keyring = buildHandoffKeyring(rows);
  if (keyring === undefined) throw new Error('storage answered no handoff key after putting one');
  return keyring;
}

function newKeyRow(deps: HandoffKeyDeps): HandoffKeyRow {
  return {
    keyId: `hk_${randomBase62(8, deps.random)}`,
    secret: Buffer.from(deps.random(KEY_BYTES)).toString('base64'),
    createdAtMs: deps.clock(),
    retiredAtMs: null,
    revision: 0,
  };
}

/** Standard base64, padded or not, in its one canonical form. */
function parseSecret(text: string): Buffer | undefined {
  if (!/^[A-Za-z0-9+/]{43}=?$/.test(text)) return undefined;
  const secret = Buffer.from(text, 'base64');
  return secret.toString('base64') === text.padEnd(44, '=') ? secret : undefined;
}

function makeHandoffKey(keyId: string, secret: Uint8Array): HandoffKey {
  return {
    keyId,
    key: createSecretKey(secret),
    header: Buffer.from(JSON.stringify({ alg: 'dir', enc: 'A256GCM', kid: keyId })).toString('base64url'),
  };
}

function makeKeyring(keys: readonly HandoffKey[]): HandoffKeyring {
  const [signing] = keys;
  if (signing === undefined) throw new Error('a keyring needs a key');
  return { signing, byHeader: new Map(keys.map((key) => [key.header, key])) };
}

function refuse(problem: string): ParsedHandoffKeys {
  return { ok: false, problem };
}
