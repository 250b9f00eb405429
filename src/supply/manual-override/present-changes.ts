/** Changes of calendars as JSON, for commands and operator calls. */
import type { EntryFields } from '../../domain/calendar.ts';
import { formatLocalDate } from '../../domain/local-date.ts';
import { formatEntry } from '../native/format-property-document.ts';
import type { NightsDifference } from './calendar-difference.ts';
import type { ClosedNights, NightsChange, NightsChangeOptions } from './change-nights.ts';
import type { TypeDifference } from './supply-preview.ts';

/** Stretches of nights that an answer lists; further ones are only counted. */
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
  /** Number of further stretches. */
  readonly changesLeftOut: number;
}

export function presentChanges(
  differences: readonly TypeDifference[],
  stretchesMax = STRETCHES_MAX,
): PresentedChanges {
  const changes: PresentedChange[] = [];
  let count = 0;
  for (const { propertyId, inventoryTypeId, nights } of differences) {
    count += nights.length;
    const room = stretchesMax - changes.length;
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
    dateFrom: formatLocalDate(from),
    dateTo: formatLocalDate(to),
    before: fieldsOf(difference, before),
    after: fieldsOf(difference, after),
  };
}

function fieldsOf({ from, to }: NightsDifference, set: EntryFields): Readonly<Record<string, unknown>> {
  const { dateFrom: _from, dateTo: _to, ...fields } = formatEntry({ from, to, set });
  return fields;
}

/** The answer of `close` and `open`. */
export function presentNightsChange(
  { action, propertyId, dryRun }: Pick<NightsChangeOptions, 'action' | 'propertyId' | 'dryRun'>,
  { outcome, differences, closedElsewhere }: NightsChange,
) {
  return {
    propertyId,
    action,
    dryRun,
    changed: outcome.changed > 0,
    revision: outcome.revision,
    ...presentChanges(differences),
    closedElsewhere: closedElsewhere.map(presentClosed),
  };
}

export type PresentedClosed = ReturnType<typeof presentClosed>;

function presentClosed({ inventoryTypeId, source, from, to, reason }: ClosedNights) {
  return { inventoryTypeId, source, dateFrom: formatLocalDate(from), dateTo: formatLocalDate(to), reason };
}
