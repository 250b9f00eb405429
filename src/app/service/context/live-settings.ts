/** The settings in force: those of the environment, and those of the site as the follower of access brings them. */
import { inEnglish } from '../../../domain/wrong.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { SiteSettingName } from '../../settings/settings-table.ts';
import type { Settings } from '../../settings/settings.ts';
import { withSite } from '../../settings/site-settings.ts';
import { newestOf, type SiteSettingChange, type SiteSettingRow } from '../../../storage/site/store.ts';

/** Settings that stay as they were at the start. */
export type FixedSettings = Omit<Settings, SiteSettingName | 'calendarsBaseUrl' | 'uploadedLogo' | 'ofSite'>;

export interface LiveSettings {
  /** Another object whenever one of them has changed. */
  readonly now: () => Settings;
  /** As they would be with these values stored, for which nothing was refused. */
  readonly having: (site: readonly SiteSettingChange[]) => Settings;
  readonly take: (rows: { readonly siteSettings: readonly SiteSettingRow[] }) => void;
}

/** `settings` are those of the environment; a value that is refused is logged, and does not count. */
export function createLiveSettings(settings: Settings, logger: Pick<Logger, 'info' | 'warn'>): LiveSettings {
  let current = settings;
  let known: readonly SiteSettingRow[] = [];
  return {
    now: () => current,
    having: (site) => withSite(settings, site).settings,
    take({ siteSettings }) {
      // Not by revision: a restored database may come to the same one with other values.
      if (isDeepStrictEqual(siteSettings, known)) return;
      known = siteSettings;
      const { settings: inForce, refused } = withSite(settings, siteSettings);
      current = inForce;
      logger.info({ revision: newestOf(siteSettings) }, 'settings of the site are in force');
      for (const { problem } of refused)
        logger.warn({ problem: inEnglish(problem) }, 'a stored setting of the site does not count');
    },
  };
}

/** Made on first use, and again after settings have changed. */
export function perSettings<T>({ now }: Pick<LiveSettings, 'now'>, make: (settings: Settings) => T): () => T {
  let made: { readonly from: Settings; readonly value: T } | undefined;
  return () => {
    const settings = now();
    if (made?.from !== settings) made = { from: settings, value: make(settings) };
    return made.value;
  };
}
