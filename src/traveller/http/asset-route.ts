/** Style sheet and logo: their names have a hash of their content, so they are cached for ever. Settings of the site change both. */
import type { IncomingMessage } from 'node:http';
import type { Asset } from '../web/assets.ts';
import { SECURITY_HEADERS } from '../../http/html/security-headers.ts';
import { rawPathOf } from '../../http/listener/request-head.ts';
import type { TravellerPages } from '../web/handoff-page.ts';
import { presentPlain } from './plain-answers.ts';
import type { Hook } from '../../http/listener/exchange.ts';

const CACHE_CONTROL = 'public, max-age=31536000, immutable';

/** A picture opened by itself runs nothing, even if the operator's SVG holds a script. */
const HEADERS = [...SECURITY_HEADERS, 'Content-Security-Policy', "default-src 'none'; sandbox"] as const;

/** The file of another look, as a page of another process may name it for a moment, is that of the present one. */
export function assetHandler(pages: TravellerPages): Hook {
  return (exchange) => {
    const { request, response } = exchange;
    const path = rawPathOf(request.url ?? '');
    const asset = findAsset(pages.assets, path);
    if (asset === undefined) return presentPlain(pages, 'notFound', exchange);
    const [encoding, bytes] = choose(acceptedBy(request), asset);
    const coded = encoding === undefined ? [] : ['Content-Encoding', encoding];
    const sites = asset.isForOtherSites ? 'cross-origin' : 'same-origin';
    const own = [...HEADERS, 'Cross-Origin-Resource-Policy', sites];
    response.answer({
      status: 200,
      mediaType: asset.mediaType,
      cacheControl: asset.path === path ? CACHE_CONTROL : 'no-store',
      body: bytes,
      headers: [...own, ...coded, 'Vary', 'Accept-Encoding'],
    });
  };
}

const NAMED = /^\/assets\/(?<name>[a-z-]+)-[0-9a-f]{12}\.(?:css|svg|png)$/;

/** A logo may be named as the icon was before, or the other way round. */
function kindOf(path: string): string | undefined {
  const name = NAMED.exec(path)?.groups?.['name'];
  return name === 'logo' ? 'icon' : name;
}

function findAsset(assets: readonly Asset[], path: string): Asset | undefined {
  const kind = kindOf(path);
  return (
    assets.find((asset) => asset.path === path) ??
    assets.find((asset) => kind !== undefined && kindOf(asset.path) === kind)
  );
}

/** Redirects /favicon.ico to the icon, whose name changes with its content. */
export function faviconHandler(pages: TravellerPages): Hook {
  const own = [...HEADERS, 'Cross-Origin-Resource-Policy', 'same-origin', 'Location'];
  return ({ response }) =>
    response.answer({
      status: 302,
      cacheControl: 'public, max-age=86400',
      headers: [...own, `.${pages.icon.path}`],
    });
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
