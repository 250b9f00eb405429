/** Settings of the site. Followers read them together with access. */
import { assertStorableRow } from '../../domain/storable-text.ts';
import { commit, rollBack } from '../engine/write-result.ts';
import type { Revision } from '../history/revision.ts';
import { concern, type RunnerOf } from '../portable-sql/concern.ts';
import { administrative, change, note, type Program, rows, takeRevision } from '../portable-sql/program.ts';
import {
  formatSiteValue,
  newestOf,
  SITE_SETTING,
  type SiteSettingChange,
  type SiteSettingRow,
  type SiteSettingsStore,
} from './store.ts';

export const SITE_SETTINGS = 'SELECT * FROM site_settings ORDER BY name';

const put = administrative(
  'putSiteSettings',
  function* (changes: readonly SiteSettingChange[], basedOn: Revision) {
    const revision = yield* takeRevision();
    const stored = yield* selectSiteSettings();
    if (newestOf(stored) !== basedOn) return rollBack(false);
    for (const { name, value } of changes) {
      const before = stored.find((row) => row.name === name)?.value ?? null;
      yield* change(
        `INSERT INTO site_settings (${SITE_SETTING.columns}) VALUES (${SITE_SETTING.places})
         ON CONFLICT (name) DO UPDATE SET ${SITE_SETTING.replacements}`,
        SITE_SETTING.values({ name, value, revision }),
      );
      yield* note(name, { value: shown(before) }, { value: shown(value) });
    }
    return commit(true);
  },
);

const WRITES = [put];

export const siteConcern = concern(WRITES, siteStore);

function siteStore({ read, write }: RunnerOf<typeof WRITES>): SiteSettingsStore {
  return {
    readSiteSettings: () => read(selectSiteSettings()),
    async putSiteSettings(changes, basedOn) {
      changes.forEach(assertStorableRow);
      return write(put, changes, basedOn);
    },
  };
}

export function* selectSiteSettings(): Program<SiteSettingRow[]> {
  return (yield* rows<object>(SITE_SETTINGS)).map(SITE_SETTING.read);
}

function shown(value: string | null): string | null {
  return value === null ? null : formatSiteValue(value);
}
