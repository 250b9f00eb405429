/**
 * Turns the text of an option into a value. A wrong one is bad usage (exit code 2): commander prints the option, the
 * value and the reason.
 */
import { InvalidArgumentError } from 'commander';
import * as values from '../../../operator/acts/values.ts';
import { isCurrencyCode } from '../../../domain/currency-codes.ts';
import { isCountryCode } from '../../../domain/document/country-codes.ts';
import { findReservedReason, isReservedReason } from '../../../domain/layers.ts';
import { isTimezone } from '../../../domain/local-date.ts';
import { inEnglish, type Parse, sayAlone, Wrong } from '../../../domain/wrong.ts';
import { CommandFailure } from './failure.ts';

/** `label` names the option for a source that is reserved. */
export function typed<T>({ parse }: { readonly parse: Parse<T> }, label = '--source'): (text: string) => T {
  return (text) => {
    const parsed = parse(text);
    if (!(parsed instanceof Wrong)) return parsed;
    if (isReservedReason(parsed)) throw new CommandFailure(`${label}: ${inEnglish(parsed)}`);
    throw new InvalidArgumentError(sayAlone(parsed, 'en-GB'));
  };
}

/** For repeatable options. */
export function collect<T>(
  parse: (text: string) => T,
): (text: string, before: readonly T[] | undefined) => readonly T[] {
  return (text, before = []) => [...before, parse(text)];
}

export const wholeNumber = (min: number, max: number) => typed(values.wholeNumber(min, max));
export const oneOf = (choices: readonly string[]) => typed(values.oneOf(choices));
/** Milliseconds. */
export const duration = typed(values.duration);
export const localDate = typed(values.localDate);
export const notBlank = typed(values.notBlank);
/** The encoding of a CSV file. */
export const encodingName = typed(values.encodingName);
/** The name of a source that any system may use. */
export const sourceName = typed(values.sourceName);

/** The name of a source with stored properties: older names have any characters. */
export function storedSourceName(text: string): string {
  const reserved = findReservedReason(text);
  if (reserved !== undefined) throw new CommandFailure(`--source: ${inEnglish(reserved)}`);
  return notBlank(text);
}

export const countryCode = checked(isCountryCode, new Wrong('notCountryOption', { example: 'IT' }));
export const currencyCode = checked(isCurrencyCode, new Wrong('notCurrencyOption', { example: 'EUR' }));
export const timezoneName = checked(isTimezone, new Wrong('notTimezoneOption', { example: 'Europe/Rome' }));

function checked(isValid: (text: string) => boolean, wrong: Wrong): (text: string) => string {
  return typed({ parse: (text) => (isValid(text) ? text : wrong) });
}
