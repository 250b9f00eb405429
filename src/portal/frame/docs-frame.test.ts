import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeTabs } from './code-tabs.ts';
import { DOCS_TITLE, docsFrame } from './docs-frame.ts';

const textOf = ({ body }: { readonly body: Uint8Array }): string => Buffer.from(body).toString('utf8');

describe('a page of the documentation', () => {
  it('is named with the whole, but for the first one', () => {
    const titleOf = (title: string): string | undefined =>
      /<title>(.*?)<\/title>/.exec(textOf(docsFrame({ path: '/docs', title, body: () => '' })))?.[1];
    assert.equal(titleOf(DOCS_TITLE), DOCS_TITLE);
    assert.equal(titleOf('Here'), `Here · ${DOCS_TITLE}`);
  });

  it('marks its section in the bar, and leads to all of them from wherever it is', () => {
    const page = textOf(
      docsFrame({ path: '/docs/testing', title: '', section: 'docs/testing', body: () => '' }),
    );
    const links = [...page.matchAll(/<a href="([^"]*)"\s*(aria-current="page")?>/g)];
    const targets = links.map(([, href]) => href);
    assert.deepEqual(targets.slice(-11), [
      '../docs',
      '../docs/reference',
      '../docs/any-dates',
      '../docs/not-available',
      '../docs/families',
      '../docs/changes',
      '../docs/testing',
      '../problems',
      '../docs/changelog',
      '../openapi.json',
      '../docs/headings',
    ]);
    assert.deepEqual(
      links.filter(([, , current]) => current !== undefined).map(([, href]) => href),
      ['../docs/testing'],
    );
  });

  it('a page with sections lists them at its side', () => {
    const bare = textOf(docsFrame({ path: '/docs', title: '', body: () => 'BODY' }));
    assert.match(bare, /<div class="plain">/);
    assert.doesNotMatch(bare, /class="contents"/);
    const full = textOf(
      docsFrame({ path: '/docs', title: '', contents: { first: 'First' }, body: () => 'BODY' }),
    );
    assert.match(full, /<div class="columns">/);
    assert.equal(full.split('<a href="#first">First</a>').length - 1, 2, 'beside and folded');
  });
});

describe('an example in several languages', () => {
  it('shows the first, and each under its label', () => {
    const { text } = codeTabs('search', { curl: 'a < b', typescript: 'TS', python: 'PY' });
    const tabs = [
      ...text.matchAll(
        /<input([^>]*)\/><label for="([^"]*)">([^<]*)<\/label>\s*<pre[^>]*><code[^>]*>([^<]*)/g,
      ),
    ];
    assert.deepEqual(
      tabs.map(([, attributes, id, label, code]) => [/\bchecked\b/.test(attributes!), id, label, code]),
      [
        [true, 'search-curl', 'curl', 'a &lt; b'],
        [false, 'search-typescript', 'TypeScript', 'TS'],
        [false, 'search-python', 'Python', 'PY'],
      ],
    );
    for (const [, attributes, id] of tabs) {
      assert.ok(attributes!.includes('name="search"') && attributes!.includes(`id="${id}"`), attributes);
    }
  });
});
