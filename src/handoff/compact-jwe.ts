/**
 * Writes a compact JWE (RFC 7516, section 7.1) with a direct key: `alg` dir, `enc` A256GCM (RFC 7518, sections 4.5
 * and 5.3). Only writes: what comes from outside is read by `jose` (docs/decisions/004-handoff-values.md).
 */
import { createCipheriv, type KeyObject } from 'node:crypto';
import { takeRandomBytes } from '../runtime/random-bytes.ts';

const IV_BYTES = 12;

/**
 * `header` is the encoded protected header, authenticated as it stands; `key` has 256 bits. The initialization
 * vector is not an argument, because using one twice under the same key would give both texts away.
 */
export function writeCompactJwe(header: string, key: KeyObject, plaintext: Uint8Array): string {
  const iv = Buffer.from(takeRandomBytes(IV_BYTES));
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(header, 'ascii'));
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  const [ivText, text, tagText] = [iv, ciphertext, cipher.getAuthTag()].map((part) =>
    part.toString('base64url'),
  );
  return `${header}..${ivText}.${text}.${tagText}`;
}
