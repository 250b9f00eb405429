/** What only some tokens may ask: prices of stays, and pictures. */
import type { Stayport } from '../../../sdk/src/index.ts';
import { isBeyondToken } from '../refusal.ts';

export type Extra = 'prices' | 'content';

/** A token may get a scope later. */
const REMEMBERED_MS = 600_000;
/** Until when a token need not ask, because it was refused; ms of `performance.now()`. */
export type Refusals = Map<Extra, number>;
const refusals = new WeakMap<Stayport, Refusals>();

/** For a client that is made for one request: others of the same token have learned what it may. */
export function shareRefusals(client: Stayport, known: Refusals): void {
  refusals.set(client, known);
}

/** Undefined where the token has no right to ask, or the service is of a release that has no such operation. */
export async function whereAllowed<T>(
  client: Stayport,
  extra: Extra,
  ask: () => Promise<T>,
): Promise<T | undefined> {
  if ((refusals.get(client)?.get(extra) ?? 0) > performance.now()) return undefined;
  try {
    return await ask();
  } catch (error) {
    if (!isBeyondToken(error)) throw error;
    const known: Refusals = refusals.get(client) ?? new Map();
    refusals.set(client, known.set(extra, performance.now() + REMEMBERED_MS));
    return undefined;
  }
}
