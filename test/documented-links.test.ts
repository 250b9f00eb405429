/** Links of the pages, in the repository; `test/release/archives.test.ts` looks at those of the archives. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { brokenLinks, withoutForeignLinks } from '../scripts/markdown-links.ts';

const ROOT = join(import.meta.dirname, '..');
// The README of archives lies at their root there.
const PAGES = globSync('**/*.md', {
  cwd: ROOT,
  exclude: ['**/node_modules', '**/dist', 'scripts/release/*'],
});
const pages = {
  has: (path: string) => existsSync(join(ROOT, path)),
  read: (path: string) => (path.endsWith('.md') ? readFileSync(join(ROOT, path), 'utf8') : undefined),
};

describe('Links', () => {
  it('lead to files and headings, on every page', () => {
    assert.ok(PAGES.length > 50);
    const broken = PAGES.flatMap((page) => brokenLinks(page, pages).map((target) => `${page}: ${target}`));
    assert.deepEqual(broken, []);
  });

  it('are found where they do not', () => {
    const files: Readonly<Record<string, string>> = {
      'a.md':
        '[1](b.md#two-words) [2](b.md#three) [3](c.md) [4](#a) ![5](d.png) [6](https://x.example)\n# A `a`\n',
      'b.md': '# Two words\n```\n[7](no.md)\n# Three\n```\n',
    };
    const set = { has: (path: string) => path in files, read: (path: string) => files[path] };
    assert.deepEqual(brokenLinks('a.md', set), ['b.md#three', 'c.md', '#a', 'd.png']);
    assert.deepEqual(brokenLinks('b.md', set), []);
    const shortened = withoutForeignLinks(files['a.md']!, 'a.md', set);
    assert.equal(
      shortened,
      '[1](b.md#two-words) [2](b.md#three) 3 [4](#a)  [6](https://x.example)\n# A `a`\n',
    );
  });
});
