/**
 * The body of `POST /supply/v1/ari`: availability, rates and restrictions in the style of Channex, under the sending
 * system's names. Read in two steps: the first collects the names, the second places the values by their mappings.
 */
import type { CalendarEntry } from '../../domain/calendar.ts';
import type { MappedPlace } from '../../storage/supply/store.ts';
import { type Fields, Findings, shown } from '../../domain/document/document-fields.ts';
import { ARI_FIELDS, fieldsOfValue, readAriValue } from './ari-value.ts';
import type { ReadMessage } from './calendar-message.ts';
import { EntryGroups, keepEntries, MessageErrors, readItems } from './message-body.ts';
import { EXTERNAL_KEY_LENGTH_MAX } from './message-limits.ts';

/** Characters shown of the name of an ignored field. */
const SHOWN_NAME_LENGTH_MAX = 60;
/** Code of the warning about a name without a mapping. */
export const UNMAPPED_CODE = 'SUPPLY_MAPPING_UNKNOWN';

export interface AriValues {
  readonly items: readonly unknown[];
  /** Each name once. */
  readonly externalKeys: readonly string[];
  readonly errors: MessageErrors;
  readonly kept: string | undefined;
}

/** Collects the names that the values use. Never throws, whatever the bytes are. */
export function readAriValues(body: Uint8Array): AriValues {
  const errors = new MessageErrors();
  const items = readItems(body, 'values', errors);
  const externalKeys = new Set<string>();
  for (const item of items) {
    const findings = new Findings();
    const { externalKey } = readKey(fieldsOfValue(item, '', findings));
    if (findings.first === undefined) externalKeys.add(externalKey);
  }
  return { items, externalKeys: [...externalKeys], errors, kept: keepEntries(items) };
}

/**
 * Reads all values and places them by their mappings. Faulty values are reported and left out; a name without a mapping
 * is a warning. Only the mapping tells the currency, and so how many decimals a rate has.
 */
export function mapAriValues(
  { items, errors, kept }: AriValues,
  places: readonly MappedPlace[],
): ReadMessage & { readonly unmappedCount: number } {
  const warnings = new MessageErrors();
  const placeByKey = new Map(places.map((place) => [place.externalKey, place]));
  const groups = new EntryGroups();
  // One list for the whole message, so that the limit on entries made from days covers all of them together.
  const entries: CalendarEntry[] = [];
  let unmappedCount = 0;
  for (const [position, item] of items.entries()) {
    const findings = new Findings();
    const fields = fieldsOfValue(item, () => `values[${position}]`, findings);
    const { keyField, externalKey } = readKey(fields);
    const place = placeByKey.get(externalKey);
    const first = entries.length;
    readAriValue(fields, place?.currency ?? null, entries);
    if (errors.addFinding(findings)) {
      entries.length = first;
      continue;
    }
    warnOfOthers(item as object, position, warnings);
    if (place === undefined) {
      unmappedCount++;
      const detail = `${shown(externalKey)} has no mapping; add one with "stayport mapping set".`;
      warnings.add(`/values/${position}/${keyField}`, UNMAPPED_CODE, detail);
    } else groups.add(place.propertyId, place.inventoryTypeId, entries.slice(first), position);
  }
  return { ...groups.finish(), entryCount: items.length, errors, warnings, kept, unmappedCount };
}

/** Rates belong to a rate plan, availability to a room type; with both, the plan is the more specific name. */
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
    const shownName =
      name.length <= SHOWN_NAME_LENGTH_MAX ? name : `${name.slice(0, SHOWN_NAME_LENGTH_MAX)}...`;
    warnings.add(
      `/values/${position}/${shownName.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      'FIELD_IGNORED',
      'This field has no meaning here and was left out.',
    );
  }
}
