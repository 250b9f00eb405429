/** Reads the JSON of a request body from its bytes. */

/**
 * `ok: false` is INVALID_JSON: empty, not UTF-8, with a byte-order mark, or not JSON (RFC 8259). Any JSON value is
 * `ok`, whatever its type; `validateBody` judges that.
 */
export function parseJsonBody(bytes: Uint8Array): { ok: true; value: unknown } | { ok: false } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}
