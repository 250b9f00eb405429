/**
 * What people type behind an option, turned into values. A wrong one is bad usage (exit code 2): commander prints the
 * option, the value and the reason.
 */
import { InvalidArgumentError } from 'commander';
import { type EpochDay, isTimezone, parseLocalDate } from '../../domain/local-date.ts';
import { findReservedReason, isSourceName, SOURCE_FORM } from '../../domain/layers.ts';
import { CommandFailure } from './failure.ts';
import { parseOrigin } from '../../access/origins.ts';
import { parseDuration, parseInstant } from '../../access/parse-duration.ts';
import { isCountryCode } from '../../domain/document/country-codes.ts';
import { isCurrencyCode } from '../../domain/currency-codes.ts';

/** For options that may be given again and again. */
export function collect<T>(
  parse: (text: string) => T,
): (text: string, before: readonly T[] | undefined) => readonly T[] {
  return (text, before = []) => [...before, parse(text)];
}

export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d{1,15}$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    }
    return value;
  };
}

export function oneOf(choices: readonly string[]): (text: string) => string {
  return (text) => {
    if (!choices.includes(text)) throw new InvalidArgumentError(`It must be one of ${choices.join(', ')}.`);
    return text;
  };
}

export function originUrl(text: string): string {
  const origin = parseOrigin(text);
  if (origin === undefined)
    throw new InvalidArgumentError('It must be an origin such as https://shop.example.');
  return origin;
}

/** Milliseconds. */
export function duration(text: string): number {
  const durationMs = parseDuration(text);
  if (durationMs === undefined)
    throw new InvalidArgumentError('It must be a duration such as 90s, 30m, 24h or 7d.');
  return durationMs;
}

/** Unix milliseconds; a date alone is its midnight in UTC. */
export function instant(text: string): number {
  const instantMs = parseInstant(parseLocalDate(text) === undefined ? text : `${text}T00:00:00Z`);
  if (instantMs === undefined)
    throw new InvalidArgumentError('It must be an instant such as 2027-01-31T00:00:00Z.');
  return instantMs;
}

export function localDate(text: string): EpochDay {
  const day = parseLocalDate(text);
  if (day === undefined) throw new InvalidArgumentError('It must be a date such as 2026-12-01.');
  return day;
}

export function notBlank(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return value;
}

/** A source that anybody may speak for. A reserved one is spelled well and still refused: so the usage is not bad. */
export function sourceName(value: string): string {
  const reserved = findReservedReason(value);
  if (reserved !== undefined) throw new CommandFailure(`--source: ${reserved}`);
  if (!isSourceName(value)) throw new InvalidArgumentError(`It ${SOURCE_FORM}.`);
  return value;
}

export function countryCode(text: string): string {
  if (!isCountryCode(text))
    throw new InvalidArgumentError('It must be an ISO 3166-1 alpha-2 code such as IT.');
  return text;
}

export function currencyCode(text: string): string {
  if (!isCurrencyCode(text)) throw new InvalidArgumentError('It must be an ISO 4217 code such as EUR.');
  return text;
}

export function timezoneName(text: string): string {
  if (!isTimezone(text)) throw new InvalidArgumentError('It must be an IANA timezone such as Europe/Rome.');
  return text;
}
