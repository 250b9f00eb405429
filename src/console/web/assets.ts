/** Scripts, styles and pictures of the console's pages. Their names contain their hash, so their bytes never change. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Page } from '../../http/html/page.ts';
import { BASE_STYLE } from '../../http/html/base-style.ts';
import { CONSOLE_STYLE } from './console-style.ts';
import { HEAT_MAP_STYLE } from './heat-map-style.ts';
import { PROPERTY_FORM_RULES } from './property-form-style.ts';
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

/** The file with the path of another script in place of the name under which it imports it. */
function importing(file: string, { path }: Page, name: string): string {
  return own(file).replace(name, `./${basename(path)}`);
}

export const HEAT_MAP_SCRIPT = assetOf('heat-map.js', own('heat-map.js'));
export const TIMES_SCRIPT = assetOf('times.js', own('times.js'));
export const COPY_SCRIPT = assetOf('copy.js', own('copy.js'));
/** It defines a global; a module has to export it. */
const UPLOT_SCRIPT = assetOf(
  'uplot.js',
  `${uplot(import.meta.resolve('uplot/dist/uPlot.iife.min.js'))}\nexport default uPlot;\n`,
);
export const PLOT_SCRIPT = assetOf('plot.js', importing('plot.js', UPLOT_SCRIPT, './uplot.js'));
const UPLOADS_SCRIPT = assetOf('uploads.js', own('uploads.js'));
export const PROPERTY_FORM_SCRIPT = assetOf(
  'property-form.js',
  importing('property-form.js', UPLOADS_SCRIPT, './uploads.js'),
);
export const PASSKEY_SCRIPT = assetOf('passkey.js', own('passkey.js'));
export const IMPORT_SCRIPT = assetOf('import.js', own('import.js'));
export const COMPARISON_SCRIPT = assetOf('comparison.js', own('comparison.js'));
export const BULK_PICTURES_SCRIPT = assetOf(
  'bulk-pictures.js',
  importing('bulk-pictures.js', UPLOADS_SCRIPT, './uploads.js'),
);
/** Linked by every page. */
export const CONSOLE_SHEET = assetOf('console.css', `${BASE_STYLE}${CONSOLE_STYLE}`);
export const NIGHTS_STYLE = assetOf('heat-map.css', HEAT_MAP_STYLE);
export const PROPERTY_FORM_STYLE = assetOf('property-form.css', PROPERTY_FORM_RULES);
export const PLOT_STYLE = assetOf('uplot.css', uplot(import.meta.resolve('uplot/dist/uPlot.min.css')));

/** The operator's mark, in the bar of every page. */
export function iconAsset({ kind, bytes }: { readonly kind: string; readonly bytes: Uint8Array }): Page {
  return assetOf(`icon.${kind}`, bytes);
}

/** Served without a session, because they are the same for everybody. */
export const CONSOLE_ASSETS: readonly Page[] = [
  HEAT_MAP_SCRIPT,
  COPY_SCRIPT,
  TIMES_SCRIPT,
  PASSKEY_SCRIPT,
  UPLOT_SCRIPT,
  PLOT_SCRIPT,
  PLOT_STYLE,
  IMPORT_SCRIPT,
  COMPARISON_SCRIPT,
  CONSOLE_SHEET,
  NIGHTS_STYLE,
  PROPERTY_FORM_STYLE,
  UPLOADS_SCRIPT,
  PROPERTY_FORM_SCRIPT,
  BULK_PICTURES_SCRIPT,
];
