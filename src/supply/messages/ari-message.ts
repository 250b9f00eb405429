/**
 * The body of `POST /supply/v1/ari`: availability, rates and restrictions in the style of Channex, as a PMS sends them
 * or as Channex does to a channel, under the sending system's names. Read in two steps: the first collects the names, the second places the values by their mappings.
 */
import { Wrong } from '../../domain/wrong.ts';
import type { CalendarEntry } from '../../domain/calendar.ts';
import type { FoundMapping } from '../../storage/supply/store.ts';
import {
  type Fields,
  Findings,
  type JsonObject,
  notGiven,
  shown,
} from '../../domain/document/document-fields.ts';
import { ARI_FIELDS, fieldsOfValue, readAriValue } from './ari-value.ts';
import { changingFieldsOf, isChangingField } from './changing-fields.ts';
import type { ReadMessage } from './calendar-message.ts';
import { EntryGroups, keepEntries, MessageErrors, readItems, toPointer } from './message-body.ts';
import { EXTERNAL_KEY_LENGTH_MAX, MESSAGE_ENTRIES_MAX } from './message-limits.ts';

/** Characters shown of the name of an ignored field. */
const SHOWN_NAME_LENGTH_MAX = 60;
/** Code of the warning about a name without a mapping. */
export const UNMAPPED_CODE = 'SUPPLY_MAPPING_UNKNOWN';

export interface AriValues {
  readonly items: readonly AriItem[];
  /** Each name once. */
  readonly externalKeys: readonly string[];
  readonly errors: MessageErrors;
  readonly kept: string | undefined;
}

interface AriItem {
  readonly value: unknown;
  /** Where it stands in the body, as a path of fields. */
  readonly path: string;
  /** Whether its room type counts where its rate plan has no mapping: plans have rates, rooms have units. */
  readonly isOfRoom: boolean;
}

/** Collects the names that the values use. Never throws, whatever the bytes are. */
export function readAriValues(body: Uint8Array): AriValues {
  const errors = new MessageErrors();
  const items = readValues(body, errors);
  const externalKeys = new Set<string>();
  for (const { value, isOfRoom } of items) {
    const findings = new Findings();
    const keys = readKeys(fieldsOfValue(value, '', findings), isOfRoom);
    if (findings.first === undefined) for (const { externalKey } of keys) externalKeys.add(externalKey);
  }
  const kept = keepEntries(items.map(({ value }) => value));
  return { items, externalKeys: [...externalKeys], errors, kept };
}

/**
 * Reads all values and places them by their mappings. Faulty values are reported and left out; a name without a mapping
 * is a warning. Only the mapping tells the currency, and so how many decimals a rate has.
 */
export function mapAriValues(
  { items, errors, kept }: AriValues,
  places: readonly FoundMapping[],
): ReadMessage & { readonly unmappedCount: number; readonly pointers: readonly string[] } {
  const warnings = new MessageErrors();
  const placeByKey = new Map(places.map((place) => [place.externalKey, place]));
  const groups = new EntryGroups();
  // One list for the whole message, so that the limit on entries made from days covers all of them together.
  const entries: CalendarEntry[] = [];
  let unmappedCount = 0;
  for (const [position, { value, path, isOfRoom }] of items.entries()) {
    const findings = new Findings();
    const fields = fieldsOfValue(value, path, findings);
    const keys = readKeys(fields, isOfRoom);
    const place = keys.map(({ externalKey }) => placeByKey.get(externalKey)).find((one) => one !== undefined);
    const first = entries.length;
    readAriValue(fields, place?.currency ?? null, entries);
    if (errors.addFinding(findings)) {
      entries.length = first;
      continue;
    }
    warnOfOthers(value as object, toPointer(path), warnings);
    warnings.addWarnings(findings.warnings);
    if (place === undefined) {
      unmappedCount++;
      const [{ keyField, externalKey }] = keys;
      const wrong = new Wrong('noMapping', { key: shown(externalKey), command: '"stayport mapping set"' });
      warnings.add(`${toPointer(path)}/${keyField}`, UNMAPPED_CODE, wrong);
    } else groups.add(place.propertyId, place.inventoryTypeId, entries.slice(first), position);
  }
  const pointers = items.map(({ path }) => toPointer(path));
  return {
    ...groups.finish(),
    entryCount: items.length,
    errors,
    warnings,
    kept,
    unmappedCount,
    pointers,
  };
}

/** `{"values":[...]}`, or the message that Channex sends to a channel, with its changes two levels down. */
function readValues(body: Uint8Array, errors: MessageErrors): readonly AriItem[] {
  const items = readItems(body, ['values', 'data'], errors);
  if (items.name === 'values')
    return items.list.map((value, index) => ({ value, path: `values[${index}]`, isOfRoom: false }));
  const changes = items.list.flatMap((notice, index) => changesOf(notice, `data[${index}]`, errors));
  if (changes.length <= MESSAGE_ENTRIES_MAX) return changes;
  errors.add('/data', 'TOO_MANY', new Wrong('changesMany', { max: MESSAGE_ENTRIES_MAX }));
  return [];
}

function changesOf(notice: unknown, path: string, errors: MessageErrors): readonly AriItem[] {
  const attributes = attributesOf(notice);
  const { changes } = attributes as { readonly changes?: unknown };
  const around = { ...changingFieldsOf(notice), ...changingFieldsOf(attributes) };
  const place = `${path}.attributes.changes`;
  if (Array.isArray(changes))
    return changes.map((change: unknown, index) => ({
      value: { ...around, ...changingFieldsOf(change), ...attributesOf(change) },
      path: `${place}[${index}].attributes`,
      isOfRoom: (change as { readonly type?: unknown } | null)?.type === 'availability_changes',
    }));
  errors.add(toPointer(place), 'FIELD_INVALID', notGiven(new Wrong('notList'), changes));
  return [];
}

function attributesOf(item: unknown): JsonObject {
  const { attributes } = (item ?? {}) as { readonly attributes?: unknown };
  return typeof attributes === 'object' && attributes !== null ? (attributes as JsonObject) : {};
}

interface AriKey {
  readonly keyField: string;
  readonly externalKey: string;
}

/** Rates belong to a rate plan, availability to a room type; with both, the plan is the more specific name. */
function readKeys(fields: Fields, isOfRoom: boolean): readonly [AriKey, ...AriKey[]] {
  const given = ['rate_plan_id', 'room_type_id'].filter((keyField) => !fields.isNull(keyField));
  if (given.length === 0) {
    fields.findings.report(
      fields.path('room_type_id'),
      new Wrong('keyOr', { other: 'rate_plan_id' }),
      'FIELD_REQUIRED',
    );
    return [{ keyField: 'room_type_id', externalKey: '' }];
  }
  const keys = given.slice(0, isOfRoom ? 2 : 1).map((keyField) => ({
    keyField,
    externalKey: fields.text(keyField, EXTERNAL_KEY_LENGTH_MAX),
  }));
  return keys as [AriKey, ...AriKey[]];
}

function warnOfOthers(item: object, pointer: string, warnings: MessageErrors): void {
  for (const name of Object.keys(item)) {
    if (ARI_FIELDS.has(name) || isChangingField(name)) continue;
    const shownName =
      name.length <= SHOWN_NAME_LENGTH_MAX ? name : `${name.slice(0, SHOWN_NAME_LENGTH_MAX)}...`;
    warnings.add(
      `${pointer}/${shownName.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      'FIELD_IGNORED',
      new Wrong('fieldIgnored'),
    );
  }
}
