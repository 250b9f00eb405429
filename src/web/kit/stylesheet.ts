/** A style sheet inside its page: one request for the page, and a policy that allows exactly these rules. */
import { createHash } from 'node:crypto';
import { Html } from './html.ts';

export interface Stylesheet {
  /** `<style>…</style>`. */
  readonly element: Html;
  /** What `style-src` of the page's Content-Security-Policy names. */
  readonly source: string;
}

/** `css` is ours: it is put into the page unescaped. */
export function makeStylesheet(...css: readonly string[]): Stylesheet {
  const text = css.join('');
  const hash = createHash('sha256').update(text).digest('base64');
  // Not within a template: the hash is over every character of the element, blanks too.
  return { element: new Html(`<style>${text}</style>`), source: `'sha256-${hash}'` };
}
