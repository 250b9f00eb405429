/** What only some tokens may ask: prices of stays, and pictures. */
import type { Stayport } from '../../../sdk/src/index.ts';
import { isBeyondToken } from '../refusal.ts';

export type Extra = 'prices' | 'content';

/** A token may get a scope later. */
const REMEMBERED_MS = 600_000;
/** Until when a client need not ask, because its token was refused; gone with the client. */
const refusals = new WeakMap<Stayport, Map<Extra, number>>();

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
    const known = refusals.get(client) ?? new Map<Extra, number>();
    refusals.set(client, known.set(extra, performance.now() + REMEMBERED_MS));
    return undefined;
  }
}
