/** The body of `PATCH /supply/v1/calendars`: entries of native calendars, each with its property and type. */
import { Wrong } from '../../domain/wrong.ts';
import type { CalendarEntry } from '../../domain/calendar.ts';
import { ENTRY_FIELDS, readCalendarEntry } from '../../domain/document/calendar-entry.ts';
import { Fields, Findings, notGiven } from '../../domain/document/document-fields.ts';
import { ID_PATTERN } from '../../domain/property.ts';
import {
  EntryGroups,
  type GroupedChanges,
  keepEntries,
  MessageErrors,
  type Mistakes,
  readItems,
} from './message-body.ts';

export interface ReadMessage extends GroupedChanges {
  /** Entries of the message, good and bad. */
  readonly entryCount: number;
  readonly errors: Mistakes;
  readonly warnings: Mistakes;
  /** `keepEntries` of what was sent. */
  readonly kept: string | undefined;
}

const MESSAGE_ENTRY_FIELDS: ReadonlySet<string> = new Set([
  'propertyId',
  'inventoryTypeId',
  'currency',
  ...ENTRY_FIELDS,
]);
const CURRENCY = /^[A-Z]{3}$/;

/**
 * Reads all entries; those that are wrong are named and left out. With `replaces`, the message is all that its source
 * says of the nights that it names of a type, from the first to the last. Never throws, whatever the bytes are.
 */
export function readCalendarMessage(body: Uint8Array, { replaces = false } = {}): ReadMessage {
  const errors = new MessageErrors();
  const warnings = new MessageErrors();
  const groups = new EntryGroups();
  const { list: items } = readItems(body, ['entries'], errors);
  // One list for the whole message: the bound on what weekdays make of entries holds for all of them together.
  const entries: CalendarEntry[] = [];
  for (const [position, item] of items.entries()) {
    const findings = new Findings();
    const fields = Fields.of(item, () => `entries[${position}]`, MESSAGE_ENTRY_FIELDS, findings);
    const propertyId = fields.id('propertyId', ID_PATTERN);
    const inventoryTypeId = fields.id('inventoryTypeId', ID_PATTERN);
    const first = entries.length;
    const clears = replaces ? { from: fields.date('dateFrom'), to: fields.date('dateTo') } : undefined;
    readCalendarEntry(fields, entries, { isOfSystem: true });
    const currency = readCurrency(fields);
    if (errors.addFinding(findings)) {
      entries.length = first;
      continue;
    }
    warnings.addWarnings(findings.warnings);
    groups.add(propertyId, inventoryTypeId, entries.slice(first), position, { clears, currency });
  }
  const kept = keepEntries(items);
  return { ...groups.finish(), entryCount: items.length, errors, warnings, kept };
}

/** Undefined if it is absent or null. It changes no night: only the property's own is taken. */
function readCurrency(fields: Fields): string | undefined {
  const currency = fields.isNull('currency') ? null : fields.value('currency');
  if (currency === null) return undefined;
  if (typeof currency === 'string' && CURRENCY.test(currency)) return currency;
  fields.report('currency', notGiven(new Wrong('otherCurrencyForm', { example: 'EUR' }), currency));
  return undefined;
}
