/** Shows the content of a handoff value to the operator, without looking up or pricing its quote. */
import { formatLocalDate } from '../domain/local-date.ts';
import type { HandoffKeyring } from './handoff-keys.ts';
import { type Handoff, openHandoff } from './handoff-value.ts';

interface InspectedHandoff extends Omit<Handoff, 'checkIn' | 'checkOut' | 'expiresAtMs' | 'isTest'> {
  readonly valid: true;
  readonly expired: boolean;
  readonly checkIn: string;
  readonly checkOut: string;
  /** RFC 3339, UTC. */
  readonly expiresAt: string;
  readonly keyId: string;
  /** Sandbox quotes only. */
  readonly test?: true;
}

/** Undefined when no key of the keyring opens it. */
export async function inspectHandoff(
  keyring: HandoffKeyring,
  value: string,
  nowMs: number,
): Promise<InspectedHandoff | undefined> {
  const opened = await openHandoff(keyring, value, nowMs);
  if (!opened.ok) return undefined;
  const { handoff, keyId } = opened;
  return {
    valid: true,
    expired: handoff.expiresAtMs <= nowMs,
    quoteId: handoff.quoteId,
    propertyId: handoff.propertyId,
    checkIn: formatLocalDate(handoff.checkIn),
    checkOut: formatLocalDate(handoff.checkOut),
    guests: handoff.guests,
    ...(handoff.childAges && { childAges: handoff.childAges }),
    locale: handoff.locale,
    partnerId: handoff.partnerId,
    total: handoff.total,
    currency: handoff.currency,
    expiresAt: new Date(handoff.expiresAtMs).toISOString(),
    keyId,
    ...(handoff.isTest ? { test: true } : {}),
  };
}
