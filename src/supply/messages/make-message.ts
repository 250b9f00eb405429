/** Messages as storage takes them. */
import type { Clock } from '../../runtime/clock.ts';
import type { SupplyMessage, SupplyOutcome, SupplyStore, SupplyWork } from '../../storage/supply/store.ts';
import { formatNote } from './supply-result.ts';

export interface MessageDeps {
  readonly clock: Clock;
  /** `createMessageIds` */
  readonly newMessageId: (receivedAtMs: number) => string;
}

/** What writes the nights of a source from within the service. */
export interface NightsDeps extends MessageDeps {
  readonly storage: Pick<SupplyStore, 'applySupply' | 'findLayers'>;
  readonly horizonNights: number;
}

/** Received now. */
export function makeMessage(
  { clock, newMessageId }: MessageDeps,
  of: Omit<SupplyMessage, 'messageId' | 'receivedAtMs'>,
): SupplyMessage {
  const receivedAtMs = clock();
  return { messageId: newMessageId(receivedAtMs), receivedAtMs, ...of };
}

/** One that no other system sent: it has no key, and nothing is wrong with it. */
export function makeOwnMessage(
  deps: MessageDeps,
  of: {
    readonly source: string;
    readonly kind: string;
    readonly work: SupplyWork;
    /** `keepEntries` */
    readonly entries?: string | undefined;
  },
): SupplyMessage {
  return makeMessage(deps, { ...of, idempotency: null, note: formatNote({}) });
}

/** Resolves after the commit. */
export async function applyOwnMessage(
  storage: Pick<SupplyStore, 'applySupply'>,
  message: SupplyMessage,
): Promise<SupplyOutcome> {
  const answer = await storage.applySupply(message);
  if (answer.kind !== 'done') throw new Error('only a message with a key can repeat another');
  return answer.outcome;
}
