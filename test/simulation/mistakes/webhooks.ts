/** Mistakes of webhooks. */
import type { Mistakes } from './mistake.ts';

export const WEBHOOKS_MISTAKES = {
  'a webhook is delivered before its answer': {
    file: 'src/partner/webhooks/webhook-sender.ts',
    edits: [
      [
        'result = await post(deps, taken, signal);',
        `await deps.storage.settleDelivery(taken, { kind: 'delivered', status: 204 }, deps.clock());
        result = await post(deps, taken, signal);`,
      ],
    ],
  },
  'an endpoint that answers with an error counts as told': {
    file: 'src/partner/webhooks/webhook-sender.ts',
    edits: [
      ['if (status !== null && status >= 200 && status < 300)', 'if (status !== null && status >= 200)'],
    ],
  },
  'what waits for one endpoint is signed for another': {
    file: 'src/storage/webhooks/sending.ts',
    edits: [['keysOf.get(row.webhook_id) ?? []', 'keysOf.values().next().value ?? []']],
  },
  'a stopped partner is still told': {
    file: 'src/storage/webhooks/outbox.ts',
    edits: [['p.disabled = 0 AND w.disabled_at_ms', 'w.disabled_at_ms']],
  },
} as const satisfies Mistakes;
