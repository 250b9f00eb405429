/**
 * The body of `POST /supply/v1/ari`: availability, rates and restrictions in the style of Channex, by the names that
 * the sending system uses. Read in two steps: the first finds out which names there are, the second needs to know
 * where they lead.
 */
import type { CalendarEntry } from '../../domain/calendar.ts';
import type { MappedPlace } from '../../storage/supply/store.ts';
import { type Fields, Findings, shown } from '../../domain/document/document-fields.ts';
import { ARI_FIELDS, fieldsOfValue, readAriValue } from './ari-value.ts';
import type { ReadMessage } from './calendar-message.ts';
import { EntryGroups, keepEntries, MessageErrors, readItems } from './message-body.ts';
import { EXTERNAL_KEY_LENGTH_MAX } from './message-limits.ts';

/** Of the name of a field that is left out. */
const SHOWN_NAME_LENGTH_MAX = 60;
/** Of a name without a mapping. */
export const UNMAPPED_CODE = 'SUPPLY_MAPPING_UNKNOWN';

export interface AriValues {
  readonly items: readonly unknown[];
  /** Each name once. */
  readonly externalKeys: readonly string[];
  readonly errors: MessageErrors;
  readonly kept: string | undefined;
}

/** Reads which names the values have. Never throws, whatever the bytes are. */
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
 * Reads all values and puts them where their names lead; those that are wrong are named and left out, and a name that
 * has no mapping is a warning. Only here it is known how many digits the minor units of a rate have.
 */
export function mapAriValues(
  { items, errors, kept }: AriValues,
  places: readonly MappedPlace[],
): ReadMessage & { readonly unmappedCount: number } {
  const warnings = new MessageErrors();
  const placeByKey = new Map(places.map((place) => [place.externalKey, place]));
  const groups = new EntryGroups();
  // One list for the whole message: the bound on what days make of entries holds for all of them together.
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
    const shownName =
      name.length <= SHOWN_NAME_LENGTH_MAX ? name : `${name.slice(0, SHOWN_NAME_LENGTH_MAX)}...`;
    warnings.add(
      `/values/${position}/${shownName.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      'FIELD_IGNORED',
      'This field has no meaning here and was left out.',
    );
  }
}
