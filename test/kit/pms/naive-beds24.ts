/**
 * The reading of Beds24, said once more: night by night from the account, rule by rule, with nothing shared with the
 * reader. Amounts are whole numbers of millionths.
 */
import type { Beds24Account, Beds24Property, Beds24Range, Beds24Room, Beds24Rule } from './beds24-account.ts';
import type { NaiveNight, NaiveReading } from './naive-smoobu.ts';

export interface NaiveOptions {
  readonly from: string;
  /** Excluded. */
  readonly until: string;
  /** In UTC. */
  readonly today: string;
  readonly offer: number;
  readonly allowed: ReadonlySet<string>;
}

const LONGEST = 60;
const BLACKOUT = 'blackoutPeriod';

/** Undefined where the room's part can't be read. */
export function naiveBeds24(
  account: Beds24Account,
  roomId: number,
  options: NaiveOptions,
): NaiveReading | undefined {
  const property = account.properties.find(({ roomTypes }) => roomTypes.some(({ id }) => id === roomId))!;
  const room = property.roomTypes.find(({ id }) => id === roomId)!;
  const ranges = account.calendars[roomId]!;
  const nights: NaiveNight[] = [];
  const unpriced: Record<string, number> = {};
  const rooms = account.properties.flatMap(({ roomTypes }) => roomTypes);
  const isAhead = rooms.some(({ restrictionStrategy }) => restrictionStrategy !== 'firstNight');
  const maxima = new Map<string, number>();
  for (let date = options.from; date < next(options.until, LONGEST); date = next(date)) {
    const held = ranges.filter(({ from, to }) => from <= date && date <= to);
    if (held.length > 1 && (isAhead || date < options.until)) return undefined;
    maxima.set(date, longest(property, room, held[0], options.offer));
  }
  for (let date = options.from; date < options.until; date = next(date)) {
    const range = at(ranges, date);
    if (range === undefined) continue;
    const set = restrictions(account, property, room, range, date, options);
    Object.assign(set, maxStay([...maxima], date, room));
    const price = prices(account, property, room, range, date, options);
    if (price.used) set['ratesByGuests'] = price.rates;
    nights.push({ date, set });
    if (set['availability'] === 0 || set['stopSell'] === 1) continue;
    for (const reason of price.reasons) {
      const name = price.used ? `${reason}, used` : reason;
      unpriced[name] = (unpriced[name] ?? 0) + 1;
    }
  }
  return { nights, unpriced };
}

function at(ranges: readonly Beds24Range[], date: string): Beds24Range | undefined {
  return ranges.find(({ from, to }) => from <= date && date <= to);
}

function next(date: string, days = 1): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The rules that everybody who books the chosen offer directly gets. */
function counting(property: Beds24Property, room: Beds24Room, chosen: number): Beds24Rule[] {
  const offers = (property.offerType === 'perProperty' ? property.offers : room.offers) ?? [];
  const offer = offers.find(({ offerId }) => offerId === chosen);
  if (offer === undefined || !['always', 'onlyIfAvailable'].includes(offer.enable)) return [];
  return (room.priceRules ?? []).filter(
    (rule) =>
      rule.bookingPage?.direct === true && (rule.agentCodes ?? []).length === 0 && rule.offer === chosen,
  );
}

function restrictions(
  account: Beds24Account,
  property: Beds24Property,
  room: Beds24Room,
  range: Beds24Range,
  date: string,
  { today, offer }: NaiveOptions,
): Record<string, unknown> {
  const set: Record<string, unknown> = {};
  const rules = property.bookingRules ?? {};
  const override = range.override ?? 'none';
  const chosen = counting(property, room, offer);
  const only = chosen.length === 1 ? chosen[0]! : undefined;

  // Units.
  const explained = override === 'noCheckIn' || override === 'noCheckInOrCheckOut';
  let begins = account.availability[room.id]?.[date];
  if (begins === undefined)
    begins = (range.numAvail ?? 0) > 0 && (override === 'none' || override === 'noCheckOut');
  set['availability'] =
    begins === true || (begins === false && explained) ? Math.max(0, range.numAvail ?? 0) : 0;

  // Stopped.
  const exceptional = rules.bookingExceptionalType;
  const exceptionCloses =
    exceptional === undefined || exceptional === BLACKOUT || !/^(auto|req|conf)/.test(exceptional);
  let stops = rules.bookingType === BLACKOUT;
  if (override === 'blackout') stops = true;
  else if (override === 'exception') stops ||= exceptionCloses;
  else if (!['none', 'noCheckIn', 'noCheckOut', 'noCheckInOrCheckOut'].includes(override)) stops = true;
  const start = rules.bookingExceptionalTypeStart;
  const end = rules.bookingExceptionalTypeEnd;
  const inPeriod = (start ?? '') <= date && date <= (end ?? '9999-12-31');
  if ((start !== undefined || end !== undefined) && inPeriod && exceptionCloses) stops = true;
  if (stops) set['stopSell'] = 1;

  // Check-in and check-out.
  let noArrival = explained;
  const near = rules.bookingNearTypeDays;
  if (near !== null && near !== undefined && rules.bookingNearType === BLACKOUT)
    if (date <= next(today, near + 1)) noArrival = true;
  const least = only?.minDaysUntilCheckin ?? 0;
  if (least > 0 && date < next(today, least + 1)) noArrival = true;
  const most = only?.maxDaysUntilCheckin ?? 999;
  if (most < 999 && date > next(today, most - 1)) noArrival = true;
  if (noArrival) set['closedToArrival'] = 1;
  if (override === 'noCheckOut' || override === 'noCheckInOrCheckOut') set['closedToDeparture'] = 1;

  // Lengths.
  const offers = (property.offerType === 'perProperty' ? property.offers : room.offers) ?? [];
  const sold = offers.find(({ offerId, enable }) => offerId === offer && /^(always|onlyIf)/.test(enable));
  const own = sold?.minimumStay;
  const minima = [range.minStay ?? room.minStay, only?.minimumStay];
  if (own?.type === 'numberOfDays') minima.push(own.numberOfDaysValue);
  const min = Math.max(0, ...minima.map((nights) => nights ?? 0));
  if (min > 0 && room.restrictionStrategy !== 'stayThrough') set['minStayArrival'] = min;
  if (min > 0 && room.restrictionStrategy !== 'firstNight') set['minStayThrough'] = min;
  return set;
}

/** The limit of the night by itself; infinite without one. */
function longest(
  property: Beds24Property,
  room: Beds24Room,
  range: Beds24Range | undefined,
  offer: number,
): number {
  if (range === undefined) return Infinity;
  const chosen = counting(property, room, offer);
  const ofRule = chosen.length === 1 ? chosen[0]!.maximumStay : undefined;
  return Math.min(range.maxStay ?? room.maxStay ?? Infinity, ofRule ?? Infinity);
}

function maxStay(maxima: [string, number][], date: string, room: Beds24Room): { maxStay?: number } {
  const index = maxima.findIndex(([night]) => night === date);
  let max = maxima[index]![1];
  if (room.restrictionStrategy !== 'firstNight') {
    max = LONGEST;
    while (!maxima.slice(index, index + max).every(([, limit]) => limit >= max)) max -= 1;
    if (max === LONGEST) max = Infinity;
  }
  return max < Infinity ? { maxStay: max } : {};
}

interface NaivePrice {
  used: boolean;
  rates: { guests: number; rate: number }[];
  reasons: string[];
}

function prices(
  account: Beds24Account,
  property: Beds24Property,
  room: Beds24Room,
  range: Beds24Range,
  date: string,
  { offer, allowed }: NaiveOptions,
): NaivePrice {
  const rules = counting(property, room, offer);
  const blocked: string[] = [];
  const block = (reason: string, is: boolean, mayAllow = true): void => {
    if (is && !(mayAllow && allowed.has(reason))) blocked.push(reason);
  };
  block('no_capacity', room.maxPeople === undefined, false);
  block('units_by_guest', room.unitAllocation === 'perGuest', false);
  block('booking_page_multiplier', Number(property.bookingPageMultiplier || '1') !== 1);
  block('price_rounding', (property.bookingRules?.priceRounding ?? 'none') !== 'none');
  block('min_price', (room.minPrice ?? 0) !== 0);
  block('block_after_check_out', (room.blockAfterCheckOutDays ?? 0) !== 0);
  block('no_rule', rules.length === 0, false);
  block(
    'fixed_price',
    account.fixedPrices.some(
      (fixed) =>
        fixed.roomId === room.id &&
        fixed.bookingPage?.direct !== false &&
        (fixed.firstNight ?? '') <= date &&
        date <= (fixed.lastNight ?? '9999-12-31'),
    ),
    false,
  );
  block('multiplier', (range.multiplier ?? 1) !== 1);

  const doubts = new Set<string>();
  const lowest = new Map<number, number>();
  for (const rule of rules) {
    const isLinked = (rule.priceLinking?.priceId ?? rule.priceLinking?.roomId ?? null) !== null;
    const price = range[`${isLinked ? 'linkedPrice' : 'price'}${rule.id}`];
    const isUnsaid = typeof price !== 'number' || price < 0;
    if (isUnsaid && !isLinked) continue;
    if (price === 0) continue;
    const conditions =
      (rule.minimumStay ?? 1) > 1 ||
      (rule.maximumStay ?? LONGEST) < LONGEST ||
      (rule.minDaysUntilCheckin ?? 0) > 0 ||
      (rule.maxDaysUntilCheckin ?? 999) < 999;
    if (rules.length > 1 && conditions) doubts.add('conditional_rule');
    else if (isUnsaid) doubts.add('linked_price');
    else if (!['maxCapacity', 'perPerson', 'upToPerson'].includes(rule.priceFor?.type ?? ''))
      doubts.add('price_rule');
    else
      for (let guests = 1; guests <= Math.min(room.maxPeople ?? 0, 30); guests += 1) {
        const millionths = costFor(rule, price, guests);
        if (millionths === undefined) continue;
        const cents = halfUp(millionths * millionth(range.multiplier ?? 1), 10_000_000_000n);
        if (cents > 0) lowest.set(guests, Math.min(cents, lowest.get(guests) ?? Infinity));
      }
  }
  const rates = [...lowest]
    .sort(([one], [other]) => one - other)
    .filter(([guests, rate]) => lowest.get(guests + 1) !== rate)
    .map(([guests, rate]) => ({ guests, rate }));
  if (rates.length > 0 && blocked.length === 0) return { used: true, rates, reasons: [...doubts] };
  const reasons = rates.length > 0 ? blocked : [...blocked, ...doubts];
  return { used: false, rates: [], reasons: reasons.length === 0 ? ['no_price'] : reasons };
}

/** In millionths; undefined where the rule does not sell to so many. */
function costFor({ priceFor, extraPerson }: Beds24Rule, price: number, guests: number): bigint | undefined {
  if (priceFor!.type === 'maxCapacity') return millionth(price);
  if (priceFor!.type === 'perPerson') return millionth(price) * BigInt(guests);
  const upTo = priceFor!.upToPersonValue!;
  if (guests <= upTo) return millionth(price);
  return (extraPerson ?? 0) === 0
    ? undefined
    : millionth(price) + millionth(extraPerson!) * BigInt(guests - upTo);
}

/** A number with up to six decimals, by the digits of its text. */
function millionth(number: number): bigint {
  const [whole = '0', fraction = ''] = String(number).split('.');
  return BigInt(`${whole}${fraction.padEnd(6, '0')}`);
}

function halfUp(numerator: bigint, denominator: bigint): number {
  const rest = numerator % denominator;
  return Number(numerator / denominator) + (rest * 2n >= denominator ? 1 : 0);
}
