/** Settings of the site for acts and forms: the table of settings as they know it, and changing what is stored. */
import type { Outcome } from '../../domain/outcome.ts';
import { done, refuse } from '../../domain/outcome.ts';
import { Wrong } from '../../domain/wrong.ts';
import { newestOf, type SiteSettingChange, type SiteSettingRow } from '../../storage/site/store.ts';
import type { Storage } from '../../storage/storage.ts';

/** A row of `settings list`. */
export interface ListedSetting {
  readonly name: string;
  /** In force; `set` for a secret. Null: not set. */
  readonly value: string | null;
  readonly default: string | null;
  readonly from: 'environment' | 'site' | 'default';
  readonly editable: boolean;
}

/** A setting as `/console/settings` shows it. */
export interface SettingRow extends ListedSetting {
  /** A setting of the site, which the environment may set. */
  readonly isOfSite: boolean;
  /** Its value in the database is the bytes of a file. */
  readonly isFile: boolean;
  readonly example: string;
  /** In Markdown. */
  readonly meaning: string;
}

export interface SiteMistake {
  readonly name: string;
  /** Goes on after the value: `is not an https:// URL`. */
  readonly reason: Wrong;
  /** One line that names the setting, the mistake, and an example, as a refused start prints it. */
  readonly problem: Wrong;
}

/** The table of settings, and the environment of this process. */
export interface SiteDesk {
  /** All settings, as they are in force with these stored rows. */
  readonly list: (stored: readonly SiteSettingRow[]) => readonly SettingRow[];
  /** The mistakes for which a start would refuse the stored rows with these changes; empty: none. */
  readonly check: (
    stored: readonly SiteSettingRow[],
    changes: readonly SiteSettingChange[],
  ) => readonly SiteMistake[];
  readonly isFile: (name: string) => boolean;
  /** The bytes of a file as they are stored, or why they can't be. */
  readonly packFile: (bytes: Uint8Array) => Promise<string | Wrong>;
}

/** Others write at the same time only as often as people press a button. */
export const TRIES_MAX = 5;

const TOO_BUSY = new Wrong('settingsBusy');

type SiteStorage = Pick<Storage, 'readSiteSettings' | 'putSiteSettings'>;

export type SiteChanged<Obstacle> =
  | { readonly kind: 'done'; readonly rows: readonly SettingRow[] }
  | { readonly kind: 'mistakes'; readonly mistakes: readonly SiteMistake[] }
  /** The answer of `findObstacle`. */
  | { readonly kind: 'obstacle'; readonly obstacle: Obstacle };

/** Writes all changes or none, checked against the rows that they replace. */
export async function changeSite<Obstacle = never>(
  { storage, site }: { readonly storage: SiteStorage; readonly site: SiteDesk },
  changes: readonly SiteSettingChange[],
  findObstacle?: (stored: readonly SiteSettingRow[]) => Obstacle | undefined,
): Promise<Outcome<SiteChanged<Obstacle>>> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const stored = await storage.readSiteSettings();
    const obstacle = findObstacle?.(stored);
    if (obstacle !== undefined) return done({ kind: 'obstacle', obstacle });
    const mistakes = site.check(stored, changes);
    if (mistakes.length > 0) return done({ kind: 'mistakes', mistakes });
    const isNew = changes.some(({ name, value }) => valueOf(stored, name) !== value);
    if (!isNew || (await storage.putSiteSettings(changes, newestOf(stored))))
      return done({ kind: 'done', rows: site.list(await storage.readSiteSettings()) });
  }
  return refuse(TOO_BUSY);
}

/** The stored value; null: not set there. */
export function valueOf(stored: readonly SiteSettingRow[], wanted: string): string | null {
  return stored.find(({ name }) => name === wanted)?.value ?? null;
}
