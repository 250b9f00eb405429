/** Settings as people may see them: no secret, and no password of a URL. */
import { type Setting, SETTING_ROWS } from './settings-table.ts';
import type { Settings } from './settings.ts';

export interface ShownSetting {
  readonly name: string;
  /** The value that applies; `set` for a secret, and a URL without user, password and query. Null: not set. */
  readonly value: string | null;
  /** Null: the variable may be absent. */
  readonly default: string | null;
  /** In Markdown. */
  readonly meaning: string;
}

export const SECRET_IS_SET = 'set';
const HIDDEN = '***';

/** In the order of the table. */
export function showSettings(settings: Settings): readonly ShownSetting[] {
  return SETTING_ROWS.map(([key, entry]) => ({
    name: entry.name,
    value: shownValue(entry, settings[key]),
    default: entry.fallback ?? null,
    meaning: entry.meaning,
  }));
}

function shownValue({ isSecret, fallback }: Setting, value: unknown): string | null {
  if (value === undefined) return fallback === undefined ? null : 'off';
  if (isSecret) return typeof value === 'string' ? shownSecretUrl(value) : SECRET_IS_SET;
  return withoutPasswords(Array.isArray(value) ? value.join(',') : `${value as string | number | boolean}`);
}

/** `postgres://***@db.example/stayport`, `sqlite:data/stayport.db`: a query may hold a password too. */
function shownSecretUrl(text: string): string {
  if (/^sqlite:/i.test(text)) return text;
  if (!URL.canParse(text)) return SECRET_IS_SET;
  const { protocol, host, pathname, username, password } = new URL(text);
  const user = username === '' && password === '' ? '' : `${HIDDEN}@`;
  return `${protocol}//${user}${host}${pathname}`;
}

/** To the last `@` before the path: a password may hold one. */
function withoutPasswords(text: string): string {
  return text.replaceAll(/\/\/[^/\s?#]*@/g, `//${HIDDEN}@`);
}
