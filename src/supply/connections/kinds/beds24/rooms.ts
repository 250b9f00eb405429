/** Rooms in the list of properties. */
import { isCountryCode } from '../../../../domain/document/country-codes.ts';
import { isCurrencyCode } from '../../../../domain/currency-codes.ts';
import type { Room } from '../connection-kind.ts';
import {
  isObject,
  type JsonObject,
  type JsonValue,
  lacking,
  Numeral,
  readId,
  readInteger,
  readName,
} from '../read-answer.ts';
import { SYSTEM } from './beds24-calls.ts';
import { isNeutral, objectsOf, readTerms, type RoomTerms } from './room-terms.ts';

/** Hidden on the booking page. */
export function isHidden(property: JsonObject, room: JsonObject): boolean {
  return property['sellPriority'] === null || room['sellPriority'] === null;
}

/** The address and the people of the property are left out. */
export function readRoom(property: JsonObject, roomType: JsonObject): Room {
  const propertyId = readId(property['id']);
  const room = readId(roomType['id']);
  if (propertyId === undefined || room === undefined) throw lacking(SYSTEM, 'id');
  const { currency, country } = property;
  const city = readName(property['city']);
  const terms = readTerms(property, roomType);
  return {
    room,
    name: readName(roomType['name']) ?? room,
    guests: readGuests(roomType, terms),
    currency: typeof currency === 'string' && isCurrencyCode(currency) ? currency : null,
    timezone: null,
    property: {
      id: propertyId,
      name: readName(property['name']) ?? propertyId,
      ...(city === undefined ? undefined : { city }),
      ...(typeof country === 'string' && isCountryCode(country) ? { country } : undefined),
    },
    byHand: namedFees(property, roomType),
    terms,
  };
}

/** Stays are asked for adults. */
function readGuests({ maxAdult }: JsonObject, { guestsMax }: RoomTerms): number | null {
  const adults = readInteger(maxAdult) ?? guestsMax;
  return guestsMax === 0 ? null : Math.min(guestsMax, Math.max(1, adults));
}

/** Obligatory extras, fees and taxes, as Beds24 writes them: `obligatoryCleaning 40 per booking oneTime`. */
function namedFees(property: JsonObject, room: JsonObject): string[] {
  const { bookingRules } = property;
  const upsell = objectsOf(property['upsellItems'])
    .filter(({ type, enable }) => /^obligatory\w{0,20}$/.test(written(type)) && enable !== false)
    .map(
      ({ type, amount, per, period }) =>
        `${written(type)} ${written(amount)} per ${written(per)} ${written(period)}`,
    );
  const fees = ['cleaningFee', 'taxPercentage', 'taxPerson'].map((name) => [name, room[name]] as const);
  const vat = isObject(bookingRules) ? bookingRules['vatRatePercentage'] : undefined;
  return [
    ...upsell,
    ...[...fees, ['vatRatePercentage', vat] as const].flatMap(([name, value]) =>
      isNeutral(value, 0n) ? [] : [`${name} ${written(value)}`],
    ),
  ];
}

const WORD = /^\w{1,30}$/;

function written(value: JsonValue | undefined): string {
  if (value instanceof Numeral) return value.text.slice(0, 20);
  return typeof value === 'string' && WORD.test(value) ? value : '?';
}
