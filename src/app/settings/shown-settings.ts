/** Settings as people may see them: no secret, and no password of a URL. */
import type { SettingRow } from '../../operator/acts/site-desk.ts';
import { formatSiteValue } from '../../storage/site/store.ts';
import { packLogo } from './logo.ts';
import { type Setting, type SettingName, SETTING_ROWS } from './settings-table.ts';
import type { Settings } from './settings.ts';

export const SECRET_IS_SET = 'set';
const HIDDEN = '***';

/** In the order of the table; `value` is a URL without user, password and query, and `set` for another secret. */
export function presentSettings(settings: Settings): readonly SettingRow[] {
  return SETTING_ROWS.map(([key, entry]) => ({
    name: entry.name,
    value: key === 'webLogo' ? shownLogo(settings) : shownValue(entry, settings[key]),
    default: entry.fallback ?? null,
    from: originOf(settings, key),
    editable: entry.ofSite !== undefined && !settings.given.has(key),
    isOfSite: entry.ofSite !== undefined,
    isFile: entry.ofSite === 'file',
    example: entry.example,
    meaning: entry.meaning,
  }));
}

function originOf({ given, ofSite }: Settings, key: SettingName): SettingRow['from'] {
  if (given.has(key)) return 'environment';
  return ofSite.has(key) ? 'site' : 'default';
}

function shownLogo({ webLogo, uploadedLogo }: Settings): string | null {
  return uploadedLogo === undefined ? (webLogo ?? null) : formatSiteValue(packLogo(uploadedLogo));
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
