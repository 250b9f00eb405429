/** The pages of the partner listener: no credential, no script, bytes made once at start. */
import { buildOpenApi, formatOpenApi } from '../../contract/openapi/openapi.ts';
import { exampleDates } from '../../contract/partner/example-dates.ts';
import { docsFrame } from './docs-frame.ts';
import { docsPage } from './docs-page.ts';
import { html } from '../kit/html.ts';
import type { Page } from '../kit/page.ts';
import { SECURITY_HEADERS } from '../kit/security-headers.ts';
import { problemPages } from './problem-pages.ts';

export interface PageSettings {
  readonly publicUrl: string;
  readonly problemsBaseUrl: string;
  readonly ingressLimit: number;
  readonly partnerQuota: number;
  readonly quoteTtlSeconds: number;
  readonly horizonNights: number;
  readonly bodyLimitBytes: number;
  /** Whom partners ask for help: a `mailto:`, `tel:` or `https:` URL. */
  readonly supportContact: string | undefined;
}

/** `today`, as days since 1970-01-01, is what the dates of the examples are counted from. */
export function buildPages(settings: PageSettings, today: number): readonly Page[] {
  return [
    startPage(),
    docsPage(settings, exampleDates(today)),
    openApiPage(settings, today),
    ...problemPages(),
  ];
}

function startPage(): Page {
  return docsFrame(
    '/',
    'Partner API',
    html`<h1>Partner API</h1>
      <p>This address is for programs of approved partners.</p>
      <ul>
        <li><a href="./docs">How to use it</a></li>
        <li><a href="./openapi.json">OpenAPI description</a></li>
        <li><a href="./problems">Problems and what to do about them</a></li>
      </ul>`,
  );
}

/** Readable from any origin: it is public, and tools that run in browsers load it. */
function openApiPage(settings: PageSettings, today: number): Page {
  return {
    path: '/openapi.json',
    mediaType: 'application/json',
    body: Buffer.from(formatOpenApi(buildOpenApi({ ...settings, today }))),
    headers: [...SECURITY_HEADERS, 'Access-Control-Allow-Origin', '*'],
  };
}
