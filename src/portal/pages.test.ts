import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { ISSUE_CODES } from '../contract/partner/issue-codes.ts';
import { ALL_OPERATIONS } from '../contract/partner/extra-operations.ts';
import { PROBLEM_CODES, PROBLEMS } from '../contract/partner/problems.ts';
import { CONTRACT_VERSIONS } from '../contract/partner/versions.ts';
import * as fc from 'fast-check';
import { parse } from 'yaml';
import { exampleDates } from '../contract/partner/example-dates.ts';
import { TEST_EVENT, WEBHOOK_EVENTS } from '../storage/webhooks/store.ts';
import { SUPPLY_OPERATIONS } from '../operator/listener/operator-table.ts';
import { supplyPages } from '../operator/supply-pages/supply-page.ts';
import { html } from '../http/html/html.ts';
import type { Page } from '../http/html/page.ts';
import type { PageSettings } from './frame/page-settings.ts';
import { buildPages } from './pages.ts';
import { SEARCH_INDEX_BYTES_MAX } from './frame/search-pages.ts';
import { formatYaml } from './frame/yaml-text.ts';

const SETTINGS: PageSettings = {
  publicUrl: 'https://partners.example',
  problemsBaseUrl: 'https://partners.example/problems',
  handoffBaseUrl: 'https://localhost:8443/handoff',
  ingressLimit: 301,
  partnerQuota: 121,
  quotesPerDay: 100_001,
  maxConnectionsPerAddress: 257,
  quoteTtlSeconds: 1801,
  horizonNights: 731,
  bodyLimitBytes: 16_385,
  supportContact: 'mailto:partners@hotel.example',
};

/** 20 November 2026. */
const TODAY = 20_777;

const pages = buildPages(SETTINGS, TODAY);
const htmlPages = pages.filter(({ mediaType }) => mediaType.startsWith('text/html'));

/** Without the places at which a long name may break. */
function textOf({ body }: Page): string {
  return Buffer.from(body).toString().replaceAll('<wbr />', '');
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

function hashOf(bytes: Uint8Array): string {
  return `sha256-${createHash('sha256').update(bytes).digest('base64')}`;
}

/** The visible text, without code. */
function visibleText(page: Page): string {
  return textOf(page)
    .replace(/<style>[^]*?<\/style>|<script[^]*?<\/script>/g, '')
    .replace(/<pre[^]*?<\/pre>/g, '')
    .replaceAll(/<[^>]*>/g, ' ');
}

describe('every page', () => {
  for (const page of htmlPages) {
    it(`${page.path} loads nothing but our script, and allows exactly this and its own style`, () => {
      if (page.path === '/docs/reference') return assert.match(textOf(page), /<script/);
      const text = textOf(page);
      const [script = '', src = '', integrity] =
        /<script\s+src="([^"]*)"\s+integrity="([^"]*)"\s+defer\s*><\/script>/.exec(text) ?? [];
      assert.doesNotMatch(text.replace(script, ''), /<script|<img|<link|<iframe|\son\w+=|style="/);
      assert.equal(hashOf(getPage(new URL(src, `https://here${page.path}`).pathname).body), integrity);
      const style = /<style>([^]*)<\/style>/.exec(text)?.[1] ?? '';
      const hash = createHash('sha256').update(style).digest('base64');
      const policy = headersOf(page).get('Content-Security-Policy') ?? '';
      assert.ok(policy.startsWith("default-src 'none'; "), policy);
      assert.ok(policy.includes(`style-src 'sha256-${hash}'`), policy);
      assert.ok(policy.endsWith(`script-src '${integrity}'; connect-src 'self'`), policy);
      assert.ok(!policy.includes('unsafe'), policy);
      assert.ok(text.includes('name="viewport"'));
    });

    it(`${page.path} links only to pages and places that exist`, () => {
      const links = [...textOf(page).matchAll(/(?:href|src)="([^"]*)"/g)].map(([, href]) => href ?? '');
      for (const href of links.filter((link) => link !== SETTINGS.supportContact)) {
        const url = new URL(href, `https://here${page.path}`);
        assert.equal(url.host, 'here', href);
        const target = textOf(getPage(url.pathname));
        if (url.hash !== '') assert.ok(target.includes(`id="${url.hash.slice(1)}"`), href);
      }
    });

    it(`${page.path} prints no raw backtick`, () => assert.ok(!visibleText(page).includes('`')));

    it(`${page.path} has each id once`, () => {
      const ids = [...textOf(page).matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
      assert.equal(new Set(ids).size, ids.length);
    });
  }

  it('is taken as what it says it is', () => {
    for (const page of pages) assert.equal(headersOf(page).get('X-Content-Type-Options'), 'nosniff');
  });
});

describe('the sandbox', () => {
  for (const page of htmlPages) {
    it(`is in the bar of ${page.path}`, () => {
      const [bar = ''] = /<header class="bar">[^]*?<\/header>/.exec(textOf(page)) ?? [];
      const paths = [...bar.matchAll(/href="([^"]*)"([^>]*)>/g)].map(([, href, rest]) => ({
        path: new URL(href!, `https://here${page.path}`).pathname,
        isCurrent: rest!.includes('aria-current'),
      }));
      const testing = paths.find(({ path }) => path === '/docs/testing');
      assert.equal(testing?.isCurrent, page.path === '/docs/testing');
    });
  }

  it('is in llms.txt: the page, the city, what a token begins with, the header', () => {
    const text = textOf(getPage('/llms.txt'));
    for (const named of [
      '](https://partners.example/docs/testing)',
      'Testville',
      'sp_test_',
      'Stayport-Test',
    ]) {
      assert.ok(text.includes(named), named);
    }
  });
});

describe('the reference', () => {
  const page = getPage('/docs/reference');
  const policy = headersOf(page).get('Content-Security-Policy') ?? '';

  it('runs exactly the three scripts that its policy names', () => {
    const [ours, scalar] = [...textOf(page).matchAll(/<script\s+src="[^"]*"\s+integrity="([^"]*)"/g)];
    const inline = /<script type="module">([^]*?)<\/script>/.exec(textOf(page))?.[1] ?? '';
    const sources = [scalar?.[1], hashOf(Buffer.from(inline)), ours?.[1]].map((hash) => `'${hash}'`);
    assert.ok(policy.includes(`script-src ${sources.join(' ')};`), policy);
  });

  it('may ask this service alone', () => {
    assert.ok(policy.endsWith("connect-src 'self' https://partners.example"), policy);
  });

  it('has a script that browsers keep for good', () => {
    const script = pages.find(({ path }) => /^\/docs\/scalar-[0-9a-f]{16}\.js$/.test(path));
    assert.equal(script?.cacheControl, 'public, max-age=31536000, immutable');
  });
});

describe('the script of the pages', () => {
  it('is kept for good by browsers, under a name that changes with it', () => {
    const script = pages.find(({ path }) => path.startsWith('/docs/docs-page-'));
    const hash = createHash('sha256').update(script!.body).digest('hex');
    assert.equal(script?.path, `/docs/docs-page-${hash.slice(0, 16)}.js`);
    assert.equal(script?.cacheControl, 'public, max-age=31536000, immutable');
  });
});

describe('the search', () => {
  const sections = JSON.parse(textOf(getPage('/docs/search.json'))) as readonly string[][];
  const rowOf = (found: string): string[] | undefined =>
    sections.find((row) => row.join(' ').includes(found));

  it('has an index of a bounded size, for partners and for the supply API', () => {
    const all = [...pages, ...supplyPages(SUPPLY_OPERATIONS, exampleDates(TODAY))];
    const indexes = all.filter(({ path }) => path.endsWith('/search.json'));
    assert.equal(indexes.length, 2);
    for (const { path, body } of indexes)
      assert.ok(body.length <= SEARCH_INDEX_BYTES_MAX, `${path}: ${body.length} bytes`);
  });

  it('finds every problem on its own page, and every heading that can be linked to', () => {
    for (const code of PROBLEM_CODES) {
      const path = `problems/${PROBLEMS[code].slug}`;
      const first = sections.find((row) => row[1] === path);
      assert.ok(first?.[4]?.includes(code), code);
    }
    for (const page of htmlPages.filter(({ path }) => path !== '/docs/headings')) {
      for (const [, id] of textOf(page).matchAll(/<h[2-4] id="([^"]*)">/g))
        assert.ok(
          sections.some((row) => row[1] === page.path.slice(1) && row[2] === id),
          page.path + id,
        );
    }
  });

  it('finds operations, in the reference', () => {
    for (const { operationId } of ALL_OPERATIONS) assert.equal(rowOf(operationId)?.[1], 'docs/reference');
  });

  it('has text as it is read: no HTML, no programs', () => {
    for (const row of sections) {
      assert.equal(row.length, 5);
      assert.doesNotMatch(row.join(' '), /&(?:lt|gt|amp|quot|#)|<(?:p|li|code|wbr|span)|urlopen|fetch\(/);
    }
    assert.ok(rowOf('Authorization: Bearer <token>'), 'what is escaped in the page is text here');
  });

  it('is a page of all headings where no script runs', () => {
    const text = textOf(getPage('/docs/headings'));
    for (const [page, path, id, heading] of sections) {
      const href = `../${path}${id === '' ? '' : `#${id}`}`;
      const name = id === '' && path !== 'docs/reference' ? page! : heading!;
      if (path !== 'docs/reference') assert.ok(text.includes(html`<a href="${href}">${name}</a>`.text), href);
    }
  });
});

describe('the changelog', () => {
  it('has every version of the contract, the one of the description first', () => {
    const text = textOf(getPage('/docs/changelog'));
    const document = JSON.parse(textOf(getPage('/openapi.json'))) as { info: { version: string } };
    const shown = [...text.matchAll(/<h2 id="v([^"]*)">/g)].map(([, version]) => version);
    assert.equal(shown[0], document.info.version);
    assert.deepEqual(
      shown,
      CONTRACT_VERSIONS.map(({ version }) => version),
    );
    assert.ok(textOf(getPage('/llms.txt')).includes('](https://partners.example/docs/changelog)'));
  });
});

describe('the page about changes', () => {
  const text = textOf(getPage('/docs/changes'));

  it('has every event of a webhook', () => {
    for (const name of [...WEBHOOK_EVENTS, TEST_EVENT])
      assert.ok(text.includes(`<td><code>${name}</code></td>`), name);
  });

  it('is in llms.txt', () => {
    assert.ok(textOf(getPage('/llms.txt')).includes('](https://partners.example/docs/changes)'));
  });
});

describe('the guide', () => {
  const text = textOf(getPage('/docs'));

  it('names every problem', () => {
    for (const code of PROBLEM_CODES) assert.ok(text.includes(`<code>${code}</code>`), code);
  });

  it('tells the limits as they are set', () => {
    const limits = [
      '301 in 60',
      '121 in 60',
      '100001 a day',
      '257 at a time',
      '1801 seconds',
      '731 from today',
    ];
    for (const limit of [...limits, '16385 bytes']) assert.ok(text.includes(limit), limit);
    const off = { ingressLimit: 0, quotesPerDay: 0, maxConnectionsPerAddress: 0 };
    const unlimited = buildPages({ ...SETTINGS, ...off }, TODAY).find(({ path }) => path === '/docs');
    assert.equal(textOf(unlimited!).split('not limited').length - 1, 3);
  });

  it('shows calls to this very service, on dates of the coming weeks', () => {
    assert.ok(text.includes('https://partners.example/v1/properties?city='));
    assert.ok(text.includes('checkIn=2026-12-20'));
  });

  it('says whom to ask', () => {
    assert.ok(text.includes('href="mailto:partners@hotel.example"'));
  });

  it('leads to every operation, of the contract and beside it, through llms.txt', () => {
    const llms = textOf(getPage('/llms.txt'));
    for (const { method, path } of ALL_OPERATIONS) assert.ok(llms.includes(`### ${method} ${path}\n`), path);
    for (const name of ['openapi.json', 'extras/openapi.json'])
      assert.ok(llms.includes(`](https://partners.example/${name})`), name);
    for (const scope of ['changes:read', 'content:read', 'prices:read'])
      assert.ok(llms.includes(`\`${scope}\``), scope);
  });
});

describe('the pages of problems', () => {
  it('of the feed lead to the page about changes', () => {
    for (const code of ['FEED_CURSOR_INVALID', 'FEED_CURSOR_RESET'] as const) {
      const text = textOf(getPage(`/problems/${PROBLEMS[code].slug}`));
      assert.ok(text.includes('../docs/changes') && text.includes('GET /feeds/v1/changes'), code);
    }
  });

  for (const code of PROBLEM_CODES) {
    const page = getPage(`/problems/${PROBLEMS[code].slug}`);

    it(`${code} says what it means and what to do`, () => {
      const text = textOf(page);
      assert.ok(text.includes(html`${PROBLEMS[code].detail}`.text));
      for (const heading of ['What to do', 'What to check', 'May I try again?', 'What it looks like'])
        assert.ok(text.includes(heading), heading);
    });

    it(`${code} is an example of itself for programs`, () => {
      const example = JSON.parse(Buffer.from(page.json!.body).toString()) as Record<string, unknown>;
      assert.equal(example['code'], code);
      assert.equal(example['type'], `https://partners.example${page.path}`);
      assert.equal(page.json?.mediaType, 'application/problem+json');
    });
  }

  it('have every code of an issue, on the one about validation', () => {
    const text = textOf(getPage('/problems/validation-error'));
    for (const code of Object.keys(ISSUE_CODES)) assert.ok(text.includes(`<code>${code}</code>`), code);
  });
});

describe('the OpenAPI description', () => {
  const page = getPage('/openapi.json');

  it('names this service and can be read from any origin', () => {
    const document = JSON.parse(textOf(page)) as { servers: { url: string }[] };
    assert.equal(document.servers[0]?.url, 'https://partners.example');
    assert.equal(headersOf(page).get('Access-Control-Allow-Origin'), '*');
  });

  it('says the same in YAML', () => {
    assert.deepEqual(parse(textOf(getPage('/openapi.yaml'))), JSON.parse(textOf(page)));
  });
});

describe('YAML', () => {
  it('is read as the JSON that it was made of', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('a', ' ', '\n', ':', '#', '-', '"', "'", '|', '~') }),
      fc.constantFrom(
        'yes',
        'null',
        '1.0.0',
        '0x1f',
        '2026-12-01',
        '- a',
        'a: b',
        '[a]',
        '{}',
        '&a',
        '*b',
        '!c',
      ),
    );
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(text, tie('value'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(json.value, (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as unknown;
        assert.deepEqual(parse(formatYaml(plain)), plain);
      }),
      { seed: 20_261_121, numRuns: 500 },
    );
  });
});

describe('the page of the supply API', () => {
  const [page] = supplyPages(SUPPLY_OPERATIONS, exampleDates(TODAY));
  const bodyOf = (operationId: string): string =>
    new RegExp(`<h2 id="${operationId}">.*?<h3>Body</h3>(.*?)<h3>Answer`, 's').exec(textOf(page!))?.[1] ?? '';

  it('names what a body can not be without, also where another page describes it', () => {
    assert.match(
      bodyOf('putSupplyProperty'),
      /docs\/supply\.md.*Required: <code>propertyId<\/code>,.*<code>inventoryTypes</s,
    );
    assert.match(
      bodyOf('patchSupplyCalendars'),
      /Required: <code>entries<\/code>, <code>entries\[\]\.propertyId</,
    );
    assert.doesNotMatch(bodyOf('postSupplyImport'), /Required/);
  });
});

describe('the files that lead to these pages', () => {
  const named = ['README.md', 'docs/operating.md', 'docs/contract.md', 'docs/traveller.md'].flatMap(
    (file) => {
      const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
      return [...text.matchAll(/`(\/(?:docs|problems|openapi|llms)[a-z./-]*)`/g)].map(([, path]) => path!);
    },
  );

  it('name paths that are there', () => {
    assert.ok(named.length > 5, `${named.length}`);
    for (const path of named) getPage(path);
  });
});
