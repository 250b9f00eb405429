/** HTML to plain text, for the descriptions. */
import { compile } from 'html-to-text';

const convert = compile({
  wordwrap: false,
  preserveNewlines: true,
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'img', format: 'skip' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
});

/** Tags go, `<br>` and paragraphs become line breaks, entities become characters; `a < b` and emoji stay. */
export function toPlainText(html: string): string {
  return (/[<&]/.test(html) ? convert(html) : html).trim();
}
