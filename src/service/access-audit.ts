/** One log line and one count for each administrative act, when the follower brings it. */
import { AUDIT_EVENTS, type AuditEvent, findAuditEvents } from '../access/audit-events.ts';
import type { AccessRows } from '../storage/access/store.ts';

/** Of one change; a restored database may bring thousands. The rest is counted. */
const LINES_MAX = 100;

type AuditEventName = AuditEvent['act'];

export interface AccessAudit {
  readonly counts: Readonly<Record<AuditEventName, number>>;
  /** The first rows are only remembered: what was done while no process ran is not known to be new. */
  take(rows: AccessRows): void;
}

export function auditAccess(logger: { info(fields: object, message: string): void }): AccessAudit {
  const counts = Object.fromEntries(AUDIT_EVENTS.map((act) => [act, 0])) as Record<AuditEventName, number>;
  let known: AccessRows | undefined;
  return {
    counts,
    take(rows) {
      const acts = known === undefined ? [] : findAuditEvents(known, rows);
      known = rows;
      for (const { act } of acts) counts[act] += 1;
      for (const { act, about } of acts.slice(0, LINES_MAX)) logger.info({ act, ...about }, 'access changed');
      if (acts.length > LINES_MAX) {
        logger.info(
          { leftOutCount: acts.length - LINES_MAX },
          'access changed: more changes than are logged one by one',
        );
      }
    },
  };
}
