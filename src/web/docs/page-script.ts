/** The one script of the documentation, `docs-page.js`, under a name that has its hash: browsers keep it for good. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '../kit/page.ts';
import { contentSecurityPolicy, SECURITY_HEADERS } from '../kit/security-headers.ts';

const BYTES = readFileSync(join(import.meta.dirname, 'docs-page.js'));
const HASH = createHash('sha256').update(BYTES).digest();
const NAME = `docs-page-${HASH.toString('hex').slice(0, 16)}.js`;

/** `sha256-…`: what a page's `integrity` and its policy name. */
export const SCRIPT_INTEGRITY = `sha256-${HASH.toString('base64')}`;

/** From the root of a listener, without a slash before it. */
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
