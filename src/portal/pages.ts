/** The pages of the partner listener: without credentials, ready bytes, made once a day. */
import {
  buildExtrasOpenApi,
  buildOpenApi,
  buildReferenceOpenApi,
  formatOpenApi,
} from '../contract/openapi/openapi.ts';
import { exampleDates } from '../contract/partner/example-dates.ts';
import { FAVICON } from '../http/html/favicon.ts';
import { html } from '../http/html/html.ts';
import type { Page } from '../http/html/page.ts';
import { SECURITY_HEADERS } from '../http/html/security-headers.ts';
import { anyDatesPage } from './guide/any-dates-page.ts';
import { notAvailablePage } from './guide/not-available-page.ts';
import { familiesPage } from './guide/families-page.ts';
import { changelogPage } from './guide/changelog-page.ts';
import { changesPage } from './guide/changes-page.ts';
import { DOCS_TITLE, docsFrame, PARTNER_DOCS } from './frame/docs-frame.ts';
import { guidePage } from './guide/guide-page.ts';
import { llmsText } from './llms-text.ts';
import { scriptPage } from './frame/page-script.ts';
import type { PageSettings } from './frame/page-settings.ts';
import { problemPages } from './reference/problem-pages.ts';
import { referencePages, referenceSections } from './reference/reference-page.ts';
import { searchPages } from './frame/search-pages.ts';
import { testingPage } from './guide/testing-page.ts';
import { formatYaml } from './frame/yaml-text.ts';

/** Dates of the examples count from `today`, days since 1970-01-01. */
export function buildPages(settings: PageSettings, today: number): readonly Page[] {
  const dates = exampleDates(today);
  const openApi = buildOpenApi({ ...settings, today });
  const written = [
    guidePage(settings, dates),
    anyDatesPage(settings, dates),
    notAvailablePage(settings, dates),
    familiesPage(settings, dates),
    changesPage(settings),
    testingPage(settings, dates),
    ...problemPages(settings, dates),
    changelogPage(),
  ];
  return [
    startPage(),
    FAVICON,
    ...written,
    ...searchPages(PARTNER_DOCS, written, referenceSections()),
    scriptPage(PARTNER_DOCS.folder),
    ...referencePages(settings.publicUrl),
    publicText('/openapi.json', 'application/json', formatOpenApi(openApi)),
    publicText('/openapi.yaml', 'application/yaml', formatYaml(openApi)),
    ...[
      ['/extras/openapi.json', buildExtrasOpenApi({ ...settings, today })] as const,
      ['/docs/reference.json', buildReferenceOpenApi({ ...settings, today })] as const,
    ].map(([path, document]) => publicText(path, 'application/json', formatOpenApi(document))),
    publicText('/llms.txt', 'text/plain; charset=utf-8', llmsText(settings, dates)),
  ];
}

function startPage(): Page {
  return docsFrame({
    path: '/',
    title: DOCS_TITLE,
    body: () =>
      html`<h1>${DOCS_TITLE}</h1>
        <p class="lead">
          This address is for programs of approved partners. Their paths begin with <code>/v1</code>.
        </p>
        <ul>
          <li><a href="./docs">Guide</a>: from a token to the first quote in ten minutes</li>
          <li>
            <a href="./docs/reference">Reference</a>: every operation, field and answer, with calls to try
          </li>
          <li><a href="./docs/any-dates">Any dates</a>: the cheapest stays of a city in an open window</li>
          <li>
            <a href="./docs/not-available">Not available</a>: why a stay cannot be had, and which can instead
          </li>
          <li><a href="./docs/families">Families</a>: the total with the ages of children</li>
          <li><a href="./docs/changes">Changes</a>: keep a copy that stays true, and hear of events</li>
          <li><a href="./docs/testing">Testing</a>: test properties, and every failure at hand</li>
          <li><a href="./problems">Problems</a>: what each code means, and what to do</li>
          <li><a href="./docs/changelog">Changelog</a>: versions of the contract, and what each promises</li>
          <li>
            For machines: <a href="./openapi.json">openapi.json</a>,
            <a href="./openapi.yaml">openapi.yaml</a>,
            <a href="./llms.txt">llms.txt</a>
          </li>
        </ul>`,
  });
}

/** Readable from any origin: it is public, and browser tools load it. */
function publicText(path: string, mediaType: string, text: string): Page {
  const headers = [...SECURITY_HEADERS, 'Access-Control-Allow-Origin', '*'];
  return { path, mediaType, body: Buffer.from(text), headers };
}
