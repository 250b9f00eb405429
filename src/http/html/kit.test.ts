import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { BASE_STYLE } from './base-style.ts';
import { contrast, parseColour } from './contrast.ts';
import { breakable, formatDocument, html, makeStylesheet, prose } from './html.ts';
import { contentSecurityPolicy } from './security-headers.ts';

describe('html', () => {
  it('escapes what is put in, but not html', () => {
    assert.equal(html`<b>${'<a href="x">&\''}</b>`.text, '<b>&lt;a href=&quot;x&quot;&gt;&amp;&#39;</b>');
    assert.equal(html`${[html`<i></i>`, '<', 1]}`.text, '<i></i>&lt;1');
    assert.equal(html`${prose('a `b<` c')}`.text, 'a <code>b&lt;</code> c');
  });

  it('leaves out what turns the direction of the text beside it, but not of a field that is sent back', () => {
    const turned = '\u202eevil\u2066\u202c';
    for (const content of [turned, [turned], breakable(turned), prose(turned)])
      assert.equal(html`<p>${content}</p>`.text, '<p>evil</p>');
    const page = { language: 'en', title: turned, stylesheet: makeStylesheet(''), body: '' };
    assert.equal(/<title>(.*)<\/title>/.exec(formatDocument(page).text)?.[1], 'evil');
    assert.equal(html`<input value="${turned}" />`.text, `<input value="${turned}" />`);
    assert.equal(html`<textarea>${`\n${turned}`}</textarea>`.text, `<textarea>\n${turned}</textarea>`);
    // The marks of Arabic and Hebrew turn no letter.
    assert.equal(html`${'\u200fמלון\u200e (A)'}`.text, '\u200fמלון\u200e (A)');
  });

  it('shows nothing of what is false or undefined, and zero as it is', () => {
    assert.equal(html`<p>${false}${undefined}${0}</p>`.text, '<p>0</p>');
  });

  it('ends lines behind what joins words, and not between a word and the sign before it', () => {
    const textOf = (name: string): string => html`${breakable(name)}`.text;
    assert.equal(textOf('a/b_c.d'), 'a/<wbr />b_<wbr />c.<wbr />d');
    assert.equal(textOf('GET /v1/{id}/nights'), 'GET /v1/<wbr />{id}/<wbr />nights');
    assert.equal(textOf('cr_5HZk_1'), 'cr_5HZk_<wbr />1');
    assert.equal(textOf('https://host --check-in'), 'https:<wbr />//host --check-<wbr />in');
  });

  it('leaves out the indentation of its templates, and none of what is put in', () => {
    const text = '{\n  "a": 1\n}';
    const { text: page } = html`<div>
      <pre>${text}</pre>
    </div>`;
    assert.equal(page, '<div>\n<pre>{\n  &quot;a&quot;: 1\n}</pre>\n</div>');
  });
});

describe('a document', () => {
  const stylesheet = makeStylesheet(BASE_STYLE, 'p { color: red }');
  const parts = { language: 'it-IT', title: '<1>', stylesheet, body: html`<p>${'&'}</p>` };
  const text = formatDocument(parts).text;

  it('escapes its title and says its language', () => {
    assert.ok(text.startsWith('<!doctype html>\n'));
    assert.ok(text.includes('<html lang="it-IT">'));
    assert.ok(text.includes('<title>&lt;1&gt;</title>'));
    assert.ok(text.includes('<p>&amp;</p>'));
  });

  it('holds exactly the style that its policy allows', () => {
    const css = /<style>([^]*)<\/style>/.exec(text)?.[1] ?? '';
    assert.ok(css.endsWith('p { color: red }'));
    assert.equal(stylesheet.source, `'sha256-${createHash('sha256').update(css).digest('base64')}'`);
  });
});

describe('the content security policy', () => {
  it('is closed, but for what is named', () => {
    assert.equal(
      contentSecurityPolicy({ 'style-src': "'sha256-x'", 'form-action': "'self'" }),
      "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; style-src 'sha256-x'",
    );
  });
});

describe('the colours', () => {
  const schemes = [...BASE_STYLE.matchAll(/:root \{([^}]*)\}/g)].map(([, rules = '']) =>
    Object.fromEntries(
      [...rules.matchAll(/--([a-z-]+): (#[0-9a-f]{6})/g)].map(([, name, value]) => [name, value]),
    ),
  );
  const PAIRS = [
    ['ink', 'paper'],
    ['ink', 'soft'],
    ['muted', 'paper'],
    ['muted', 'soft'],
    ['accent', 'paper'],
    ['accent', 'soft'],
    ['on-accent', 'accent'],
    ['good', 'good-soft'],
    ['warn', 'warn-soft'],
    ['bad', 'bad-soft'],
  ] as const;

  it('are given for light and for dark screens', () => assert.equal(schemes.length, 2));

  for (const [text, ground] of PAIRS) {
    it(`show ${text} on ${ground} with a contrast of 4.5 or more, light and dark`, () => {
      for (const scheme of schemes) {
        const ratio = contrast(parseColour(scheme[text] ?? ''), parseColour(scheme[ground] ?? ''));
        assert.ok(ratio >= 4.5, `${scheme[text]} on ${scheme[ground]}: ${ratio.toFixed(2)}`);
      }
    });
  }
});
