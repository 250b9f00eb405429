/** Who changed what: the rows of `audit`, with the names that a sentence needs. */
import { AUDIT_ROWS_MAX, AUDIT_SINCE_MS, type AuditRow, reportAudit } from '../../../access/audit-trail.ts';
import { parseDuration } from '../../../access/parse-duration.ts';
import { type Locale, textFor } from '../../../domain/property.ts';
import { isAnything, readAsked, withQuery } from '../../reading/paths.ts';
import type { PagePorts, PageQuestion, ShownBy } from '../../reading/console-page.ts';
import { type AuditSubject, subjectOf } from './subject.ts';

export const AUDIT_PATH = '/console/audit';
/** A page under 60 KB. */
export const AUDIT_ROWS_SHOWN_MAX = 40;

const PAGE = /^[1-9]\d{0,2}$/;

export type AuditShown = ShownBy<typeof readAudit>;

const READABLE = {
  since: (text: string) => parseDuration(text) !== undefined,
  person: isAnything,
  act: isAnything,
  on: isAnything,
};
export type AuditFilter = keyof typeof READABLE;

/** `?since=24h`, as the command takes it; `person` and `act` are whole, of `on` a part is enough. */
export async function readAudit({ storage, clock }: PagePorts, { query, isJson, locale }: PageQuestion) {
  const { asked, unread } = readAsked(query, READABLE);
  const sinceMs = clock() - (parseDuration(asked.since ?? '') ?? AUDIT_SINCE_MS);
  const all = await reportAudit(storage, sinceMs, AUDIT_ROWS_MAX);
  const found = all.filter((row) => isWanted(row, asked));
  if (isJson) return { rows: found, unread };
  const page = PAGE.test(query.get('page') ?? '') ? Number(query.get('page')) : 1;
  const start = (page - 1) * AUDIT_ROWS_SHOWN_MAX;
  const rows = found.slice(start, start + AUDIT_ROWS_SHOWN_MAX);
  const hasMore = found.length > start + AUDIT_ROWS_SHOWN_MAX;
  return {
    rows,
    unread,
    asked,
    /** To choose from: who acted, and what they did. */
    people: [...new Set(all.map(({ person }) => person))].toSorted(),
    acts: [...new Set(all.map(({ act }) => act))].toSorted(),
    subjects: await nameSubjects(storage, rows, locale),
    nextPath: hasMore ? withQuery(AUDIT_PATH, { ...asked, page: String(page + 1) }) : undefined,
  };
}

function isWanted(
  row: AuditRow,
  { person, act, on }: Readonly<Partial<Record<AuditFilter, string>>>,
): boolean {
  return (
    (person === undefined || row.person === person) &&
    (act === undefined || row.act === act) &&
    (on === undefined || row.on.toLowerCase().includes(on.toLowerCase()))
  );
}

/** Row by row; names are those of today, and absent where the property is gone. */
async function nameSubjects(
  storage: Pick<PagePorts['storage'], 'findProperty'>,
  rows: readonly AuditRow[],
  locale: Locale,
): Promise<readonly (AuditSubject & { readonly name?: string | undefined })[]> {
  const subjects = rows.map(subjectOf);
  const ids = new Set(subjects.map(({ propertyId }) => propertyId).filter((id) => id !== undefined));
  const stored = await Promise.all([...ids].map((id) => storage.findProperty(id)));
  const known = new Map(
    stored.filter((one) => one !== undefined).map(({ property }) => [property.propertyId, property]),
  );
  return subjects.map((subject) => {
    const property = known.get(subject.propertyId ?? '');
    if (property === undefined) return subject;
    const { inventoryTypeId } = subject;
    const type = property.inventoryTypes.find((one) => one.inventoryTypeId === inventoryTypeId);
    const names = [property.name, ...(type === undefined ? [] : [type.name])];
    return { ...subject, name: names.map((name) => textFor(name, locale)).join(', ') };
  });
}
