/**
 * The stores that people change. Their writes can be signed; each signed write then adds an entry to the audit trail.
 */
import type { AccessStore, FollowedAccess } from './access/store.ts';
import type { AuditStore } from './audit/store.ts';
import type { PasskeyStore } from './passkeys/store.ts';
import type { SessionStore } from './sessions/store.ts';
import type { SiteSettingsStore } from './site/store.ts';
import type { WebhookActs } from './webhooks/store.ts';

export interface AdministeredStores
  extends
    AccessStore,
    Omit<FollowedAccess, 'readHistory'>,
    AuditStore,
    PasskeyStore,
    SessionStore,
    SiteSettingsStore,
    WebhookActs {}
