/** The answer of `/booking/checkApartmentAvailability`: which apartments take a stay, at which price, or why not. */
import { isCurrencyCode } from '../../../../domain/currency-codes.ts';
import { Wrong } from '../../../../domain/wrong.ts';
import { ConnectionFailure, type Room, type ProviderStay } from '../connection-kind.ts';
import {
  isList,
  isObject,
  type JsonObject,
  type JsonValue,
  lacking,
  Numeral,
  phpObject,
  readId,
  readMoney,
} from '../read-answer.ts';

/** Codes of a refused stay. */
const REFUSED_STAYS: ReadonlyMap<string, string> = new Map([
  ['400', 'guests'],
  ['401', 'min_stay'],
  ['402', 'arrival_day'],
  ['403', 'lead_time'],
  ['404', 'gap'],
]);
const REFUSED_OTHERWISE = 'other';

/** Symbols of one currency each. `$`, `£` and `kr` are those of several. */
const SYMBOLS: ReadonlyMap<string, string> = new Map([
  ['€', 'EUR'],
  ['zł', 'PLN'],
  ['Kč', 'CZK'],
  ['Ft', 'HUF'],
  ['₺', 'TRY'],
  ['₪', 'ILS'],
  ['₴', 'UAH'],
  ['R$', 'BRL'],
]);

/** By room. An apartment in no list is booked: it is not available, and no reason is said. */
export function readRoomStays(
  system: string,
  answer: JsonObject,
  rooms: readonly Room[],
): ReadonlyMap<string, ProviderStay> {
  const available = readIds(answer['availableApartments']);
  const prices = phpObject(answer['prices'] ?? []);
  const refused = phpObject(answer['errorMessages'] ?? []);
  if (available === undefined) throw lacking(system, 'availableApartments');
  if (prices === undefined) throw lacking(system, 'prices');
  if (refused === undefined) throw lacking(system, 'errorMessages');
  const asked = new Set(rooms.map(({ room }) => room));
  for (const room of [...available, ...Object.keys(prices), ...Object.keys(refused)])
    if (!asked.has(room)) throw new ConnectionFailure(new Wrong('answerUnasked', { system }));
  return new Map(
    rooms.map((room) => [
      room.room,
      Object.hasOwn(refused, room.room)
        ? closed(reasonOf(refused[room.room]))
        : available.has(room.room)
          ? { available: true, reason: null, priceMinor: priceOf(prices[room.room], room), lines: [] }
          : closed(null),
    ]),
  );
}

function readIds(value: JsonValue | undefined): ReadonlySet<string> | undefined {
  if (!isList(value)) return undefined;
  const ids = value.map(readId).filter((id) => id !== undefined);
  return ids.length === value.length ? new Set(ids) : undefined;
}

function closed(reason: string | null): ProviderStay {
  return { available: false, reason, priceMinor: null, lines: [] };
}

function reasonOf(value: JsonValue | undefined): string {
  const code = isObject(value) ? value['errorCode'] : undefined;
  const text = code instanceof Numeral ? code.text : code;
  return (typeof text === 'string' ? REFUSED_STAYS.get(text) : undefined) ?? REFUSED_OTHERWISE;
}

/** Null unless it is certain that the price is in the currency of the apartment. */
function priceOf(value: JsonValue | undefined, { currency }: Room): number | null {
  if (!isObject(value) || currency === null) return null;
  const written = typeof value['currency'] === 'string' ? value['currency'].trim() : '';
  const code = isCurrencyCode(written) ? written : SYMBOLS.get(written);
  return code === currency ? (readMoney(value['price']) ?? null) : null;
}
