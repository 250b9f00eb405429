/** Who changed what: what `audit` prints, and acts that are recorded around their writes. */
import type { AdministeredStores } from '../storage/administered.ts';
import type { AuditedState } from '../storage/programs/program.ts';
import { formatInstant } from './parse-duration.ts';

/** More is not put together for one answer. */
export const AUDIT_ROWS_MAX = 10_000;
export const AUDIT_SINCE_MS = 7 * 86_400_000;

/** What `audit` prints of one change. */
export interface AuditRow {
  /** RFC 3339. */
  readonly at: string;
  readonly person: string;
  readonly role: string | null;
  readonly act: string;
  readonly on: string;
  readonly from: AuditedState;
  readonly to: AuditedState;
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

/**
 * Does what is more than one transaction: recorded before it begins, with `to` null, so that one which is killed is in
 * the trail; `describe` says what came of it.
 */
export async function recordAct<T>(
  signed: Pick<AdministeredStores, 'beginAct' | 'endAct'>,
  on: string,
  work: () => Promise<T>,
  describe: (result: T) => AuditedState,
): Promise<T> {
  const entryId = await signed.beginAct({ on, from: null, to: null });
  let result: T;
  try {
    result = await work();
  } catch (error) {
    await signed.endAct(entryId, 'failed').catch(() => undefined);
    throw error;
  }
  await signed.endAct(entryId, describe(result));
  return result;
}
