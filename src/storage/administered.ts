/**
 * The stores that people change. Their writes can be signed; each signed write then adds an entry to the audit trail.
 */
import { accessStore } from './access/sql.ts';
import type { AccessStore, FollowedAccess } from './access/store.ts';
import { auditStore } from './audit/sql.ts';
import type { AuditStore } from './audit/store.ts';
import { passkeyStore } from './passkeys/sql.ts';
import type { PasskeyStore } from './passkeys/store.ts';
import type { ProgramRunner } from './portable-sql/program.ts';
import { sessionStore } from './sessions/sql.ts';
import type { SessionStore } from './sessions/store.ts';
import { webhookActs } from './webhooks/acts.ts';
import type { WebhookActs } from './webhooks/store.ts';

export interface AdministeredStores
  extends
    AccessStore,
    Omit<FollowedAccess, 'readHistory'>,
    AuditStore,
    PasskeyStore,
    SessionStore,
    WebhookActs {}

export function administeredStores(runner: ProgramRunner): AdministeredStores {
  return {
    ...accessStore(runner),
    ...auditStore(runner),
    ...passkeyStore(runner),
    ...sessionStore(runner),
    ...webhookActs(runner),
  };
}
