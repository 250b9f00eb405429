/** The audit trail: the rows of `audit`, and acts that are recorded around their writes. */
import type { AdministeredStores } from '../storage/administered.ts';
import type { AuditChange, AuditedState, Author } from '../storage/portable-sql/program.ts';
import { formatInstant } from './parse-duration.ts';

/** Rows in one answer. */
export const AUDIT_ROWS_MAX = 10_000;
export const AUDIT_SINCE_MS = 7 * 86_400_000;

/** One change in `audit`. */
export interface AuditRow extends Author, AuditChange {
  /** RFC 3339. */
  readonly at: string;
}

/** Newest first; AUDIT_ROWS_MAX at most. */
export async function reportAudit(
  storage: Pick<AdministeredStores, 'readAudit'>,
  sinceMs: number,
  limit = AUDIT_ROWS_MAX,
): Promise<readonly AuditRow[]> {
  const entries = await storage.readAudit(sinceMs, limit);
  return entries.map(({ atMs, person, role, act, on, from, to }) => {
    return { at: formatInstant(atMs), person, role, act, on, from, to };
  });
}

/** Says what an act has changed, once it is done; without secrets, and not more than the trail shows. */
export type TellChange = (from: AuditedState, to: AuditedState) => void;

/**
 * Runs an act of several transactions: records it before it begins, with `to` null, so that a killed one is in the
 * trail; at its end what it told, or else its result by `describe`.
 */
export async function recordAct<T>(
  signed: Pick<AdministeredStores, 'beginAct' | 'endAct'>,
  on: string,
  work: (tell: TellChange) => Promise<T>,
  describe: (result: T) => AuditedState,
): Promise<T> {
  let told: Parameters<TellChange> | undefined;
  const entryId = await signed.beginAct({ on, from: null, to: null });
  let result: T;
  try {
    result = await work((...change) => {
      told = change;
    });
  } catch (error) {
    await signed.endAct(entryId, { from: null, to: 'failed' }).catch(() => undefined);
    throw error;
  }
  const [from, to] = told ?? [null, describe(result)];
  await signed.endAct(entryId, { from, to });
  return result;
}
