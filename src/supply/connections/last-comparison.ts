/** The last comparison of a connection, as it is stored, and the one that is being made behind a page. */
import { isSayable, type Told } from '../../domain/wrong.ts';
import type { Connection, ConnectionStore } from '../../storage/connections/store.ts';
import type { ComparedStay } from './compare-stays.ts';

export interface LastComparison {
  /** Unix ms; null before the first. */
  readonly atMs: number | null;
  /** The worst first. */
  readonly stays: readonly ComparedStay[];
  /** Unix ms; null: none is being made. */
  readonly begunAtMs: number | null;
  /** Why the one that was made last came to nothing. */
  readonly failure: Told | null;
}

/** A comparison that takes longer has lost its process: it reads, and waits for the provider's window once each time. */
const MADE_WITHIN_MS = 20 * 60_000;

export function readComparison(
  { comparison }: Pick<Connection, 'comparison'>,
  nowMs: number,
): LastComparison {
  const stored = JSON.parse(comparison ?? '{}') as Partial<LastComparison>;
  const { atMs = null, stays = [], begunAtMs = null, failure = null } = stored;
  const isBeingMade = begunAtMs !== null && Math.abs(nowMs - begunAtMs) < MADE_WITHIN_MS;
  return {
    atMs,
    stays,
    begunAtMs: isBeingMade ? begunAtMs : null,
    failure: isSayable(failure) ? failure : null,
  };
}

type Deps = {
  readonly storage: Pick<ConnectionStore, 'findConnection' | 'saveComparison'>;
  readonly clock: () => number;
};

/** Keeps the stays of before until there are new ones. */
export async function markComparison(
  { storage, clock }: Deps,
  name: string,
  { failure }: { readonly failure?: Told | undefined },
): Promise<void> {
  const connection = await storage.findConnection(name);
  if (connection === undefined) return;
  const { atMs, stays } = readComparison(connection, clock());
  const begunAtMs = failure === undefined ? clock() : null;
  await storage.saveComparison(name, JSON.stringify({ atMs, stays, begunAtMs, failure: failure ?? null }));
}
