import type { Locale } from '../../domain/property.ts';
import { type Html, html } from '../kit/html.ts';

/** A name as the page says it; else the operator's own code, made readable: codes are written in English. */
export function nameOfCode(translated: string | undefined, code: string, locale: Locale): Html {
  if (translated !== undefined) return html`<bdi>${translated}</bdi>`;
  return html`<bdi${locale === 'en-GB' ? '' : html` lang="en"`}>${readable(code)}</bdi>`;
}

/** `resort_fee` is `Resort fee`: a code that no language has a name for. */
export function readable(code: string): string {
  const text = code.replaceAll(/[-_]+/g, ' ').trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
