import { inLanguages, said } from '../../web/messages/said.ts';

export const WEBHOOK_TEXTS = inLanguages({
  title: said('Webhooks', 'Webhook'),
  deliveries: said('Deliveries, newest first', 'Consegne, le più recenti prima'),
  states: { ok: said('in order', 'in ordine'), failing: said('fails since', 'non riesce da') },
  reasons: {
    operator: said('disabled', 'disattivato'),
    gone: said('stopped, because it answered 410:', 'fermato, perché ha risposto 410:'),
    failing: said('stopped, because it failed for 5 days:', 'fermato, perché non riusciva da 5 giorni:'),
  },
  statuses: {
    pending: said('waits', 'in attesa'),
    delivered: said('delivered', 'consegnata'),
    failed: said('failed', 'fallita'),
  },
  newSecret: said('New secret', 'Nuovo segreto'),
  keep: said(
    'Copy the secret now: it is not shown again. The one before signs as well for 24 hours.',
    'Copia il segreto adesso: non verrà più mostrato. Quello precedente firma ancora per 24 ore.',
  ),
  publicKey: said(
    'A receiver that has only this public key can verify, and cannot forge:',
    'Chi riceve con la sola chiave pubblica può verificare, ma non falsificare:',
  ),
});
