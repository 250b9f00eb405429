/**
 * Reads the JSON of an answer. Numbers keep the digits that they are written with, because money is computed from
 * these, and never as a double.
 */
import type { EpochDay } from '../../../domain/local-date.ts';
import { parseLocalDate } from '../../../domain/local-date.ts';
import { type Decimal, MONEY_INTEGER_DIGITS_MAX, roundHalfUp } from '../../../domain/money.ts';
import { Wrong } from '../../../domain/wrong.ts';
import { readJsonText } from '../../native/json-text.ts';
import { ConnectionFailure, type Room } from './connection-kind.ts';

/** A number as it is written. */
export class Numeral {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type JsonValue = null | boolean | string | Numeral | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: JsonValue | undefined;
}

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

const keepDigits: Reviver = (_key, value, { source }) =>
  typeof value === 'number' ? new Numeral(source!) : value;

/** Undefined for what is not JSON, is nested too deeply, or has a key twice: of two prices, none is right. */
export function parseAnswer(text: string): JsonValue | undefined {
  const read = readJsonText(text);
  if (!read.ok) return undefined;
  return JSON.parse(text, keepDigits as (key: string, value: unknown) => unknown) as JsonValue;
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !isList(value) && !(value instanceof Numeral);
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** An object of PHP, which writes one without members as `[]`. */
export function phpObject(value: JsonValue | undefined): JsonObject | undefined {
  if (isList(value) && value.length === 0) return {};
  return isObject(value) ? value : undefined;
}

/** Null and an absent value: nothing is said. */
export function isUnsaid(value: JsonValue | undefined): value is null | undefined {
  return value === null || value === undefined;
}

const ID = /^(?:0|[1-9]\d{0,14})$/;

/** An id as a text, whether it is written as a number or as a text. */
export function readId(value: JsonValue | undefined): string | undefined {
  const text = value instanceof Numeral ? value.text : value;
  return typeof text === 'string' && ID.test(text) ? text : undefined;
}

export function readInteger(value: JsonValue | undefined): number | undefined {
  const number = value instanceof Numeral ? Number(value.text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

/** An empty text counts as none. */
export function readText(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

const NAME_LENGTH_MAX = 200;

/** A name for people, cut where it is long. */
export function readName(value: JsonValue | undefined): string | undefined {
  return readText(value)?.slice(0, NAME_LENGTH_MAX);
}

export function readDate(value: JsonValue | undefined): EpochDay | undefined {
  return typeof value === 'string' ? parseLocalDate(value) : undefined;
}

/** Bounds the work for a number of a million digits. */
const DECIMAL = /^(\d{1,30})(?:\.(\d{1,30}))?(?:[eE]([+-]?\d{1,2}))?$/;

/** Exactly; undefined for a negative number, and for what is not a number. */
export function readDecimal(value: JsonValue | undefined): Decimal | undefined {
  return value instanceof Numeral ? decimalOf(value.text) : undefined;
}

/** `1.25e1` is 125 / 10. */
export function decimalOf(text: string): Decimal | undefined {
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const [, whole, fraction = '', exponent = '0'] = match;
  const digits = BigInt(`${whole}${fraction}`);
  const power = Number(exponent) - fraction.length;
  return power >= 0
    ? { numerator: digits * 10n ** BigInt(power), denominator: 1n }
    : { numerator: digits, denominator: 10n ** BigInt(-power) };
}

const MINOR_MAX = 10n ** BigInt(MONEY_INTEGER_DIGITS_MAX + 2) - 1n;

/** Hundredths, half up to the cent; undefined where nothing is left to pay, and above what is stored. */
export function toMinor({ numerator, denominator }: Decimal): number | undefined {
  const minor = roundHalfUp(numerator * 100n, denominator);
  return minor > 0n && minor <= MINOR_MAX ? Number(minor) : undefined;
}

/** Hundredths, half up to the cent; undefined for 0, null, a text, and a negative amount: none of them is a price. */
export function readMoney(value: JsonValue | undefined): number | undefined {
  const decimal = readDecimal(value);
  return decimal === undefined ? undefined : toMinor(decimal);
}

/** The failure of an answer that lacks a field which it always has. */
export function lacking(system: string, field: string): ConnectionFailure {
  return new ConnectionFailure(new Wrong('answerLacks', { system, field }));
}

/** Rooms of an account: all of them are stored, and listed in pages. */
export const ROOMS_MAX = 5_000;

/** The failure of an account with more rooms than that; some of them would be none. */
export function checkRoomCount(system: string, count: number): void {
  if (count > ROOMS_MAX) throw new ConnectionFailure(new Wrong('answerRooms', { system, max: ROOMS_MAX }));
}

/** So many rooms are named in one call: more would make its address too long. */
export const ROOMS_AT_ONCE_MAX = 100;

export function* roomsAtOnce(rooms: readonly Room[]): Generator<readonly Room[]> {
  for (let first = 0; first < rooms.length; first += ROOMS_AT_ONCE_MAX)
    yield rooms.slice(first, first + ROOMS_AT_ONCE_MAX);
}
