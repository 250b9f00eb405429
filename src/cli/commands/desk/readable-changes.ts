/** Changes of calendars, for people and as JSON. */
import type { EntryFields } from '../../../domain/calendar.ts';
import { formatLocalDate } from '../../../domain/local-date.ts';
import type { NightsDifference } from '../../../supply/desk/calendar-difference.ts';
import type { TypeDifference } from '../../../supply/desk/supply-preview.ts';
import { formatEntry } from '../../../supply/native/format-property-document.ts';

/** Stretches of nights that an answer names; the others are counted. */
const STRETCHES_MAX = 5_000;

export interface PresentedChange {
  readonly propertyId: string;
  readonly inventoryTypeId: string;
  readonly dateFrom: string;
  readonly dateTo: string;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

export interface PresentedChanges {
  readonly changes: readonly PresentedChange[];
  /** Stretches that are not among them. */
  readonly changesLeftOut: number;
}

export function presentChanges(differences: readonly TypeDifference[]): PresentedChanges {
  const changes: PresentedChange[] = [];
  let count = 0;
  for (const { propertyId, inventoryTypeId, nights } of differences) {
    count += nights.length;
    const room = STRETCHES_MAX - changes.length;
    for (const one of nights.slice(0, room)) {
      changes.push({ propertyId, inventoryTypeId, ...presentNights(one) });
    }
  }
  return { changes, changesLeftOut: count - changes.length };
}

function presentNights(
  difference: NightsDifference,
): Omit<PresentedChange, 'propertyId' | 'inventoryTypeId'> {
  const { from, to, before, after } = difference;
  return {
    ...{ dateFrom: formatLocalDate(from), dateTo: formatLocalDate(to) },
    ...{ before: fieldsOf(difference, before), after: fieldsOf(difference, after) },
  };
}

function fieldsOf({ from, to }: NightsDifference, set: EntryFields): Readonly<Record<string, unknown>> {
  const { dateFrom: _from, dateTo: _to, ...fields } = formatEntry({ from, to, set });
  return fields;
}

/**
 * By property, then by inventory type:
 *
 *     hotel-ponte
 *       double  2026-12-24 to 2026-12-26  availability 3 -> 0, rate 120.00 -> 210.00
 */
export function describeChanges({ changes, changesLeftOut }: PresentedChanges): string {
  const lines: string[] = [];
  let property: string | undefined;
  for (const change of changes) {
    if (change.propertyId !== property) lines.push(change.propertyId);
    property = change.propertyId;
    lines.push(`  ${change.inventoryTypeId}  ${describeNights(change)}  ${describeFields(change)}`);
  }
  if (changesLeftOut > 0) lines.push(`and ${changesLeftOut} more stretches of nights`);
  return lines.length === 0 ? 'No night changes for partners.' : lines.join('\n');
}

export function describeNights({ dateFrom, dateTo }: Pick<PresentedChange, 'dateFrom' | 'dateTo'>): string {
  return dateFrom === dateTo ? dateFrom : `${dateFrom} to ${dateTo}`;
}

function describeFields({ before, after }: PresentedChange): string {
  return Object.keys(after)
    .map((field) => `${field} ${describeValue(before[field])} -> ${describeValue(after[field])}`)
    .join(', ');
}

function describeValue(value: unknown): string {
  if (value === null || value === undefined) return 'not set';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
