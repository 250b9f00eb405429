/** The part of the storage port that keeps who changed what. */
import type { AuditChange, Author } from '../programs/program.ts';

export interface AuditEntry extends Author, AuditChange {
  readonly atMs: number;
}

export interface AuditStore {
  /**
   * An act whose writes are not one transaction: recorded before it begins, so that one which is killed is there too.
   * What came of it follows by the id that this resolves to. To be called on a store that is signed.
   */
  beginAct(change: AuditChange): Promise<string>;
  /** `from` and `to` in place of what was begun with. */
  endAct(entryId: string, change: Omit<AuditChange, 'on'>): Promise<void>;
  /** Newest first, from `sinceMs` on. */
  readAudit(sinceMs: number, limit: number): Promise<readonly AuditEntry[]>;
}
