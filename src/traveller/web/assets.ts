/** Files that the page loads: the style sheet, and the operator's logo or an icon. Made at the start, and again for another look. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { BASE_STYLE } from '../../http/html/base-style.ts';
import { type Accent, makeAccent } from './accent.ts';

/** Backgrounds of the style sheet, which the accent must contrast with. */
export const LIGHT_BACKGROUND = '#f7f4ef';
export const DARK_BACKGROUND = '#211e1a';

export interface Asset {
  /** `/assets/traveller-1a2b3c4d5e.css`: new content gets a new name, so it may be cached for ever. */
  readonly path: string;
  readonly mediaType: string;
  readonly body: Uint8Array;
  readonly gzip: Uint8Array;
  readonly brotli: Uint8Array;
  /** Whether pages of other sites may show it. */
  readonly isForOtherSites: boolean;
}

export interface Logo {
  readonly kind: 'svg' | 'png';
  readonly bytes: Uint8Array;
}

export interface TravellerAssets {
  readonly style: Asset;
  /** The operator's logo; else an icon in the operator's colour, only for the browser's tab. */
  readonly icon: Asset;
}

/** The content as an address of its own, for a page that nothing is served beside. */
export function dataUrl(extension: keyof typeof MEDIA_TYPES, content: Uint8Array): string {
  const mediaType = MEDIA_TYPES[extension].split(';', 1)[0]!;
  return `data:${mediaType};base64,${Buffer.from(content).toString('base64')}`;
}

const MEDIA_TYPES = { css: 'text/css; charset=utf-8', svg: 'image/svg+xml', png: 'image/png' } as const;

export interface Look {
  readonly name: string;
  readonly accent: string;
  readonly logo?: Logo | undefined;
}

export function chooseIcon({ name, accent, logo }: Look): Logo {
  if (logo !== undefined) return logo;
  return { kind: 'svg', bytes: Buffer.from(letterIcon(name, makeAccent(accent, LIGHT_BACKGROUND))) };
}

/** The style sheet in the operator's colour. */
export function makeStyle(look: Pick<Look, 'accent'>): string {
  const light = makeAccent(look.accent, LIGHT_BACKGROUND);
  const dark = makeAccent(look.accent, DARK_BACKGROUND);
  const rules = readFileSync(new URL('./traveller.css', import.meta.url), 'utf8');
  return minify(
    `${BASE_STYLE}${rules}:root{${accentRules(light)}}@media screen and (prefers-color-scheme:dark){:root{${accentRules(dark)}}}`,
  );
}

export function makeAssets(look: Look): TravellerAssets {
  const { kind, bytes } = chooseIcon(look);
  return {
    style: makeAsset('traveller', 'css', Buffer.from(makeStyle(look))),
    icon: makeAsset(look.logo === undefined ? 'icon' : 'logo', kind, bytes),
  };
}

function accentRules({ colour, onColour }: Accent): string {
  return `--accent:${colour};--on-accent:${onColour}`;
}

/** Drops comments and indentation, without parsing the language. */
function minify(css: string): string {
  return css
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/(?<!\s)\s*\n\s*/g, '')
    .replaceAll(/(?<!\s)\s*([{;,])\s*/g, '$1')
    .replaceAll(': ', ':');
}

/** The first letter of the name on a disc of the accent. */
function letterIcon(name: string, { colour, onColour }: Accent): string {
  const letter = /[\p{L}\p{N}]/u.exec(name)?.[0]?.toUpperCase() ?? '';
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="${colour}"/>` +
    `<text x="16" y="22" text-anchor="middle" font-family="serif" font-size="18" fill="${onColour}">${letter}</text></svg>`
  );
}

/** The best compression of so much takes half a second, in which others wait. */
const LARGE_BYTES = 65_536;

export function makeAsset(
  name: string,
  extension: keyof typeof MEDIA_TYPES,
  body: Uint8Array,
  isForOtherSites = false,
): Asset {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return {
    path: `/assets/${name}-${hash}.${extension}`,
    mediaType: MEDIA_TYPES[extension],
    body,
    isForOtherSites,
    gzip: gzipSync(body),
    brotli: brotliCompressSync(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: body.length > LARGE_BYTES ? 5 : 11 },
    }),
  };
}
