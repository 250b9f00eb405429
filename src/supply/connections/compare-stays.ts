/**
 * Asks the provider for some stays and prices the same ones here: the operator's own account shows whether the reading
 * is right. A stay that is open here and closed there is the worst, and stands first.
 */
import { decodeCalendar } from '../../domain/calendar-codec.ts';
import type { Calendar } from '../../domain/calendar.ts';
import {
  type EligibilityRule,
  explainEligibility,
  makeOfferedNights,
  type OfferedNights,
} from '../../domain/eligibility.ts';
import { calendarOfLayer } from '../../domain/ledger/message.ts';
import { type EpochDay, formatLocalDate, localToday } from '../../domain/local-date.ts';
import { formatMoney } from '../../domain/money.ts';
import { done, type Outcome, refuse } from '../../domain/outcome.ts';
import { chooseDiscounts, priceStay, type StayPrice } from '../../domain/pricing.ts';
import { typesOf } from '../../domain/property.ts';
import { Wrong } from '../../domain/wrong.ts';
import type { ConnectedRoom, Connection } from '../../storage/connections/store.ts';
import type { LayeredStored } from '../../storage/supply/store.ts';
import { onAccount } from './connection-changes.ts';
import { type AccountTurn, type ConnectionDeps, withAccount } from './connection-deps.ts';
import { ConnectionFailure, type Room, type ProviderStay } from './kinds/connection-kind.ts';
import { setsPrices } from './mapped-rooms.ts';
import { readConnection } from './read-connection.ts';

export const STAYS_MAX = 200;
export const STAYS_USUAL = 20;
const NIGHTS_MAX = 14;
/** Tries to find a stay that is open here, or one that is not. */
const TRIES_MAX = 60;
/** Three of four are open here. */
const OPEN_EVERY = 4;

export interface ComparedStay {
  readonly propertyId: string;
  readonly inventoryTypeId: string;
  readonly checkIn: string;
  readonly checkOut: string;
  readonly guests: number;
  readonly theirs: {
    readonly available: boolean | null;
    readonly reason: string | null;
    readonly price: string | null;
  };
  readonly ours: {
    readonly available: boolean;
    readonly reason: string | null;
    readonly accommodation: string | null;
  };
  /** Their price less our accommodation. */
  readonly difference: string | null;
  readonly explained: readonly Explained[];
  readonly verdict: Verdict;
}

export interface Explained {
  readonly what: 'fee' | 'tax' | 'deposit' | 'discount' | 'source';
  readonly amount: string | null;
}

export const VERDICTS = ['unexplained', 'explained', 'not_comparable', 'equal'] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface CompareOptions {
  readonly stays: number;
  readonly seed: number;
}

/** The worst first. Fails with a result while a stay is unexplained. */
export function compareStays(
  deps: ConnectionDeps,
  name: string,
  options: CompareOptions,
): Promise<Outcome<readonly ComparedStay[]>> {
  return onAccount(deps, name, async (connection, _rooms, turn) => {
    const read = await readConnection(deps, connection, turn);
    const { failureWrong: why, failureCount } = read.connection;
    // A bad room does not keep the others from being compared.
    if (failureCount > 0 && why !== null) return refuse(new Wrong('connectionUnread', { name, why }));
    const now = (await deps.storage.findConnection(name))!;
    const rooms = await deps.storage.listConnectedRooms(name);
    const asked = await chooseStays(deps, rooms, now.rooms, options);
    if (asked.length === 0) return refuse(new Wrong('nothingToCompare', { name }));
    const compared = await askAll(deps, now, turn, asked);
    await deps.storage.saveComparison(name, JSON.stringify({ atMs: deps.clock(), stays: compared }));
    const worst = compared.filter(({ verdict }) => verdict === 'unexplained').length;
    return done(compared, worst === 0 ? undefined : new Wrong('staysUnexplained', { count: worst }));
  });
}

interface StayToCompare {
  readonly connected: ConnectedRoom;
  readonly room: Room;
  readonly layered: LayeredStored;
  readonly checkIn: EpochDay;
  readonly checkOut: EpochDay;
  readonly guests: number;
}

async function chooseStays(
  deps: ConnectionDeps,
  connected: readonly ConnectedRoom[],
  known: readonly Room[],
  { stays, seed }: CompareOptions,
): Promise<StayToCompare[]> {
  const random = randomNumbers(seed);
  const below = (count: number): number => Math.floor(random() * count);
  const places: Omit<StayToCompare, 'checkIn' | 'checkOut' | 'guests'>[] = [];
  for (const one of connected) {
    const room = known.find((listed) => listed.room === one.room);
    const layered = await deps.storage.findLayers(one.propertyId);
    if (room !== undefined && layered !== undefined && typePlace(layered, one) !== -1)
      places.push({ connected: one, room, layered });
  }
  if (places.length === 0) return [];
  const chosen = new Map<string, StayToCompare>();
  for (let count = 0; count < stays; count += 1) {
    const wantsOpen = count % OPEN_EVERY !== OPEN_EVERY - 1;
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const place = places[below(places.length)]!;
      const { property } = place.layered.stored;
      const today = localToday(property.timezone, deps.clock());
      const ours = property.inventoryTypes[typePlace(place.layered, place.connected)]!.guestsMax;
      const nights = 1 + below(Math.min(NIGHTS_MAX, deps.horizonNights - 1));
      const checkIn = today + below(deps.horizonNights - nights);
      const guests = 1 + below(Math.min(ours, place.room.guests ?? ours));
      const stay = { ...place, checkIn, checkOut: checkIn + nights, guests };
      const key = JSON.stringify([place.connected.room, checkIn, nights, guests]);
      if (chosen.has(key) || (judge(deps, stay).rule === undefined) !== wantsOpen) continue;
      chosen.set(key, stay);
      break;
    }
  }
  return [...chosen.values()];
}

function typePlace({ stored }: LayeredStored, { inventoryTypeId }: ConnectedRoom): number {
  return stored.property.inventoryTypes.findIndex((type) => type.inventoryTypeId === inventoryTypeId);
}

/** The first rule that refuses the stay here, and its price if none does. */
function judge(
  deps: ConnectionDeps,
  { layered, connected, checkIn, checkOut, guests }: StayToCompare,
): {
  readonly rule: EligibilityRule | undefined;
  readonly price: StayPrice | undefined;
  readonly isOther: boolean;
} {
  const { property, terms, calendars } = layered.stored;
  const place = typePlace(layered, connected);
  const type = typesOf(property)[place]!;
  const stay = { checkIn, checkOut, guests, childAges: [] };
  const offered = makeOfferedNights(localToday(property.timezone, deps.clock()), deps.horizonNights);
  const { nights, rates } = calendars[place]!;
  const calendar = decodeCalendar(nights, rates);
  const rule = firstRule(type, calendar, stay, offered);
  if (rule !== undefined) {
    const own = calendarOfLayer(layered.layers, connected.source, connected.inventoryTypeId);
    return { rule, price: undefined, isOther: firstRule(type, own, stay, offered) === undefined };
  }
  const discount = chooseDiscounts(terms, stay, offered.first)(type.inventoryTypeId);
  const price = priceStay(terms, terms.types[place]!, calendar, stay, discount);
  return { rule, price, isOther: false };
}

function firstRule(
  type: Parameters<typeof explainEligibility>[0],
  calendar: Calendar,
  stay: Parameters<typeof explainEligibility>[2],
  offered: OfferedNights,
): EligibilityRule | undefined {
  return explainEligibility(type, calendar, stay, offered)[0]?.rule;
}

/** One call for each, and one wait for the provider's window; what cannot be asked any more is not comparable. */
async function askAll(
  deps: ConnectionDeps,
  connection: Connection,
  turn: AccountTurn,
  asked: readonly StayToCompare[],
): Promise<ComparedStay[]> {
  const compared = await withAccount(deps, connection, { ...turn, windowWaitsMax: 1 }, async (account) => {
    const all: ComparedStay[] = [];
    let isSpent = false;
    for (const stay of asked) {
      let told: ProviderStay | undefined;
      try {
        if (!isSpent) told = (await account.askStay([stay.room], stay)).get(stay.room.room);
      } catch (error) {
        if (!(error instanceof ConnectionFailure)) throw error;
        isSpent = true;
      }
      all.push(compare(deps, stay, told));
    }
    return all;
  });
  return compared.toSorted((one, other) => VERDICTS.indexOf(one.verdict) - VERDICTS.indexOf(other.verdict));
}

function compare(deps: ConnectionDeps, stay: StayToCompare, told: ProviderStay | undefined): ComparedStay {
  const { connected, checkIn, checkOut, guests } = stay;
  const { propertyId, inventoryTypeId } = connected;
  const { rule, price, isOther } = judge(deps, stay);
  const accommodation = price?.accommodation;
  const theirs = told?.priceMinor ?? undefined;
  const difference = theirs === undefined || accommodation === undefined ? undefined : theirs - accommodation;
  const { verdict, explained } = explain({
    told,
    rule,
    price,
    isOther,
    isPriced: setsPrices(connected),
    difference,
  });
  return {
    propertyId,
    inventoryTypeId,
    checkIn: formatLocalDate(checkIn),
    checkOut: formatLocalDate(checkOut),
    guests,
    theirs: {
      available: told?.available ?? null,
      reason: told?.reason ?? null,
      price: theirs === undefined ? null : formatMoney(theirs),
    },
    ours: {
      available: rule === undefined,
      reason: rule ?? null,
      accommodation: accommodation === undefined ? null : formatMoney(accommodation),
    },
    difference: difference === undefined ? null : signed(difference),
    explained,
    verdict,
  };
}

interface Compared {
  readonly told: ProviderStay | undefined;
  readonly rule: EligibilityRule | undefined;
  readonly price: StayPrice | undefined;
  readonly isOther: boolean;
  readonly isPriced: boolean;
  readonly difference: number | undefined;
}

function explain({
  told,
  rule,
  price,
  isOther,
  isPriced,
  difference,
}: Compared): Pick<ComparedStay, 'verdict' | 'explained'> {
  if (told === undefined) return { verdict: 'not_comparable', explained: [] };
  const isOpen = rule === undefined;
  if (isOpen && !told.available) return { verdict: 'unexplained', explained: [] };
  if (!isOpen && told.available)
    return isOther
      ? { verdict: 'explained', explained: [{ what: 'source', amount: null }] }
      : { verdict: 'unexplained', explained: [] };
  if (!isOpen || (!isPriced && told.available)) return { verdict: 'equal', explained: [] };
  if (difference === undefined) return { verdict: 'not_comparable', explained: [] };
  if (difference === 0) return { verdict: 'equal', explained: [] };
  const lines = findLines(difference, [...linesOf(told), ...ownLines(price!)]);
  return lines === undefined
    ? { verdict: 'unexplained', explained: [] }
    : { verdict: 'explained', explained: lines };
}

interface Line {
  readonly what: Exclude<Explained['what'], 'source'>;
  readonly amountMinor: number;
}

function linesOf({ lines }: ProviderStay): readonly Line[] {
  return lines.map(({ what, amountMinor }) => ({
    what,
    amountMinor: what === 'discount' ? -amountMinor : amountMinor,
  }));
}

/** The parts of a price beside its nights; our discount is in the accommodation already. */
function ownLines({ cleaningFee, taxLines, discount }: StayPrice): readonly Line[] {
  return [
    ...(cleaningFee > 0 ? [{ what: 'fee' as const, amountMinor: cleaningFee }] : []),
    ...taxLines.map(({ amount }) => ({ what: 'tax' as const, amountMinor: Number(amount) })),
    ...(discount === null ? [] : [{ what: 'discount' as const, amountMinor: discount.amount }]),
  ].filter(({ amountMinor }) => amountMinor !== 0);
}

/** Lines that are looked at in all combinations: 1,024. */
const LINES_MAX = 10;

/** The fewest lines that sum to the difference, to the cent. */
function findLines(difference: number, all: readonly Line[]): readonly Explained[] | undefined {
  const lines = all.slice(0, LINES_MAX);
  let best: readonly Line[] | undefined;
  for (let chosen = 1; chosen < 2 ** lines.length; chosen += 1) {
    const some = lines.filter((_line, place) => (chosen & (1 << place)) !== 0);
    const sum = some.reduce((total, { amountMinor }) => total + amountMinor, 0);
    if (sum === difference && (best === undefined || some.length < best.length)) best = some;
  }
  return best?.map(({ what, amountMinor }) => ({ what, amount: signed(amountMinor) }));
}

function signed(minor: number): string {
  return minor < 0 ? `-${formatMoney(-minor)}` : formatMoney(minor);
}

/** The same numbers for the same seed: mulberry32, by Tommy Ettinger, public domain. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
