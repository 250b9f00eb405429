/**
 * /docs/reference: every operation, field and answer, with calls to try. Scalar draws it in the browser from a document
 * of all operations; we serve its one file, and no other host is contacted (docs/decisions/020).
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BASE_STYLE } from '../../http/html/base-style.ts';
import { breakable, formatDocument, Html, html, makeStylesheet } from '../../http/html/html.ts';
import type { Page } from '../../http/html/page.ts';
import { ALL_OPERATIONS } from '../../contract/partner/extra-operations.ts';
import type { Operation } from '../../contract/partner/operations.ts';
import { contentSecurityPolicy, SECURITY_HEADERS } from '../../http/html/security-headers.ts';
import { DOCS_TITLE, PARTNER_DOCS, scriptElement, topBar } from '../frame/docs-frame.ts';
import { SCRIPT_INTEGRITY } from '../frame/page-script.ts';
import { REFERENCE_STYLE, TOP_BAR_STYLE } from '../frame/docs-style.ts';

const SCALAR_FOLDER = join(import.meta.dirname, '..', 'scalar');

/** Switches off everything that contacts other hosts or distracts readers. */
const CONFIGURATION = {
  url: './reference.json',
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'none',
  persistAuth: false,
  defaultOpenAllTags: true,
  hideModels: true,
  // The bar above has the one search of all pages.
  hideSearch: true,
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
  theme: 'default',
};

const START = `Scalar.createApiReference('#reference', ${JSON.stringify(CONFIGURATION)})`;

interface Script {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** `sha256-…` of the script. */
  readonly integrity: string;
}

/** The page and its script, whose name has its hash, so that browsers cache it for ever. */
export function referencePages(publicUrl: string): readonly Page[] {
  script ??= readScript();
  return [referencePage(publicUrl, script), scriptPage(script)];
}

/** Entries of this page in the search index: a script draws it, so the index has only places. */
export function referenceSections() {
  const path = 'docs/reference';
  return ALL_OPERATIONS.map(({ method, path: called, summary, description, operationId, tag }) => ({
    page: 'Reference',
    path,
    id: placeOf({ tag, method, path: called }),
    heading: summary,
    text: `${method} ${called} ${operationId}. ${description.replaceAll('`', '')}`,
  }));
}

/** The viewer's name of an operation after `#`. */
function placeOf({ tag, method, path }: Pick<Operation, 'tag' | 'method' | 'path'>): string {
  return `tag/${tag.toLowerCase()}/${method}${path}`;
}

/** Read once for all pages. */
let script: Script | undefined;

function readScript(): Script {
  const record = readFileSync(join(SCALAR_FOLDER, 'scalar.json'), 'utf8');
  const { sha256 } = JSON.parse(record) as { readonly sha256: string };
  return {
    path: `/docs/scalar-${sha256.slice(0, 16)}.js`,
    bytes: readFileSync(join(SCALAR_FOLDER, 'standalone.js.gz')),
    integrity: `sha256-${Buffer.from(sha256, 'hex').toString('base64')}`,
  };
}

function referencePage(publicUrl: string, { path, integrity }: Script): Page {
  const document = formatDocument({
    language: 'en',
    title: `Reference · ${DOCS_TITLE}`,
    stylesheet: makeStylesheet(BASE_STYLE, TOP_BAR_STYLE, REFERENCE_STYLE),
    body: html`<section class="around" aria-label="All documentation">
        ${topBar('../', 'docs/reference')}
      </section>
      <noscript>
        <p>
          This page is drawn by a script. The same facts are in <a href="../openapi.json">openapi.json</a> and
          <a href="../extras/openapi.json">extras/openapi.json</a>, and the <a href="../docs">guide</a> needs
          no script.
        </p>
      </noscript>
      <div id="reference"></div>
      ${operationList()} ${scriptElement('../', PARTNER_DOCS)}
      <script src="${path.replace('/docs/', './')}" integrity="${integrity}" defer></script>
      ${START_ELEMENT}`,
  });
  return {
    path: '/docs/reference',
    mediaType: 'text/html; charset=utf-8',
    body: Buffer.from(document.text),
    headers: [...SECURITY_HEADERS, 'Content-Security-Policy', policyFor(publicUrl, integrity)],
  };
}

/** Shown until the reference is drawn. It is beside the script's element, which would adopt its content. */
function operationList(): Html {
  return html`<section class="early">
    <h1>Reference</h1>
    <ul>
      ${ALL_OPERATIONS.map(
        ({ method, path, summary, tag }) =>
          html`<li id="${placeOf({ tag, method, path })}">
            <b>${summary}</b> <code>${method} ${breakable(path)}</code>
          </li>`,
      )}
    </ul>
    <p>Fields and answers of each follow when the viewer (1.3 MB) is loaded.</p>
  </section>`;
}

/** A module runs after the deferred script before it. */
const START_ELEMENT = new Html(`<script type="module">${START}</script>`);
const START_HASH = createHash('sha256').update(START).digest('base64');

/**
 * Exactly three scripts run, each named by its hash, and calls go only to this service. Styles can't be named: the
 * script writes `style` attributes as it draws. A style can't send the reader's input, because no other host may be
 * contacted.
 */
function policyFor(publicUrl: string, integrity: string): string {
  return contentSecurityPolicy({
    'script-src': `'${integrity}' 'sha256-${START_HASH}' '${SCRIPT_INTEGRITY}'`,
    'style-src': "'unsafe-inline'",
    'img-src': 'data:',
    'connect-src': `'self' ${new URL(publicUrl).origin}`,
  });
}

function scriptPage({ path, bytes }: Script): Page {
  return {
    path,
    mediaType: 'text/javascript; charset=utf-8',
    encoding: 'gzip',
    body: bytes,
    cacheControl: 'public, max-age=31536000, immutable',
    headers: SECURITY_HEADERS,
  };
}
