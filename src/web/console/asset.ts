/** What pages of the console load beside their HTML: bytes that never change, because their name has their hash. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from '../kit/page.ts';
import { contentSecurityPolicy, SECURITY_HEADERS } from '../kit/security-headers.ts';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** `text` unless it is the file of that name beside this one. */
export function consoleAsset(file: string, text?: string): Page {
  const bytes = text === undefined ? readFileSync(join(import.meta.dirname, file)) : Buffer.from(text);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return {
    path: `/console/assets/${file.replace('.', `-${hash}.`)}`,
    ...{ mediaType: MEDIA_TYPES[extname(file)]!, body: gzipSync(bytes), encoding: 'gzip' },
    cacheControl: 'public, max-age=31536000, immutable',
    headers: [...SECURITY_HEADERS, 'Content-Security-Policy', contentSecurityPolicy({})],
  };
}
