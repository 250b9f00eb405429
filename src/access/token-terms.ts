/** Terms of a token, for partners and the operator's own systems: scopes and expiry. */
import { type Outcome, refuse } from '../domain/outcome.ts';
import { INSTANT_MAX_MS } from './parse-duration.ts';

/** The highest quota of a credential, requests per 60 seconds. */
export const QUOTA_MAX = 1_000_000;

/** Chooses scopes in the order of `all`, without repetitions; `unlessNamed` when none is named. */
export function chooseScopes(
  all: readonly string[],
  wanted: readonly string[] | undefined,
  unlessNamed = all,
): Outcome<readonly string[]> {
  if (wanted === undefined || wanted.length === 0) return { ok: true, value: unlessNamed };
  const unknown = wanted.find((scope) => !all.includes(scope));
  if (unknown !== undefined) {
    return refuse(`${JSON.stringify(unknown.slice(0, 200))} is not a scope; there are ${all.join(', ')}`);
  }
  return { ok: true, value: all.filter((scope) => wanted.includes(scope)) };
}

/** Null without expiry. `what` begins the sentence of the refusal. */
export function chooseExpiry(
  what: string,
  expiresAtMs: number | undefined,
  nowMs: number,
): Outcome<number | null> {
  if (expiresAtMs === undefined) return { ok: true, value: null };
  if (expiresAtMs > nowMs && expiresAtMs <= INSTANT_MAX_MS) return { ok: true, value: expiresAtMs };
  return refuse(`${what} expires in the future, in the year 9999 at the latest`);
}
