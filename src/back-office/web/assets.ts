/** Scripts, styles and pictures of the console's pages. Their names contain their hash, so their bytes never change. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Page } from '../../http/html/page.ts';
import { HEAT_MAP_STYLE } from './heat-map-style.ts';
import { contentSecurityPolicy, SECURITY_HEADERS } from '../../http/html/security-headers.ts';

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

const CACHE_CONTROL = 'public, max-age=31536000, immutable';
const HEADERS = [...SECURITY_HEADERS, 'Content-Security-Policy', contentSecurityPolicy({})];

function assetOf(file: string, content: string | Uint8Array): Page {
  const bytes = Buffer.from(content);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return {
    path: `/console/assets/${file.replace('.', `-${hash}.`)}`,
    mediaType: MEDIA_TYPES[extname(file)]!,
    body: gzipSync(bytes),
    encoding: 'gzip',
    cacheControl: CACHE_CONTROL,
    headers: HEADERS,
  };
}

const own = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8');
const uplot = (url: string): string => readFileSync(fileURLToPath(url), 'utf8');

export const HEAT_MAP_SCRIPT = assetOf('heat-map.js', own('heat-map.js'));
export const COPY_SCRIPT = assetOf('copy.js', own('copy.js'));
/** It defines a global; a module has to export it. */
const UPLOT_SCRIPT = assetOf(
  'uplot.js',
  `${uplot(import.meta.resolve('uplot/dist/uPlot.iife.min.js'))}\nexport default uPlot;\n`,
);
export const PLOT_SCRIPT = assetOf(
  'plot.js',
  own('plot.js').replace('./uplot.js', `./${basename(UPLOT_SCRIPT.path)}`),
);
export const PASSKEY_SCRIPT = assetOf('passkey.js', own('passkey.js'));
export const IMPORT_SCRIPT = assetOf('import.js', own('import.js'));
export const NIGHTS_STYLE = assetOf('heat-map.css', HEAT_MAP_STYLE);
/** One column of fields on a phone, several where there is room. */
const PROPERTY_FORM_RULES = `
.sheet { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); gap: 1rem 1.2rem;
  align-items: start; width: 100%; max-width: 64rem; }
.sheet .pair { display: grid; grid-column: 1 / -1; grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr));
  gap: 1rem 1.2rem; }
.sheet .field > label { color: var(--ink); font-weight: 600; font-size: .95rem; }
.sheet fieldset { display: grid; grid-column: 1 / -1; grid-template-columns: inherit; gap: .8rem 1.2rem; min-width: 0;
  margin: 0; padding: .6rem .8rem; border: 1px solid var(--line); border-radius: var(--radius); }
.sheet legend { padding: 0 .4rem; font-weight: 650; overflow-wrap: anywhere; }
.sheet fieldset > p, .sheet > p { grid-column: 1 / -1; }
.sheet p { margin: 0; }
.sheet .field { display: grid; align-content: start; gap: .2rem; min-width: 0; }
.sheet :is(input:not([type=checkbox]), select, textarea) { width: 100%; }
.sheet textarea { min-height: 4rem; padding: .4rem .7rem; border: 1px solid var(--muted); border-radius: .4rem;
  background: var(--paper); color: var(--ink); font: inherit; resize: vertical; }
.sheet .flag { flex-direction: row; align-items: center; gap: .5rem; grid-column: 1 / -1; }
.sheet [aria-invalid] { border: 2px solid var(--bad); }
.sheet .reason { color: var(--bad); font-size: .9rem; overflow-wrap: anywhere; }
.sheet .saves { position: sticky; top: 0; z-index: 1; padding: .4rem 0; background: var(--paper); }
.sheet .saves ~ .saves { position: static; }
.sheet :is(input, textarea, select, fieldset) { scroll-margin-top: 4rem; }
#mistakes, .conflicts { margin: 0 0 1rem; } .conflicts + .wide td { white-space: pre-line; overflow-wrap: anywhere; }
.thumb { max-width: 100%; height: auto; max-height: 8rem; }
`;

export const PROPERTY_FORM_STYLE = assetOf('property-form.css', PROPERTY_FORM_RULES);
export const PLOT_STYLE = assetOf('uplot.css', uplot(import.meta.resolve('uplot/dist/uPlot.min.css')));

/** The operator's mark, in the bar of every page. */
export function iconAsset({ kind, bytes }: { readonly kind: string; readonly bytes: Uint8Array }): Page {
  return assetOf(`icon.${kind}`, bytes);
}

/** The style for the preview of the traveller's page. */
export function previewStyle(bytes: Uint8Array): Page {
  return assetOf('traveller.css', bytes);
}

/** Served without a session, because they are the same for everybody. */
export const CONSOLE_ASSETS: readonly Page[] = [
  HEAT_MAP_SCRIPT,
  COPY_SCRIPT,
  PASSKEY_SCRIPT,
  UPLOT_SCRIPT,
  PLOT_SCRIPT,
  PLOT_STYLE,
  IMPORT_SCRIPT,
  NIGHTS_STYLE,
  PROPERTY_FORM_STYLE,
];
