/** Terms of a token, for partners and the operator's own systems: scopes and expiry. */
import { Wrong } from '../domain/wrong.ts';
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
    return refuse(
      new Wrong('unknownScope', { scope: JSON.stringify(unknown.slice(0, 200)), known: all.join(', ') }),
    );
  }
  return { ok: true, value: all.filter((scope) => wanted.includes(scope)) };
}

/** Null without expiry. */
export function chooseExpiry(
  refusal: 'tokenExpiry' | 'credentialExpiry',
  expiresAtMs: number | undefined,
  nowMs: number,
): Outcome<number | null> {
  if (expiresAtMs === undefined) return { ok: true, value: null };
  if (expiresAtMs > nowMs && expiresAtMs <= INSTANT_MAX_MS) return { ok: true, value: expiresAtMs };
  return refuse(new Wrong(refusal));
}

/** The end of a credential or operator token, as its view has it. */
interface Ends {
  readonly revokedAt: string | null;
  readonly expiresAt: string | null;
}

export function isInForce({ revokedAt, expiresAt }: Ends, nowMs: number): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > nowMs);
}

/** Those in force come first, then the ended ones; the newest first in both. `rows` begin with the oldest. */
export function inForceFirst<Row extends Ends>(rows: readonly Row[], nowMs: number): readonly Row[] {
  const newestFirst = rows.toReversed();
  const inForce = newestFirst.filter((row) => isInForce(row, nowMs));
  return [...inForce, ...newestFirst.filter((row) => !isInForce(row, nowMs))];
}
