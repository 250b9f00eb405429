/** Acts on the pages of properties and supply: close and open nights, accept a calendar. */
import { calendarOfLayer } from '../../../domain/ledger/message.ts';
import { type AnyField, isPrice } from '../../../domain/calendar-fields.ts';
import { decodeCalendar } from '../../../domain/calendar-codec.ts';
import { MANUAL_SOURCE } from '../../../domain/layers.ts';
import { type EpochDay, parseLocalDate } from '../../../domain/local-date.ts';
import { formatMoney } from '../../../domain/money.ts';
import { type NightRuns, valueAt } from '../../../domain/night-runs.ts';
import { ID_PATTERN, LOCALES, textFor } from '../../../domain/property.ts';
import type { LayeredStored } from '../../../storage/supply/store.ts';
import { findPriceLayer } from '../../../supply/manual-override/price-layer.ts';
import { type ActShown, runForm } from '../../reading/act-forms.ts';
import type { Acted, ActPorts, ActQuestion } from '../../reading/console-page.ts';
import { nightsIn, nightsRow } from '../../reading/night-rows.ts';
import { closedManually } from './read.ts';

export type NightsAction = 'close' | 'open';
type DoneAction = NightsAction | 'nights-save';

/** The act just performed, for the next page. */
export type Done = NonNullable<ReturnType<typeof readDone>>;

/** As `close` and `open`: fields `type` (none: all types), `from` and `to`, both nights included. */
export function changeNights(action: NightsAction) {
  const run = runForm(action);
  return async (ports: ActPorts, question: ActQuestion): Acted<ActShown> => {
    const propertyId = question.segments['propertyId'] ?? '';
    const layered = await ports.storage.findLayers(propertyId);
    if (layered === undefined) return undefined;
    const outcome = await run(ports, question);
    const nights = readNights(question.form);
    if (outcome?.kind !== 'done' || nights === undefined) return outcome;
    const { from, to } = nights;
    const type = question.form.get('type') ?? '';
    const all = layered.stored.property.inventoryTypes.map((one) => one.inventoryTypeId);
    const inventoryTypeIds = type === '' ? all : [type];
    const asked = [{ from, until: to + 1, value: 1 }];
    /** The requested nights that the action changed in the manual layer. */
    const stretches = inventoryTypeIds.map((id) =>
      nightsIn(asked, closedManually(layered, id), action === 'open', from),
    );
    const isChanged = stretches.flat().length > 0;
    const others = action === 'open' ? otherClosers(layered, inventoryTypeIds, asked) : [];
    // One stretch that is the same for all types.
    const isCommon = new Set(stretches.map((own) => JSON.stringify(own))).size === 1;
    const [first, ...further] = stretches[0] ?? [];
    const { dateFrom = '', dateTo = '' } = (isCommon && further.length === 0 && first) || {};
    const by = others.length > 0 ? { by: others.join(',') } : {};
    const done = { did: action, type, from: dateFrom, to: dateTo, changed: isChanged ? '1' : '0', ...by };
    return { ...outcome, query: done };
  };
}

/** For `nights set`: the form's field, the calendar's field, and how to format its value. */
const SET_FIELDS = [
  ['rate', 'rate', (value: number) => formatMoney(value)],
  ['units', 'availability', String],
  ['minStay', 'minStayArrival', String],
] as const;

/** As `nights set`; the answer includes the previous values, so that the act can be undone. */
export async function saveNights(ports: ActPorts, question: ActQuestion): Acted<ActShown> {
  const { segments, form } = question;
  const layered = await ports.storage.findLayers(segments['propertyId'] ?? '');
  if (layered === undefined) return undefined;
  const outcome = await runSet(ports, question);
  const nights = readNights(form);
  if (outcome?.kind !== 'done' || nights === undefined) return outcome;
  const { changed, warnings } = outcome.view as {
    readonly changed: boolean;
    readonly warnings: readonly { readonly code: string }[];
  };
  const type = form.get('type') ?? '';
  const priceLayer = await findPriceLayer(ports, layered, type);
  const layerOf = (field: AnyField): string =>
    isPrice(field) && priceLayer.ok ? priceLayer.value : MANUAL_SOURCE;
  const before = valuesBefore(layered, type, { ...nights, form, layerOf });
  const { dateFrom, dateTo } = nightsRow(nights.from, nights.to + 1);
  const stretch = { from: dateFrom, to: dateTo, ...before, ...(before === undefined && { mixed: '1' }) };
  const isWarned = (wanted: string): boolean => warnings.some(({ code }) => code === wanted);
  const free = isWarned('RATE_ZERO') ? { free: '1' } : {};
  const unsold = isWarned('NO_UNITS') ? { unsold: '1' } : {};
  return {
    ...outcome,
    query: { did: 'nights-save', type, changed: changed ? '1' : '0', ...free, ...unsold, ...stretch },
  };
}

const runSet = runForm('nights-save');

/** The previous values of the sent fields, as typed; undefined if they differ from night to night. */
function valuesBefore(
  { layers }: LayeredStored,
  type: string,
  {
    from,
    to,
    form,
    layerOf,
  }: {
    readonly from: EpochDay;
    readonly to: EpochDay;
    readonly form: URLSearchParams;
    readonly layerOf: (field: AnyField) => string;
  },
): Readonly<Record<string, string>> | undefined {
  const before: Record<string, string> = {};
  for (const [name, field, format] of SET_FIELDS) {
    if ((form.get(name) ?? '').trim() === '') continue;
    const calendar = calendarOfLayer(layers, layerOf(field), type);
    const values = new Set<number | undefined>();
    for (let night = from; night <= to && values.size < 2; night += 1)
      values.add(valueAt(calendar[field], night));
    const [value] = values;
    if (values.size !== 1) return undefined;
    before[name] = value === undefined ? 'none' : format(value);
  }
  return before;
}

const CLOSERS_NAMED_MAX = 5;

/** Sources that keep one of the nights closed despite an opening. */
function otherClosers({ layers }: LayeredStored, types: readonly string[], asked: NightRuns): string[] {
  const closing = layers.filter(({ source, inventoryTypeId, nights, rates }) => {
    if (source === MANUAL_SOURCE || !types.includes(inventoryTypeId)) return false;
    const closed = decodeCalendar(nights, rates).stopSell.filter(({ value }) => value === 1);
    return nightsIn(asked, closed, true, asked[0]!.from).length > 0;
  });
  return [...new Set(closing.map(({ source }) => source))].slice(0, CLOSERS_NAMED_MAX);
}

export async function isProperty({ storage }: ActPorts, { segments }: ActQuestion): Promise<boolean> {
  return (await storage.findLayers(segments['propertyId'] ?? '')) !== undefined;
}

/** The property's name in every language. */
export async function namesOfProperty(
  { storage }: ActPorts,
  { segments }: ActQuestion,
): Promise<readonly string[]> {
  const stored = await storage.findProperty(segments['propertyId'] ?? '');
  return stored === undefined
    ? []
    : [...new Set(LOCALES.map((locale) => textFor(stored.property.name, locale)))];
}

function readNights(form: URLSearchParams) {
  const from = parseLocalDate(form.get('from') ?? '');
  const to = parseLocalDate(form.get('to') ?? '');
  return from === undefined || to === undefined || to < from ? undefined : { from, to };
}

/**
 * Reads the query of the page after an act; undefined for all other pages. It only words a note: the form checks
 * everything again.
 */
export function readDone(query: URLSearchParams) {
  const did = query.get('did');
  if (did !== 'close' && did !== 'open' && did !== 'nights-save') return undefined;
  const action: DoneAction = did;
  const nights = readNights(query);
  return {
    /** An empty type: all. */
    action,
    type: query.get('type') ?? '',
    isChanged: query.get('changed') === '1',
    sellsForNothing: query.get('free') === '1',
    lacksUnits: query.get('unsold') === '1',
    /** The previous values differ from night to night, so that no single act restores them. */
    isMixed: query.get('mixed') === '1',
    /** The previous values of the fields of `nights set`. */
    before: Object.fromEntries(
      SET_FIELDS.map(([name]) => [name, query.get(name) ?? ''] as const).filter(([, text]) => text !== ''),
    ),
    /** Sources that keep some of these nights closed. */
    stillClosedBy: (query.get('by') ?? '')
      .split(',')
      .filter((source) => ID_PATTERN.test(source))
      .slice(0, CLOSERS_NAMED_MAX),
    /** The nights of the act, if they are a single stretch and it changed something. */
    nights: nights && nightsRow(nights.from, nights.to + 1),
  };
}
