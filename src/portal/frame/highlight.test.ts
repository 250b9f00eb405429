import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { BASE_STYLE } from '../../http/html/base-style.ts';
import { contrast, parseColour } from '../../http/html/contrast.ts';
import { html, unescapeHtml } from '../../http/html/html.ts';
import { CODE_STYLE } from './docs-style.ts';
import { type CodeLanguage, highlightPage } from './highlight.ts';

const LANGUAGES: readonly CodeLanguage[] = ['bash', 'http', 'json', 'python', 'typescript'];
const pageOf = (language: CodeLanguage, code: string): string =>
  html`<pre><code data-language="${language}">${code}</code></pre>`.text;

describe('code with colours', () => {
  it('colours mark the parts of code, and change no character', () => {
    assert.equal(
      highlightPage(`<p>"x"</p>${pageOf('bash', '# a\necho "$B" | x')}<code>"y"</code>`),
      '<p>"x"</p><pre><code><span class="c"># a</span>\n<span class="k">echo</span> ' +
        '<span class="s">&quot;<span class="v">$B</span>&quot;</span> | x</code></pre><code>"y"</code>',
    );
  });

  it('says what it said before, and holds no HTML but its marks, whatever it says', () => {
    const code = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({
        unit: fc.constantFrom('<', '>', '&', '"', "'", '`', '$', '{', '}', '#', '/', '*', '\n', 'if ', 'a'),
      }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...LANGUAGES), code, (language, text) => {
        const [, shown = ''] =
          /^<pre><code>([^]*)<\/code><\/pre>$/.exec(highlightPage(pageOf(language, text))) ?? [];
        const words = shown.replaceAll(/<span class="[cskanv]">|<\/span>/g, '');
        assert.doesNotMatch(words, /[<>]/);
        assert.equal(unescapeHtml(words.replaceAll('&#x27;', "'")), text);
      }),
      { seed: 20_261_122, numRuns: 150 },
    );
  });

  it('has a contrast of 4.5 or more in every colour, light and dark', () => {
    const schemesOf = (style: string): readonly Readonly<Record<string, string>>[] =>
      [...style.matchAll(/:root \{([^}]*)\}/g)].map(([, rules = '']) =>
        Object.fromEntries(
          [...rules.matchAll(/--([a-z-]+): (#[0-9a-f]{6})/g)].map(([, name, value]) => [name, value]),
        ),
      );
    const grounds = schemesOf(BASE_STYLE);
    const colours = schemesOf(CODE_STYLE);
    assert.equal(colours.length, 2);
    for (const [index, scheme] of colours.entries()) {
      assert.equal(Object.keys(scheme).length, 6);
      for (const [name, colour] of Object.entries(scheme)) {
        const ratio = contrast(parseColour(colour), parseColour(grounds[index]!['soft']!));
        assert.ok(ratio >= 4.5, `${name} of scheme ${index}: ${ratio.toFixed(2)}`);
      }
    }
  });
});
