/** What people do from the pages of properties and supply: close and open nights, accept a calendar. */
import { acceptAct } from '../acts/ical-acts.ts';
import { closeAct, openAct } from '../acts/nights-acts.ts';
import { decodeCalendar } from '../domain/calendar-codec.ts';
import { MANUAL_SOURCE } from '../domain/layers.ts';
import type { NightRuns } from '../domain/night-runs.ts';
import { ID_PATTERN } from '../domain/property.ts';
import type { LayeredStored } from '../storage/supply/store.ts';
import { parseLocalDate } from '../domain/local-date.ts';
import { type Acted, type ActPorts, type ActQuestion, refused } from './console-page.ts';
import { closedManually, nightsIn, nightsRow } from './property.ts';

export type NightsAction = 'close' | 'open';

/** What was done just now, for the page that follows. */
export type Done = NonNullable<ReturnType<typeof readDone>>;

/** As `close` and `open`: fields `type` (none: all types), `from` and `to`, both nights included. */
export function changeNights(action: NightsAction) {
  return async (ports: ActPorts, { segments, form }: ActQuestion): Acted => {
    const propertyId = segments['propertyId'] ?? '';
    const layered = await ports.storage.findLayers(propertyId);
    if (layered === undefined) return undefined;
    const type = form.get('type') ?? '';
    const all = layered.stored.property.inventoryTypes.map((one) => one.inventoryTypeId);
    const inventoryTypeIds = type === '' ? all : [type];
    if (type !== '' && !all.includes(type))
      return refused(`The property ${propertyId} has no such room type; it has ${all.join(', ')}.`);
    const nights = readNights(form);
    if (typeof nights === 'string') return refused(nights);
    const { from, to } = nights;
    const asked = [{ from, until: to + 1, value: 1 }];
    /** The asked nights that the action changes in the manual layer. */
    const stretches = inventoryTypeIds.map((id) =>
      nightsIn(asked, closedManually(layered, id), action === 'open', from),
    );
    const changed = await (action === 'close' ? closeAct : openAct).run(ports.acts, {
      propertyId,
      inventoryTypeId: type === '' ? undefined : type,
      dateFrom: from,
      dateTo: to,
      dryRun: undefined,
    });
    if (!changed.ok) return refused(changed.problem);
    const isChanged = stretches.flat().length > 0;
    const others = action === 'open' ? otherClosers(layered, inventoryTypeIds, asked) : [];
    // The one stretch that all types have.
    const isCommon = new Set(stretches.map((own) => JSON.stringify(own))).size === 1;
    const [first, ...further] = stretches[0] ?? [];
    const { dateFrom = '', dateTo = '' } = (isCommon && further.length === 0 && first) || {};
    const by = others.length > 0 ? { by: others.join(',') } : {};
    const done = { did: action, type, from: dateFrom, to: dateTo, changed: isChanged ? '1' : '0', ...by };
    return { kind: 'done', query: done, recorded: { changed: isChanged } };
  };
}

const CLOSERS_NAMED_MAX = 5;

/** Sources that keep one of the nights closed, whatever a person opens. */
function otherClosers({ layers }: LayeredStored, types: readonly string[], asked: NightRuns): string[] {
  const closing = layers.filter(({ source, inventoryTypeId, nights, rates }) => {
    if (source === MANUAL_SOURCE || !types.includes(inventoryTypeId)) return false;
    const closed = decodeCalendar(nights, rates).stopSell.filter(({ value }) => value === 1);
    return nightsIn(asked, closed, true, asked[0]!.from).length > 0;
  });
  return [...new Set(closing.map(({ source }) => source))].slice(0, CLOSERS_NAMED_MAX);
}

/** As `ical accept`: field `feedId`. */
export async function acceptFeed({ acts }: ActPorts, { form }: ActQuestion): Acted {
  const feedId = form.get('feedId') ?? '';
  if (feedId !== storable(feedId) || (await acts.storage.findFeed(feedId)) === undefined) return undefined;
  const accepted = await acceptAct.run(acts, { feedId });
  if (!accepted.ok)
    return refused(`${accepted.problem.charAt(0).toUpperCase()}${accepted.problem.slice(1)}.`);
  return { kind: 'done', recorded: { outcome: accepted.value.outcome } };
}

/** For the audit trail: `hotel-ponte double 2027-12-24 2027-12-26`, or the id of the feed. */
export function subjectOf({ segments, form }: ActQuestion): string {
  const parts = ['type', 'from', 'to', 'feedId'].map((name) => form.get(name));
  return storable([segments['propertyId'], ...parts].filter(Boolean).join(' '));
}

/** Characters: longer than any id with two dates. */
const SUBJECT_LENGTH_MAX = 400;

/** What anybody typed, as every database keeps it. */
function storable(text: string): string {
  return text.slice(0, SUBJECT_LENGTH_MAX).toWellFormed().replaceAll('\0', '');
}

function readNights(form: URLSearchParams) {
  const from = parseLocalDate(form.get('from') ?? '');
  const to = parseLocalDate(form.get('to') ?? '');
  if (from === undefined || to === undefined)
    return 'The first and the last night must be dates such as 2027-12-24.';
  return to < from ? 'The last night must not be before the first: both are included.' : { from, to };
}

/** Of the page that an act leads to; undefined on every other one. It only words a note: the form decides again. */
export function readDone(query: URLSearchParams) {
  const did = query.get('did');
  if (did !== 'close' && did !== 'open') return undefined;
  const action: NightsAction = did;
  const nights = readNights(query);
  return {
    /** An empty type: all. */
    action,
    type: query.get('type') ?? '',
    isChanged: query.get('changed') === '1',
    /** Sources that keep some of these nights closed. */
    stillClosedBy: (query.get('by') ?? '')
      .split(',')
      .filter((source) => ID_PATTERN.test(source))
      .slice(0, CLOSERS_NAMED_MAX),
    /** What the opposite act would take back exactly; undefined where nothing changed, or not one stretch of nights. */
    nights: typeof nights === 'string' ? undefined : nightsRow(nights.from, nights.to + 1),
  };
}
