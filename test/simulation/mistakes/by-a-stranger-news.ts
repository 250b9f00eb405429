/** Mistakes of what partners are told by themselves, written by somebody who had not read the stories. */
import type { Mistakes } from './mistake.ts';

export const STRANGE_NEWS: Mistakes = {
  'a partner is not told that it is off the list of a property': {
    file: 'src/storage/catalogue/change-row.ts',
    edits: [['for (const id of from) if (!to.includes(id)) next.set(id, -revision);', '']],
  },
  'a property that changes again keeps its place among the recent changes': {
    file: 'src/partner/changes/recent-changes.ts',
    edits: [['byId.delete(change.propertyId);', '']],
    heldBy: {
      file: 'src/partner/changes/recent-changes.test.ts',
      test: 'begins with nothing, and then has each property once',
    },
  },
  'ten failures stop an endpoint, however soon': {
    file: 'src/partner/webhooks/webhook-sender.ts',
    edits: [
      [
        'nowMs - failingSinceMs >= FAILING_MS_MAX && failedTries >= FAILING_TRIES_MIN',
        '(nowMs - failingSinceMs >= FAILING_MS_MAX || failedTries >= FAILING_TRIES_MIN)',
      ],
    ],
  },
  'the old key of an endpoint signs nothing while both are valid': {
    file: 'src/storage/webhooks/sending.ts',
    edits: [
      ['AND (ends_at_ms IS NULL OR ends_at_ms > ?)', 'AND ends_at_ms IS NULL'],
      ['[...ids, nowMs],', 'ids,'],
    ],
  },
  'a credential whose end is moved is announced once only': {
    file: 'src/partner/webhooks/announce-expiry.ts',
    edits: [
      ['noticeOf({ credentialId, expiresAtMs, webhookId }', 'noticeOf({ credentialId, webhookId }'],
      ['`${credentialId} ${expiresAtMs}`', 'credentialId'],
    ],
  },
};
