/** What browsers are told (SPEC 4, 5). CORS is not authentication: every operation needs its credential all the same. */

import { EXPOSED_HEADERS } from '../../contract/partner/answer-headers.ts';

const EXPOSED = EXPOSED_HEADERS.join(', ');

/** How long a browser may remember a preflight. */
const PREFLIGHT_SECONDS = 600;

/** Adds what lets scripts of this origin read the answer. */
export function pushCorsHeaders(headers: string[], origin: string): void {
  headers.push('Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', EXPOSED);
}

/** What an answered preflight has beside those. */
export function preflightHeaders(methods: readonly string[]): readonly string[] {
  return [
    'Access-Control-Allow-Methods',
    methods.join(', '),
    'Access-Control-Allow-Headers',
    'Authorization, Content-Type',
    'Access-Control-Max-Age',
    String(PREFLIGHT_SECONDS),
  ];
}
