/**
 * Tokens: the secret that a partner or an operator's own system sends as `Authorization: Bearer` (SPEC 5).
 *
 * `sp_live_` + 34 random base62 characters + 6 base62 characters of CRC-32 over everything before them. `sp_test_`
 * begins a partner's token for the sandbox, `sp_oper_` an operator token.
 *
 * The prefix lets secret scanners find a leaked token, and the checksum distinguishes it from a typo without a
 * database. The checksum is not a secret: the 202 random bits are. Only the SHA-256 of a token is stored; with so many
 * random bits a slow password hash adds nothing.
 */
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { BASE62, type Random, randomBase62 } from '../runtime/random.ts';

const TOKEN_PREFIXES = { partner: 'sp_live_', test: 'sp_test_', operator: 'sp_oper_' } as const;
/** `test`: a partner's token for the sandbox. */
type TokenKind = keyof typeof TOKEN_PREFIXES;

/** 34 x log2(62) = 202 bits. */
const RANDOM_LENGTH = 34;
/** 62^6 is above 2^32. */
const CHECKSUM_LENGTH = 6;
const PREFIX_LENGTH = 8;
export const TOKEN_LENGTH = PREFIX_LENGTH + RANDOM_LENGTH + CHECKSUM_LENGTH;

/** Mints a token; shown once, then known only by its hash. */
export function mintToken(random: Random, kind: TokenKind = 'partner'): string {
  const body = TOKEN_PREFIXES[kind] + randomBase62(RANDOM_LENGTH, random);
  return body + checksumOf(body);
}

/**
 * Whether the text has the form of a token of this kind: prefix, length, alphabet, checksum. It may still be unknown.
 */
export function isWellFormedToken(text: string, kind: TokenKind = 'partner'): boolean {
  if (text.length !== TOKEN_LENGTH || !text.startsWith(TOKEN_PREFIXES[kind])) return false;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return isBase62(body.slice(PREFIX_LENGTH)) && text.endsWith(checksumOf(body));
}

/** SHA-256, 64 lower-case hex digits: the stored form. */
export function hashToken(text: string): string {
  return hash('sha256', text, 'hex');
}

function checksumOf(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let position = 0; position < CHECKSUM_LENGTH; position += 1) {
    text = BASE62[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

function isBase62(text: string): boolean {
  return /^[0-9A-Za-z]*$/.test(text);
}
