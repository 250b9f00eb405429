/**
 * Turns the raw path, query and body of a request into typed values, or into every issue that they have (SPEC 4).
 *
 * Dates come out as days since 1970-01-01. Never throws, whatever comes in.
 */
import type { Operation, OperationId } from './operations.ts';
import type { ValidationIssue } from './issue-codes.ts';
import type { ContractLocale } from './scalars.ts';

/** Days since 1970-01-01 of a LocalDate. */
export type DayNumber = number;

export type Validated<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly issues: readonly ValidationIssue[] };

export interface StayDates {
  readonly checkIn: DayNumber;
  readonly checkOut: DayNumber;
}

export interface ListQuery {
  /** Trimmed, 1 to 120 code points. */
  readonly city: string;
  readonly country: string | undefined;
  readonly stay: StayDates | undefined;
  readonly guests: number;
  /** Whether the caller named `guests`; a search without dates filters by it only then. */
  readonly guestsGiven: boolean;
  readonly page: number;
  readonly pageSize: number;
  readonly locale: ContractLocale;
}

export interface PropertyQuery {
  readonly locale: ContractLocale;
}

export interface AvailabilityValues {
  readonly stay: StayDates;
  readonly guests: number;
}

export interface QuoteRequest {
  readonly propertyId: string;
  readonly stay: StayDates & { readonly guests: number };
  readonly locale: ContractLocale;
}

export interface PropertyPath {
  readonly propertyId: string;
}

/** What each operation's query, path and body become; an operation without one of them has `Nothing` there. */
export type Nothing = Record<never, never>;
export interface QueryValues {
  readonly listPartnerProperties: ListQuery;
  readonly getPartnerProperty: PropertyQuery;
  readonly getPartnerPropertyAvailability: AvailabilityValues;
  readonly createPartnerQuote: Nothing;
}
export interface PathValues {
  readonly listPartnerProperties: Nothing;
  readonly getPartnerProperty: PropertyPath;
  readonly getPartnerPropertyAvailability: PropertyPath;
  readonly createPartnerQuote: Nothing;
}
export interface BodyValues {
  readonly listPartnerProperties: Nothing;
  readonly getPartnerProperty: Nothing;
  readonly getPartnerPropertyAvailability: Nothing;
  readonly createPartnerQuote: QuoteRequest;
}

/** `rawQuery` is what stands behind the first `?`, undecoded; empty when there is none. */
export function validateQuery<Id extends OperationId>(
  _operation: Operation<Id>,
  _rawQuery: string,
): Validated<QueryValues[Id]> {
  throw new Error('to be written');
}

/** `rawSegments` are the path segments as they came, percent escapes and all, by name of the path parameter. */
export function validatePath<Id extends OperationId>(
  _operation: Operation<Id>,
  _rawSegments: Readonly<Record<string, string>>,
): Validated<PathValues[Id]> {
  throw new Error('to be written');
}

/** `body` is what JSON.parse gave (`parseJsonBody`). */
export function validateBody<Id extends OperationId>(
  _operation: Operation<Id>,
  _body: unknown,
): Validated<BodyValues[Id]> {
  throw new Error('to be written');
}
