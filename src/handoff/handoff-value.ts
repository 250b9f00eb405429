/**
 * The handoff value: the terms of a quote (SPEC 2: locale, stay, guests, partner), sealed against reading and changing
 * on its way through the partner's pages and the traveller's browser.
 *
 * It is a compact JWE (RFC 7516) with a direct key: `header..iv.ciphertext.tag`. The header must be, byte for byte, one
 * that a key of the keyring writes; otherwise the value is refused before decoding, so no value can choose its
 * algorithm or add a header member.
 */
import { createCipheriv, type KeyObject } from 'node:crypto';
import { compactDecrypt } from 'jose/jwe/compact/decrypt';
import { withChildAges } from '../domain/child-ages.ts';
import type { StayRequest } from '../domain/eligibility.ts';
import { CHILD_AGE_MAX, type Locale, LOCALES } from '../domain/property.ts';
import { STORED_FORMATS } from '../domain/stored-formats.ts';
import { STAY_NIGHTS_MAX } from '../domain/stay-limits.ts';
import { takeRandomBytes } from '../runtime/random.ts';
import type { HandoffKeyring } from './handoff-keys.ts';

/** The longest ids and the largest total need about 800; longer values are not ours. */
export const HANDOFF_VALUE_LENGTH_MAX = 1000;
const IV_BYTES = 12;

/** The content of a handoff value. Dates are days since 1970-01-01, the total a DecimalMoney, the expiry Unix ms. */
export interface Handoff extends StayRequest {
  readonly quoteId: string;
  readonly propertyId: string;
  readonly locale: Locale;
  readonly partnerId: string;
  readonly total: string;
  readonly currency: string;
  readonly expiresAtMs: number;
  /** Sandbox: known from the value alone, even while the database is away. */
  readonly isTest?: true;
}

/** `unknown_key`: well-formed, with a header of an unknown key. `invalid`: anything else. */
export type OpenedHandoff =
  | { readonly ok: true; readonly handoff: Handoff; readonly keyId: string }
  | { readonly ok: false; readonly reason: 'unknown_key' | 'invalid' };

/** header, empty encrypted key, 96-bit IV, ciphertext, 128-bit tag. */
const COMPACT = /^([A-Za-z0-9_-]+)\.\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{22})$/;
const INVALID: OpenedHandoff = { ok: false, reason: 'invalid' };
const UNKNOWN_KEY: OpenedHandoff = { ok: false, reason: 'unknown_key' };
const { version: PAYLOAD_VERSION, fields: FIELDS } = STORED_FORMATS.handoff;

/** Seals with the keyring's signing key. Throws when the value would be longer than `HANDOFF_VALUE_LENGTH_MAX`. */
export function sealHandoff(keyring: HandoffKeyring, handoff: Handoff): string {
  const { header, key } = keyring.signing;
  const value = writeCompactJwe(header, key, encodePayload(handoff));
  if (value.length > HANDOFF_VALUE_LENGTH_MAX) throw new RangeError('a handoff value outgrew its limit');
  return value;
}

/**
 * Opens any value, unless its key has expired. Never throws because of the value; does not check the value's own
 * expiry.
 */
export async function openHandoff(
  keyring: HandoffKeyring,
  value: string,
  nowMs: number,
): Promise<OpenedHandoff> {
  if (value.length > HANDOFF_VALUE_LENGTH_MAX) return INVALID;
  const parts = COMPACT.exec(value);
  if (parts === null || !parts.slice(1).every((part) => isCanonicalBase64url(part))) return INVALID;
  const known = keyring.byHeader.get(parts[1] ?? '');
  if (known === undefined) return UNKNOWN_KEY;
  if (nowMs >= known.opensUntilMs) return INVALID;
  let payload: Uint8Array;
  try {
    payload = (await compactDecrypt(value, known.key, OUR_ALGORITHMS)).plaintext;
  } catch {
    return INVALID;
  }
  const handoff = decodePayload(payload);
  return handoff === undefined ? INVALID : { ok: true, handoff, keyId: known.keyId };
}

/** The absolute URL for the traveller: the value is its only query parameter (SPEC 2, PartnerQuote). */
export function formatHandoffUrl(baseUrl: string, value: string): string {
  return `${baseUrl}?handoff=${value}`;
}

const OUR_ALGORITHMS = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };

/**
 * Decoders ignore the unused bits of the last character, so several texts would open as one value. Only the encoder's
 * form is accepted.
 */
function isCanonicalBase64url(text: string): boolean {
  return Buffer.from(text, 'base64url').toString('base64url') === text;
}

/** The version is the first. */
const FIELD_COUNT = 1 + FIELDS.length;
/** Behind the other fields, in values of the sandbox only. */
const TEST_MARK = 'test';
/** Behind these, where children are: a digit for each age, ascending. */
const AGE_DIGITS = CHILD_AGE_MAX + 1;
const AGES = /^[0-9a-h]+$/;

/** A JSON array, version first: half the length of an object with names. */
function encodePayload(handoff: Handoff): string {
  return JSON.stringify([
    PAYLOAD_VERSION,
    ...FIELDS.map((field) => handoff[field]),
    ...(handoff.isTest ? [TEST_MARK] : []),
    ...(handoff.childAges === undefined ? [] : [writeAges(handoff.childAges)]),
  ]);
}

function writeAges(ages: readonly number[]): string {
  return ages.map((age) => age.toString(AGE_DIGITS)).join('');
}

function readAges(text: string): readonly number[] {
  return Array.from(text, (digit) => Number.parseInt(digit, AGE_DIGITS));
}

/** Authenticated, so written by a holder of our key; undefined for another program's version. */
function decodePayload(payload: Uint8Array): Handoff | undefined {
  let fields: unknown;
  try {
    fields = JSON.parse(Buffer.from(payload).toString('utf8'));
  } catch {
    return undefined;
  }
  if (!Array.isArray(fields) || fields[0] !== PAYLOAD_VERSION) return undefined;
  if (fields.length < FIELD_COUNT) return undefined;
  const extras: unknown[] = fields.slice(FIELD_COUNT);
  const isTest = extras[0] === TEST_MARK;
  if (isTest) extras.shift();
  const ages = extras.shift();
  if (extras.length > 0 || (ages !== undefined && !(typeof ages === 'string' && AGES.test(ages))))
    return undefined;
  const handoff = Object.fromEntries(FIELDS.map((name, index) => [name, fields[1 + index]])) as Pick<
    Handoff,
    (typeof FIELDS)[number]
  >;
  const { quoteId, propertyId, checkIn, checkOut, guests, locale, partnerId, total, currency, expiresAtMs } =
    handoff;
  const texts: unknown[] = [quoteId, propertyId, partnerId, total, currency];
  const integers: unknown[] = [checkIn, checkOut, guests, expiresAtMs];
  if (
    !texts.every((text) => typeof text === 'string') ||
    !integers.every((value) => Number.isSafeInteger(value))
  ) {
    return undefined;
  }
  const nightCount = checkOut - checkIn;
  if (nightCount < 1 || nightCount > STAY_NIGHTS_MAX || !LOCALES.includes(locale)) return undefined;
  if (ages !== undefined && ages.length >= guests) return undefined;
  return {
    ...handoff,
    ...(ages !== undefined && withChildAges(readAges(ages))),
    ...(isTest && { isTest }),
  };
}

/**
 * Writes a compact JWE (RFC 7516, section 7.1) with a direct key: `alg` dir, `enc` A256GCM (RFC 7518, sections 4.5 and
 * 5.3). `jose` reads values (docs/decisions/004-handoff-values.md).
 *
 * `header` is the encoded protected header, authenticated unchanged; `key` has 256 bits. The initialization vector is
 * not an argument, because using one twice under the same key would reveal both texts.
 */
function writeCompactJwe(header: string, key: KeyObject, plaintext: string): string {
  const iv = Buffer.from(takeRandomBytes(IV_BYTES));
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(header, 'ascii'));
  const text = cipher.update(plaintext, 'utf8').toString('base64url');
  // Makes the tag; in this mode nothing of the text is left for it.
  cipher.final();
  return `${header}..${iv.toString('base64url')}.${text}.${cipher.getAuthTag().toString('base64url')}`;
}
