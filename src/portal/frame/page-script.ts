/** The documentation's script, `docs-page.js`, under a name with its hash: browsers cache it for ever. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '../../http/html/page.ts';
import { contentSecurityPolicy, SECURITY_HEADERS } from '../../http/html/security-headers.ts';

const BYTES = readFileSync(join(import.meta.dirname, 'docs-page.js'));
const HASH = createHash('sha256').update(BYTES).digest();
const NAME = `docs-page-${HASH.toString('hex').slice(0, 16)}.js`;

/** `sha256-…` for a page's `integrity` and policy. */
export const SCRIPT_INTEGRITY = `sha256-${HASH.toString('base64')}`;

/** From the root of a listener, without a leading slash. */
export function scriptPath(folder: string): string {
  return `${folder}/${NAME}`;
}

export function scriptPage(folder: string): Page {
  return {
    path: `/${scriptPath(folder)}`,
    mediaType: 'text/javascript; charset=utf-8',
    body: BYTES,
    cacheControl: 'public, max-age=31536000, immutable',
    headers: [...SECURITY_HEADERS, 'Content-Security-Policy', contentSecurityPolicy({})],
  };
}
