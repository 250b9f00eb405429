/**
 * Places in the feed as partners keep them: sealed, so that nobody can make one or learn from it how much changes, and
 * bound to the partner. The key derives from those of handoff values.
 */
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { HandoffKeyring } from '../../handoff/handoff-keys.ts';
import type { Random } from '../../runtime/random.ts';
import type { ChangePosition } from '../../storage/catalogue/change-store.ts';
import type { HistoryMark } from '../../storage/history/revision.ts';

export interface FeedCursor {
  /** Where the sweep began: the partner was told everything up to here. */
  readonly since: HistoryMark;
  /** Where the next page begins. */
  readonly place: ChangePosition;
  /** The newest state that a page of the sweep came from: threads and processes are at states of their own. */
  readonly seen: HistoryMark;
  /** When the sweep began. */
  readonly atMs: number;
}

/** Whose cursor it is: a test token's is none for a live one. */
export interface CursorOwner {
  readonly partnerId: string;
  readonly isTest: boolean;
}

type SealedFields = readonly [
  sinceRevision: number,
  sinceStamp: string,
  placeRevision: number,
  propertyId: string,
  atMs: number,
  seenRevision: number,
  seenStamp: string,
];

/** Those of betas have more or less. */
const FIELD_COUNT = 7;

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Longer than any cursor's fields: an id has 160 characters, stamps and numbers far less. */
const TEXT_LENGTH = 384;
const PURPOSE = 'stayport feed cursor 1';

const feedKeys = new WeakMap<KeyObject, KeyObject>();

export function sealCursor(
  { signing }: HandoffKeyring,
  owner: CursorOwner,
  { since, place, seen, atMs }: FeedCursor,
  random: Random,
): string {
  const iv = random(IV_BYTES);
  const cipher = createCipheriv(CIPHER, feedKeyOf(signing.key), iv);
  cipher.setAAD(ownerBytes(owner));
  const from = [since.revision, since.stamp, place.revision, place.propertyId, atMs] as const;
  const fields: SealedFields = [...from, seen.revision, seen.stamp];
  // One length for all: it must not tell how much its holder can't see. JSON ignores blanks at its end.
  const text = JSON.stringify(fields).padEnd(TEXT_LENGTH);
  const sealed = [cipher.update(text), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat([iv, ...sealed]).toString('base64url');
}

/**
 * `retired`: we sealed it for this owner, and do not trust the key any more, or a beta did. Undefined: it is not ours.
 */
export function openCursor(
  { byHeader, retired }: HandoffKeyring,
  owner: CursorOwner,
  text: string,
): FeedCursor | 'retired' | undefined {
  const bytes = Buffer.from(text, 'base64url');
  // Other texts that decode to the same bytes were not written here.
  if (bytes.length <= IV_BYTES + TAG_BYTES || bytes.toString('base64url') !== text) return undefined;
  for (const { key } of byHeader.values()) {
    const opened = open(key, owner, bytes);
    if (opened !== undefined) return parse(opened);
  }
  return retired.some((key) => open(key, owner, bytes) !== undefined) ? 'retired' : undefined;
}

function open(key: KeyObject, owner: CursorOwner, bytes: Buffer): string | undefined {
  const decipher = createDecipheriv(CIPHER, feedKeyOf(key), bytes.subarray(0, IV_BYTES));
  decipher.setAAD(ownerBytes(owner));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/** Only what `sealCursor` of any release wrote can be opened. */
function parse(text: string): FeedCursor | 'retired' {
  const fields = JSON.parse(text) as SealedFields;
  if (fields.length !== FIELD_COUNT) return 'retired';
  const [revision, stamp, placeRevision, propertyId, atMs, seenRevision, seenStamp] = fields;
  return {
    since: { revision, stamp },
    place: { revision: placeRevision, propertyId },
    seen: { revision: seenRevision, stamp: seenStamp },
    atMs,
  };
}

function feedKeyOf(key: KeyObject): KeyObject {
  const known = feedKeys.get(key);
  if (known !== undefined) return known;
  const derived = createSecretKey(createHmac('sha256', key).update(PURPOSE).digest());
  feedKeys.set(key, derived);
  return derived;
}

function ownerBytes({ partnerId, isTest }: CursorOwner): Buffer {
  return Buffer.from(`${isTest ? 'test' : 'live'}\n${partnerId}`);
}
