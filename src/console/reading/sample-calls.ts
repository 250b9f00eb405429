/** The calls that a new credential is shown with: to be pasted into a shell, or sent from the console. */
import type { OperationId } from '../../contract/partner/operations.ts';
import { DAY_MS, formatLocalDate } from '../../domain/local-date.ts';
import type { Locale } from '../../domain/property.ts';
import type { SampleStay } from './sample-stay.ts';

/** An operation of partners. */
export interface SampleCall {
  readonly call: OperationId;
  readonly method: 'GET' | 'POST';
  /** With its query. */
  readonly path: string;
  /** JSON. */
  readonly body?: string;
}

/** Search, property, availability and quote, in this order. */
export function sampleCalls(stay: SampleStay, locale: Locale): readonly SampleCall[] {
  const { propertyId, city, checkIn, checkOut, guests } = stay;
  const query = new URLSearchParams({ checkIn, checkOut, guests: String(guests) }).toString();
  const cityQuery = new URLSearchParams({ city }).toString().replaceAll("'", '%27');
  const property = `/v1/properties/${encodeURIComponent(propertyId)}`;
  const body = JSON.stringify({ propertyId, stay: { checkIn, checkOut, guests }, locale });
  return [
    { call: 'listPartnerProperties', method: 'GET', path: `/v1/properties?${cityQuery}&${query}` },
    { call: 'getPartnerProperty', method: 'GET', path: property },
    { call: 'getPartnerPropertyAvailability', method: 'GET', path: `${property}/availability?${query}` },
    { call: 'createPartnerQuote', method: 'POST', path: '/v1/quotes', body },
  ];
}

/** For a shell. */
export function curlOf({ method, path, body }: SampleCall, publicUrl: string, token: string): string {
  const json = method === 'POST' ? `-H 'Content-Type: application/json' -d '${body}' \\\n  ` : '';
  return `curl -sS --fail-with-body -H 'Authorization: Bearer ${token}' \\\n  ${json}'${publicUrl}${path}'`;
}

const DAYS_AHEAD = 30;
const STAY_NIGHTS = 2;

/** A stay of the sandbox, whose properties always exist. */
export function testSample(nowMs: number): SampleStay {
  const today = Math.floor(nowMs / DAY_MS);
  return {
    propertyId: 'test-always',
    city: 'Testville',
    checkIn: formatLocalDate(today + DAYS_AHEAD),
    checkOut: formatLocalDate(today + DAYS_AHEAD + STAY_NIGHTS),
    guests: 2,
  };
}
