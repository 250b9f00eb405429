/** A release after this one: this checkout with one more migration and one more field of calendars that came with it. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FIELDS, rowOf } from '../../src/domain/calendar-fields.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FIELDS_FILE = join('src', 'domain', 'calendar-fields.ts');
const BEHIND = '} as const satisfies Readonly<Record<string, FieldRow>>;';

/** The row that it adds: a minimum of nights at arrival. */
export const LATER_FIELD = 'minStayFestival';
/** The code of the next field: no release reads it yet. */
export const LATER_FIELD_CODE = Math.max(...FIELDS.map((field) => rowOf(field).code)) + 1;
/** The migration that it brings, as a release does whose field needs no new column. */
const LATER_FIELD_SINCE = 901;
const MIGRATION_FILE = join('src', 'storage', 'engine', 'migrations', `${LATER_FIELD_SINCE}-festivals.sql`);
const ROW = `  ${LATER_FIELD}: {
    code: ${LATER_FIELD_CODE}, since: ${LATER_FIELD_SINCE}, shape: 'nights', combine: 'highest', appliesTo: 'arrival', ariNames: ['min_stay_festival'],
    meaning: 'Minimum nights at a festival.', refusal: 'a festival on {date}', reason: 'min_stay', told: 'MIN_STAY',
  },
`;

export function makeLaterRelease(): { readonly bin: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'stayport-later-'));
  for (const name of ['bin', 'src', 'package.json', 'openapi.json', 'sample'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(
    join(folder, MIGRATION_FILE),
    `-- Nothing to add: processes that know this number read ${LATER_FIELD}.\n`,
  );
  const path = join(folder, FIELDS_FILE);
  const source = readFileSync(path, 'utf8');
  const place = source.indexOf(BEHIND);
  if (place === -1) throw new Error(`${FIELDS_FILE} has no place for another row`);
  writeFileSync(path, source.slice(0, place) + ROW + source.slice(place));
  return {
    bin: join(folder, 'bin', 'stayport'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
