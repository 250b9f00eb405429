/**
 * The keys of handoff values: 256 bits each, with a key id. The first of a keyring seals, all open, so that a key can
 * be replaced while older values are in use.
 *
 * They come from the setting HANDOFF_KEYS, or else from the database, where the first start makes one.
 */
import { createSecretKey, type KeyObject } from 'node:crypto';
import { DAY_MS } from '../domain/local-date.ts';
import { Wrong } from '../domain/wrong.ts';
import type { HandoffKeyRow } from '../storage/access/store.ts';

interface HandoffKey {
  readonly keyId: string;
  readonly key: KeyObject;
  /** The encoded protected header of this key's values, which the seal authenticates. */
  readonly header: string;
  /** Unix ms; Infinity for the sealing key and for all keys of the setting. */
  readonly opensUntilMs: number;
}

export interface HandoffKeyring {
  readonly signing: HandoffKey;
  /** By encoded protected header: exactly the headers of our keys. */
  readonly byHeader: ReadonlyMap<string, HandoffKey>;
  /** Stored keys that were retired, the newest first: they open nothing, and tell what was ours. */
  readonly retired: readonly KeyObject[];
}

const KEY_BYTES = 32;
/** Short, because every value carries it. */
const KEY_ID_LENGTH_MAX = 32;
const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/;
export const HANDOFF_KEYS_EXAMPLE = 'k2:<base64 of 32 random bytes>,k1:<base64 of 32 random bytes>';
const KEYS_IN_SETTING_MAX = 100;
const RETIRED_KNOWN_MAX = 10;
/** Late travellers still read that their quote has expired; and clocks differ. */
const AFTER_EXPIRY_MS = DAY_MS;

/**
 * Parses HANDOFF_KEYS, `kid:base64,kid:base64`. The problem names the wrong entry and the reason, and never repeats a
 * possible secret.
 */
export function parseHandoffKeys(setting: string): HandoffKeyring | Wrong {
  const keys: HandoffKey[] = [];
  const entries = setting.split(',');
  if (entries.length > KEYS_IN_SETTING_MAX) return new Wrong('keysMany', { max: KEYS_IN_SETTING_MAX });
  for (const [index, entry] of entries.entries()) {
    const place = index + 1;
    const colon = entry.indexOf(':');
    if (colon === -1) return new Wrong('keyNoColon', { place });
    const keyId = entry.slice(0, colon).trim();
    if (!KEY_ID.test(keyId)) {
      return new Wrong('keyIdForm', { place, max: KEY_ID_LENGTH_MAX });
    }
    if (keys.some((key) => key.keyId === keyId)) return new Wrong('keyIdRepeated', { place });
    const secret = parseSecret(entry.slice(colon + 1).trim());
    if (secret === undefined) return new Wrong('keyNotBytes', { place, count: KEY_BYTES });
    if (isZero(secret)) return new Wrong('keyZero', { place });
    keys.push(makeHandoffKey(keyId, secret, Number.POSITIVE_INFINITY));
  }
  return makeKeyring(keys, []);
}

/**
 * Builds the keyring of stored keys that are not retired; the newest seals. Undefined without any. Throws on a damaged
 * row.
 */
export function buildHandoffKeyring(
  rows: readonly HandoffKeyRow[],
  quoteTtlSeconds: number,
): HandoffKeyring | undefined {
  const inUse = rows.filter((row) => row.retiredAtMs === null);
  if (inUse.length === 0) return undefined;
  const newestFirst = inUse.toSorted((a, b) => b.revision - a.revision);
  return makeKeyring(
    newestFirst.map((row) => {
      const secret = parseSecret(row.secret);
      if (secret === undefined || isZero(secret) || !KEY_ID.test(row.keyId)) {
        throw new Error('a stored handoff key is damaged');
      }
      return makeHandoffKey(row.keyId, secret, opensUntilMs(row, rows, quoteTtlSeconds));
    }),
    rows
      .filter((row) => row.retiredAtMs !== null)
      .toSorted((a, b) => b.revision - a.revision)
      .slice(0, RETIRED_KNOWN_MAX)
      .flatMap(({ secret }) => parseSecret(secret) ?? [])
      .map((secret) => createSecretKey(secret)),
  );
}

/**
 * When a stored key stops opening: at its retirement, or a day after the last quote it sealed has expired. Infinity for
 * the newest key, which seals.
 */
export function opensUntilMs(
  { retiredAtMs, revision }: HandoffKeyRow,
  rows: readonly HandoffKeyRow[],
  quoteTtlSeconds: number,
): number {
  if (retiredAtMs !== null) return retiredAtMs;
  // By revision, not by time: clocks of several machines differ, which is also what the day is for.
  const [successor] = rows
    .filter((row) => row.retiredAtMs === null && row.revision > revision)
    .sort((a, b) => a.revision - b.revision);
  if (successor === undefined) return Number.POSITIVE_INFINITY;
  return successor.createdAtMs + quoteTtlSeconds * 1000 + AFTER_EXPIRY_MS;
}

/** Standard base64, padded or not, in canonical form. */
function parseSecret(text: string): Buffer | undefined {
  if (!/^[A-Za-z0-9+/]{43}=?$/.test(text)) return undefined;
  const secret = Buffer.from(text, 'base64');
  return secret.toString('base64') === text.padEnd(44, '=') ? secret : undefined;
}

/** An all-zero placeholder is not a secret. */
function isZero(secret: Uint8Array): boolean {
  return secret.every((byte) => byte === 0);
}

function makeHandoffKey(keyId: string, secret: Uint8Array, opensUntil: number): HandoffKey {
  return {
    keyId,
    opensUntilMs: opensUntil,
    key: createSecretKey(secret),
    header: Buffer.from(JSON.stringify({ alg: 'dir', enc: 'A256GCM', kid: keyId })).toString('base64url'),
  };
}

function makeKeyring(keys: readonly HandoffKey[], retired: readonly KeyObject[]): HandoffKeyring {
  const [signing] = keys;
  if (signing === undefined) throw new Error('a keyring needs a key');
  return { signing, byHeader: new Map(keys.map((key) => [key.header, key])), retired };
}
