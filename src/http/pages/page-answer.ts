/** Answers that are pages, on any listener. */
import { DEFAULT_LOCALE, type Locale, LOCALES } from '../../domain/property.ts';
import { rawPathOf } from '../listener/request-head.ts';

export const HTML_TYPE = 'text/html; charset=utf-8';
export const PAGE_CACHE_CONTROL = 'private, no-store';

/**
 * The browser's first language that we have, for pages without a handoff. English for readers of other languages; a
 * program that names none gets the contract's default.
 */
export function wantedLocale(acceptLanguage: string | undefined): Locale {
  for (const entry of (acceptLanguage ?? '').slice(0, 200).split(',')) {
    const language = entry.trim().slice(0, 2).toLowerCase();
    const locale = LOCALES.find((known) => known.startsWith(language) && language !== '');
    if (locale !== undefined) return locale;
  }
  return (acceptLanguage ?? '').trim() === '' ? DEFAULT_LOCALE : 'en-GB';
}

/**
 * `/handoff` is at the root, `/handoff/continue` one level below; links are relative, so that a proxy may add a prefix.
 */
export function rootFor(url: string): string {
  const levels = rawPathOf(url).split('/').length - 2;
  return levels < 1 ? './' : '../'.repeat(Math.min(levels, LEVELS_MAX));
}

const LEVELS_MAX = 20;
