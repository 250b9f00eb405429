import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { ISSUE_CODES } from '../../contract/partner/issue-codes.ts';
import { OPERATIONS } from '../../contract/partner/operations.ts';
import { PROBLEM_CODES, PROBLEMS } from '../../contract/partner/problems.ts';
import { html } from '../kit/html.ts';
import type { Page } from '../kit/page.ts';
import { buildPages, type PageSettings } from './pages.ts';
import { schemaRows, typeText } from './schema-rows.ts';

const SETTINGS: PageSettings = {
  publicUrl: 'https://partners.example',
  problemsBaseUrl: 'https://partners.example/problems',
  ingressLimit: 301,
  partnerQuota: 121,
  quoteTtlSeconds: 1801,
  horizonNights: 731,
  bodyLimitBytes: 16_385,
  supportContact: 'mailto:partners@hotel.example',
};

/** 20 November 2026. */
const TODAY = 20_777;

const pages = buildPages(SETTINGS, TODAY);
const htmlPages = pages.filter(({ mediaType }) => mediaType.startsWith('text/html'));

function textOf({ body }: Page): string {
  return Buffer.from(body).toString();
}

function headersOf({ headers }: Page): Map<string, string> {
  const pairs = new Map<string, string>();
  for (let index = 0; index < headers.length; index += 2) pairs.set(headers[index]!, headers[index + 1]!);
  return pairs;
}

function getPage(path: string): Page {
  const page = pages.find((candidate) => candidate.path === path);
  assert.ok(page, path);
  return page;
}

describe('every page', () => {
  for (const page of htmlPages) {
    it(`${page.path} loads nothing, runs nothing, and allows exactly its own style`, () => {
      const text = textOf(page);
      assert.doesNotMatch(text, /<script|<img|<link|<iframe|\son\w+=|style="/);
      const style = /<style>([^]*)<\/style>/.exec(text)?.[1] ?? '';
      const hash = createHash('sha256').update(style).digest('base64');
      const policy = headersOf(page).get('Content-Security-Policy') ?? '';
      assert.ok(policy.startsWith("default-src 'none'; "), policy);
      assert.ok(policy.includes(`style-src 'sha256-${hash}'`), policy);
      assert.ok(text.includes('name="viewport"'));
    });

    it(`${page.path} links only to pages and places that exist`, () => {
      const links = [...textOf(page).matchAll(/href="([^"]*)"/g)].map(([, href]) => href ?? '');
      for (const href of links) {
        const url = new URL(href, `https://here${page.path}`);
        assert.equal(url.host, 'here', href);
        const target = textOf(getPage(url.pathname));
        if (url.hash !== '') assert.ok(target.includes(`id="${url.hash.slice(1)}"`), href);
      }
    });
  }

  it('is taken as what it says it is', () => {
    for (const page of pages) assert.equal(headersOf(page).get('X-Content-Type-Options'), 'nosniff');
  });
});

describe('the reference', () => {
  const text = textOf(getPage('/docs'));

  it('has every operation with its parameters, fields and problems', () => {
    for (const { path, operationId, query } of OPERATIONS) {
      assert.ok(text.includes(`id="${operationId}"`), operationId);
      assert.ok(text.includes(path), path);
      for (const { name } of query.parameters) assert.ok(text.includes(`<code>${name}</code>`), name);
    }
    assert.ok(text.includes('<code>items[].location.city</code>'));
    assert.ok(text.includes('<code>pricing.total</code>'));
  });

  it('explains every problem and every issue', () => {
    for (const code of PROBLEM_CODES) {
      assert.ok(text.includes(html`${PROBLEMS[code].remedy}`.text), code);
    }
    for (const code of Object.keys(ISSUE_CODES)) assert.ok(text.includes(`<code>${code}</code>`), code);
  });

  it('tells the limits as they are set', () => {
    for (const number of ['301 in 60', '121 in 60', '1801 seconds', '731 from today', '16385 bytes']) {
      assert.ok(text.includes(number), number);
    }
    const unlimited = buildPages({ ...SETTINGS, ingressLimit: 0 }, TODAY).find(
      ({ path }) => path === '/docs',
    );
    assert.ok(textOf(unlimited!).includes('not limited'));
  });

  it('shows calls to this very service', () => {
    assert.match(text, /curl .*https:\/\/partners\.example\/v1\/properties\?city=/);
  });
});

describe('the pages of problems', () => {
  it('are where the type of each problem leads', () => {
    for (const code of PROBLEM_CODES) {
      const text = textOf(getPage(`/problems/${PROBLEMS[code].slug}`));
      assert.ok(text.includes(html`${PROBLEMS[code].detail}`.text), code);
      assert.ok(text.includes('What to do'), code);
    }
  });
});

describe('the OpenAPI description', () => {
  it('names this service and can be read from any origin', () => {
    const page = getPage('/openapi.json');
    const document = JSON.parse(textOf(page)) as { servers: { url: string }[] };
    assert.equal(document.servers[0]?.url, 'https://partners.example');
    assert.equal(headersOf(page).get('Access-Control-Allow-Origin'), '*');
  });
});

describe('schemas as rows', () => {
  it('tell types with their bounds', () => {
    assert.equal(
      typeText({ type: 'integer', minimum: 1, maximum: 30, default: 2 }),
      'integer, 1 to 30, default 2',
    );
    assert.equal(typeText({ type: ['string', 'null'] }), 'string, may be null');
    assert.equal(typeText({ type: 'string', enum: ['a', 'b'] }), 'string, a or b');
    assert.equal(
      typeText({ type: 'number', minimum: 0, multipleOf: 0.5 }),
      'number, at least 0, in steps of 0.5',
    );
  });

  it('go into objects and lists', () => {
    const inner = { type: 'object', properties: { b: { type: 'string' } } };
    const schema = {
      properties: {
        a: inner,
        list: { type: 'array', items: inner },
        maybe: { anyOf: [inner, { type: 'null' }] },
      },
    };
    const fields = schemaRows(schema).map(({ field }) => field);
    assert.deepEqual(fields, ['a', 'a.b', 'list', 'list[].b', 'maybe', 'maybe.b']);
  });
});
