/** The nights of an apartment in an answer of `/api/rates`: `{"2026-12-01": {price, min_length_of_stay, available}}`. */
import type { CalendarEntry, EntryFields } from '../../../../domain/calendar.ts';
import { type EpochDay, parseLocalDate } from '../../../../domain/local-date.ts';
import { Wrong } from '../../../../domain/wrong.ts';
import type { RoomReading } from '../connection-kind.ts';
import {
  isObject,
  isUnsaid,
  type JsonObject,
  type JsonValue,
  Numeral,
  phpObject,
  readInteger,
  readMoney,
} from '../read-answer.ts';

/** Which nights a minimum counts for: Smoobu does not say. */
export const MIN_STAY_READINGS = ['both', 'arrival'] as const;
export type MinStayReading = (typeof MIN_STAY_READINGS)[number];

/** The one reason why an open night has no price. */
export const NO_PRICE = 'no_price';

export interface NightRange {
  readonly from: EpochDay;
  readonly until: EpochDay;
}

/** Other dates than those of the range are left out. */
export function readRoomNights(
  value: JsonValue | undefined,
  { from, until }: NightRange,
  minStay: MinStayReading,
): RoomReading {
  const dates = phpObject(value);
  if (dates === undefined) return { failure: new Wrong('roomUnread') };
  const nights: CalendarEntry[] = [];
  let unpriced = 0;
  for (const [date, said] of Object.entries(dates)) {
    const night = parseLocalDate(date);
    if (night === undefined) return { failure: new Wrong('roomUnread') };
    if (night < from || night >= until) continue;
    const set = readNight(said, minStay);
    nights.push({ from: night, to: night, set });
    if (set.availability === 1 && set.rate === undefined) unpriced += 1;
  }
  nights.sort((one, other) => one.from - other.from);
  return { nights, unpriced: unpriced === 0 ? [] : [{ reason: NO_PRICE, nights: unpriced }] };
}

const CLOSED: EntryFields = { availability: 0 };

function readNight(value: JsonValue | undefined, reading: MinStayReading): EntryFields {
  if (!isObject(value)) return CLOSED;
  const rate = readMoney(value['price']);
  const minStay = readMinStay(value['min_length_of_stay']);
  return {
    availability: isAvailable(value) && minStay !== undefined ? 1 : 0,
    ...(rate === undefined ? undefined : { rate }),
    ...(minStay === undefined || minStay === 0 ? undefined : minimum(minStay, reading)),
  };
}

function isAvailable({ available }: JsonObject): boolean {
  return available === true || (available instanceof Numeral && Number(available.text) === 1);
}

/** 0: no minimum. Undefined: a minimum that cannot be read, which closes the night. */
function readMinStay(value: JsonValue | undefined): number | undefined {
  const nights = isUnsaid(value) ? 0 : readInteger(value);
  return nights !== undefined && nights >= 0 ? nights : undefined;
}

function minimum(nights: number, reading: MinStayReading): EntryFields {
  return reading === 'arrival'
    ? { minStayArrival: nights }
    : { minStayArrival: nights, minStayThrough: nights };
}
