/** The part of the storage port that keeps who changed what. */
import type { AuditChange, AuditedState, Author } from '../portable-sql/program.ts';

export interface AuditEntry extends Author, AuditChange {
  readonly atMs: number;
}

export interface AuditStore {
  /**
   * An act whose writes are not one transaction: recorded before it begins, so that one which is killed is there too.
   * What came of it follows by the id that this resolves to. To be called on a store that is signed.
   */
  beginAct(change: AuditChange): Promise<string>;
  endAct(entryId: string, to: AuditedState): Promise<void>;
  /** Newest first, from `sinceMs` on. */
  readAudit(sinceMs: number, limit: number): Promise<readonly AuditEntry[]>;
}
