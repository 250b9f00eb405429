/** The audit trail: reading it, and acts that are more than one transaction. */
import { assertStorableRow } from '../../domain/storable-text.ts';
import { commit } from '../engine/write-result.ts';
import { concern, type RunnerOf } from '../portable-sql/concern.ts';
import {
  administrative,
  type AuditChange,
  type AuditedState,
  type Author,
  change,
  type Program,
  rows,
} from '../portable-sql/program.ts';
import { firstEntryIdAt, stateText } from '../portable-sql/signed.ts';
import type { AuditEntry, AuditStore } from './store.ts';

interface StoredEntry extends Author {
  readonly at_ms: number;
  readonly subject: string;
  readonly before: string | null;
  readonly after: string | null;
}

const begin = administrative('beginAct', function* (begun: AuditChange) {
  const entryId = (yield { kind: 'note', change: begun, author: {} }) as string | undefined;
  return commit(entryId);
});

const end = administrative('endAct', function* (entryId: string, { from, to }: Omit<AuditChange, 'on'>) {
  const states = [stateText(from), stateText(to)];
  yield* change('UPDATE audit_log SET before = ?, after = ? WHERE entry_id = ?', [...states, entryId]);
  return commit(undefined);
});

const WRITES = [begin, end];

export const auditConcern = concern(WRITES, auditStore);

function auditStore({ read, write }: RunnerOf<typeof WRITES>): AuditStore {
  return {
    async beginAct(auditChange) {
      assertStorableRow({ on: auditChange.on });
      const entryId = await write(begin, auditChange);
      if (entryId === undefined) throw new Error('nobody has signed this act');
      return entryId;
    },
    endAct: (entryId, ended) => write(end, entryId, ended),
    readAudit: (sinceMs, limit) => read(selectAudit(sinceMs, limit)),
  };
}

function* selectAudit(sinceMs: number, limit: number): Program<AuditEntry[]> {
  const found = yield* rows<StoredEntry>(
    `SELECT at_ms, person, role, act, subject, before, after FROM audit_log
     WHERE entry_id >= ? ORDER BY entry_id DESC, position DESC LIMIT ?`,
    [firstEntryIdAt(sinceMs), limit],
  );
  return found.map((row) => ({
    atMs: row.at_ms,
    person: row.person,
    role: row.role,
    act: row.act,
    on: row.subject,
    from: parseState(row.before),
    to: parseState(row.after),
  }));
}

function parseState(text: string | null): AuditedState {
  return text === null ? null : (JSON.parse(text) as AuditedState);
}
