/**
 * Settings of the site: those in the database count where the environment says nothing, and are read as the
 * environment's are. Where one is refused, the service goes on without it.
 */
import { Wrong } from '../../domain/wrong.ts';
import type { SiteMistake } from '../../operator/acts/site-desk.ts';
import type { SiteSettingRow } from '../../storage/site/store.ts';
import { unpackLogo } from './logo.ts';
import { type Setting, SETTINGS, type SettingName, SITE_ROWS } from './settings-table.ts';
import { calendarsBeside, wrongSettingReason, findCircle, readValue, type Settings } from './settings.ts';

export interface SiteRead {
  /** Those in force. */
  readonly settings: Settings;
  /** Stored values that do not count. */
  readonly refused: readonly SiteMistake[];
}

type StoredValues = readonly Pick<SiteSettingRow, 'name' | 'value'>[];

/** `settings` are those of the environment. */
export function withSite(settings: Settings, stored: StoredValues): SiteRead {
  const values = new Map<SettingName, unknown>();
  const refused: SiteMistake[] = [];
  for (const [key, entry] of SITE_ROWS) {
    const text = stored.find(({ name }) => name === entry.name)?.value ?? null;
    if (text === null || settings.given.has(key)) continue;
    const parsed = readSiteValue(entry, text);
    if (parsed instanceof Wrong) refused.push(refusalOf(entry, text, parsed));
    else values.set(key, parsed);
  }
  const circle = dropCircle(settings, values);
  return { settings: overlay(settings, values), refused: [...refused, ...circle] };
}

function readSiteValue(entry: Setting, text: string): unknown {
  return entry.ofSite === 'file' ? unpackLogo(text) : readValue(entry, text);
}

function refusalOf(entry: Setting, text: string, wrong: Wrong): SiteMistake {
  const { name } = entry;
  const problem =
    entry.ofSite === 'file'
      ? new Wrong('settingFileWrong', { name, file: new Wrong('theFile'), wrong })
      : wrongSettingReason(entry, text, wrong);
  return { name, reason: wrong, problem };
}

/** Two values that are right alone: that of the template does not count, or else that of the page. */
function dropCircle(settings: Settings, values: Map<SettingName, unknown>): readonly SiteMistake[] {
  const problem = findCircle({ ...settings, ...Object.fromEntries(values) });
  const key = (['bookingUrlTemplate', 'handoffBaseUrl'] as const).find((one) => values.has(one));
  if (problem === undefined || key === undefined) return [];
  values.delete(key);
  const { name } = SETTINGS[key];
  return [{ name, reason: new Wrong('leadsBack', { setting: SETTINGS.handoffBaseUrl.name }), problem }];
}

function overlay(settings: Settings, values: ReadonlyMap<SettingName, unknown>): Settings {
  const { webLogo, ...others } = Object.fromEntries(values) as Partial<Settings> & { webLogo?: unknown };
  const ofSite = new Set(values.keys());
  const merged = { ...settings, ...others, ofSite, uploadedLogo: webLogo as Settings['uploadedLogo'] };
  if (settings.given.has('calendarsBaseUrl')) return merged;
  return { ...merged, calendarsBaseUrl: calendarsBeside(merged.handoffBaseUrl) };
}
