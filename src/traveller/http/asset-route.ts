/** Style sheet and logo: their names have a hash of their content, so they are cached for ever. */
import type { IncomingMessage } from 'node:http';
import type { Asset } from '../web/assets.ts';
import { SECURITY_HEADERS } from '../../http/html/security-headers.ts';
import type { Hook } from '../../http/listener/exchange.ts';

const CACHE_CONTROL = 'public, max-age=31536000, immutable';

/** A picture opened by itself runs nothing, even if the operator's SVG holds a script. */
const HEADERS = [...SECURITY_HEADERS, 'Content-Security-Policy', "default-src 'none'; sandbox"] as const;

export function assetHandler({ mediaType, body, gzip, brotli, isForOtherSites }: Asset): Hook {
  const sites = isForOtherSites ? 'cross-origin' : 'same-origin';
  const own = [...HEADERS, 'Cross-Origin-Resource-Policy', sites];
  return ({ request, response }) => {
    const [encoding, bytes] = choose(acceptedBy(request), { body, gzip, brotli });
    const coded = encoding === undefined ? [] : ['Content-Encoding', encoding];
    response.answer({
      status: 200,
      mediaType,
      cacheControl: CACHE_CONTROL,
      body: bytes,
      headers: [...own, ...coded, 'Vary', 'Accept-Encoding'],
    });
  };
}

/** Redirects /favicon.ico to the icon, whose name changes with its content. */
export function faviconHandler({ path }: Asset): Hook {
  const headers = [...HEADERS, 'Cross-Origin-Resource-Policy', 'same-origin', 'Location', `.${path}`];
  return ({ response }) => response.answer({ status: 302, cacheControl: 'public, max-age=86400', headers });
}

function acceptedBy({ headers }: IncomingMessage): string {
  return [headers['accept-encoding'] ?? []].flat().join(',');
}

type Encodings = Pick<Asset, 'body' | 'gzip' | 'brotli'>;

/** Ignores weights: a named encoding is accepted, unless it has `q=0`. */
function choose(accepted: string, asset: Encodings): readonly [string | undefined, Uint8Array] {
  if (/(?<![\w-])br\b(?!\s*;\s*q=0(?:\.0*)?(?![\d.]))/i.test(accepted)) return ['br', asset.brotli];
  if (/(?<![\w-])gzip\b(?!\s*;\s*q=0(?:\.0*)?(?![\d.]))/i.test(accepted)) return ['gzip', asset.gzip];
  return [undefined, asset.body];
}
