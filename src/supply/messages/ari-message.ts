/**
 * The body of `POST /supply/v1/ari`: availability, rates and restrictions in the style of Channex, by the names that
 * the sending system uses. Read in two steps: the first finds out which names there are, the second needs to know
 * where they lead.
 */
import type { CalendarEntry } from '../../domain/calendar.ts';
import type { SupplyMapping } from '../../storage/port/supply-store.ts';
import { type Fields, Findings, shown } from '../native/document-fields.ts';
import { ARI_FIELDS, fieldsOfValue, readAriValue } from './ari-value.ts';
import type { ReadMessage } from './calendar-message.ts';
import { EntryGroups } from './entry-groups.ts';
import { MessageErrors } from './message-errors.ts';
import { EXTERNAL_KEY_LENGTH_MAX } from './message-limits.ts';
import { readItems } from './read-json.ts';

interface KeyedValue {
  readonly externalKey: string;
  readonly keyField: string;
  readonly entries: readonly CalendarEntry[];
  readonly position: number;
}

export interface AriValues {
  readonly values: readonly KeyedValue[];
  /** Each name once. */
  readonly externalKeys: readonly string[];
  readonly valueCount: number;
  readonly errors: MessageErrors;
  readonly warnings: MessageErrors;
}

/** Reads all values; those that are wrong are named and left out. Never throws, whatever the bytes are. */
export function readAriValues(body: Uint8Array): AriValues {
  const errors = new MessageErrors();
  const warnings = new MessageErrors();
  const items = readItems(body, 'values', errors);
  const values: KeyedValue[] = [];
  const entries: CalendarEntry[] = [];
  for (const [position, item] of items.entries()) {
    const findings = new Findings();
    const fields = fieldsOfValue(item, () => `values[${position}]`, findings);
    const { keyField, externalKey } = readKey(fields);
    const first = entries.length;
    readAriValue(fields, entries);
    if (errors.addFinding(findings)) {
      entries.length = first;
      continue;
    }
    warnOfOthers(item as object, position, warnings);
    values.push({ externalKey, keyField, entries: entries.slice(first), position });
  }
  const externalKeys = [...new Set(values.map(({ externalKey }) => externalKey))];
  return { values, externalKeys, valueCount: items.length, errors, warnings };
}

/** Puts the values where their names lead; a name that leads nowhere is a warning, and its value is not applied. */
export function mapAriValues(
  { values, valueCount, errors, warnings }: AriValues,
  mappings: readonly SupplyMapping[],
): ReadMessage & { readonly unmappedCount: number } {
  const places = new Map(mappings.map((mapping) => [mapping.externalKey, mapping]));
  const groups = new EntryGroups();
  let unmappedCount = 0;
  for (const { externalKey, keyField, entries, position } of values) {
    const place = places.get(externalKey);
    if (place === undefined) {
      unmappedCount++;
      const detail = `${shown(externalKey)} leads to no inventory type; run "stayport mapping set" for it.`;
      warnings.add(`/values/${position}/${keyField}`, 'SUPPLY_MAPPING_UNKNOWN', detail);
    } else groups.add(place.propertyId, place.inventoryTypeId, entries, position);
  }
  return { ...groups.finish(), entryCount: valueCount, errors, warnings, unmappedCount };
}

/** Rates belong to a rate plan, availability to a room type; the plan is the closer name where both are given. */
function readKey(fields: Fields): { readonly keyField: string; readonly externalKey: string } {
  const keyField = fields.isNull('rate_plan_id') ? 'room_type_id' : 'rate_plan_id';
  if (fields.isNull(keyField)) {
    fields.findings.report(fields.path(keyField), 'is required, or rate_plan_id', 'FIELD_REQUIRED');
  }
  return { keyField, externalKey: fields.text(keyField, EXTERNAL_KEY_LENGTH_MAX) };
}

function warnOfOthers(item: object, position: number, warnings: MessageErrors): void {
  for (const name of Object.keys(item)) {
    if (ARI_FIELDS.has(name)) continue;
    warnings.add(
      `/values/${position}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      'FIELD_IGNORED',
      'This field has no meaning here and was left out.',
    );
  }
}
