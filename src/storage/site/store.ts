/** The part of the storage port that keeps settings of the site: few rows, read whole. */
import { createHash } from 'node:crypto';
import type { Revision } from '../history/revision.ts';
import { plain, type RowOf, storedRow } from '../portable-sql/stored-row.ts';

export const SITE_SETTING = storedRow({
  /** The name of its environment variable. */
  name: plain<string>(),
  /** As the environment would have it; of a file its bytes, as a data URL. Null: not set here. */
  value: plain<string | null>(),
  revision: plain<Revision>(),
});
export type SiteSettingRow = RowOf<typeof SITE_SETTING>;

export type SiteSettingChange = Pick<SiteSettingRow, 'name' | 'value'>;

export interface SiteSettingsStore {
  /** By name. */
  readSiteSettings(): Promise<readonly SiteSettingRow[]>;
  /**
   * All of them in one transaction. False, and nothing is written: a row was changed since the rows of `basedOn` were
   * read.
   */
  putSiteSettings(changes: readonly SiteSettingChange[], basedOn: Revision): Promise<boolean>;
}

/** The highest revision of the rows; 0 without any. */
export function newestOf(rows: readonly SiteSettingRow[]): Revision {
  return rows.reduce((newest, { revision }) => Math.max(newest, revision), 0);
}

const DATA_URL = /^data:([^;,]*);base64,/;
const HASH_LENGTH = 12;

/** For people and the audit trail: without the bytes of a file, and without passwords of URLs. */
export function formatSiteValue(value: string): string {
  const kind = DATA_URL.exec(value)?.[1];
  if (kind === undefined) return value.replaceAll(/\/\/[^/\s?#]*@/g, '//***@');
  const bytes = Buffer.from(value.slice(value.indexOf(',') + 1), 'base64');
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, HASH_LENGTH);
  return `${kind}, ${bytes.length} bytes, sha256 ${hash}`;
}
