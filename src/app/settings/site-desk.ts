/** The table of settings for those who change settings of the site. */
import type { SettingRow, SiteDesk, SiteMistake } from '../../operator/acts/site-desk.ts';
import { Wrong } from '../../domain/wrong.ts';
import type { SiteSettingChange, SiteSettingRow } from '../../storage/site/store.ts';
import { findLogoProblem, LOGO_BYTES_MAX, logoOfBytes, packLogo } from './logo.ts';
import { SETTING_ROWS, SITE_ROWS } from './settings-table.ts';
import type { Settings } from './settings.ts';
import { presentSettings } from './shown-settings.ts';
import { withSite } from './site-settings.ts';

const SITE_BY_NAME = new Map(SITE_ROWS.map(([key, entry]) => [entry.name, { key, entry }]));
const NAMES = new Set(SETTING_ROWS.map(([, { name }]) => name));

/** Decodes a PNG and encodes it again: see `app/service/pictures/picture-process.ts`. */
export type RemakePng = (bytes: Uint8Array) => Promise<Uint8Array | Wrong>;

/** All settings as they are in force with these stored rows; `settings` are those of the environment. */
export function listSettings(settings: Settings, stored: readonly SiteSettingRow[]): readonly SettingRow[] {
  return presentSettings(withSite(settings, stored).settings);
}

/** `settings` are those of the environment. */
export function makeSiteDesk(settings: Settings, remakePng: RemakePng): SiteDesk {
  return {
    list: (stored) => listSettings(settings, stored),
    check(stored, changes) {
      const closed = changes.flatMap((change) => findClosed(settings, change) ?? []);
      if (closed.length > 0) return closed;
      const others = stored.filter((row) => changes.every(({ name }) => name !== row.name));
      const before = new Set(withSite(settings, stored).refused.map(({ name }) => name));
      const isOfChange = ({ name }: SiteMistake): boolean =>
        !before.has(name) || changes.some((change) => change.name === name);
      return withSite(settings, [...others, ...changes]).refused.filter(isOfChange);
    },
    isFile: (name) => SITE_BY_NAME.get(name)?.entry.ofSite === 'file',
    async packFile(bytes) {
      const logo = logoOfBytes(bytes);
      const problem = findLogoProblem(logo);
      if (problem !== undefined) return logo.kind === 'png' ? problem : NO_LOGO;
      if (logo.kind === 'svg') return packLogo(logo);
      const made = await remakePng(bytes);
      return made instanceof Wrong
        ? made
        : (findLogoProblem({ ...logo, bytes: made }) ?? packLogo({ ...logo, bytes: made }));
    },
  };
}

const NO_LOGO = new Wrong('notSmallLogo', { max: LOGO_BYTES_MAX / 1024 });

/** A setting that can't be changed here. */
function findClosed({ given }: Settings, { name }: SiteSettingChange): SiteMistake | undefined {
  const found = SITE_BY_NAME.get(name);
  const refused = (reason: Wrong): SiteMistake => ({
    name,
    reason,
    problem: new Wrong('ofSetting', { name, wrong: reason }),
  });
  if (found === undefined)
    return refused(
      NAMES.has(name)
        ? new Wrong('notOfSite')
        : new Wrong('noSetting', { names: [...SITE_BY_NAME.keys()].join(', ') }),
    );
  return given.has(found.key) ? refused(new Wrong('setInEnvironment')) : undefined;
}
