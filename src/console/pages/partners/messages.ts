import { english, inLanguages, italian, said } from '../../web/messages/said.ts';

export const PARTNER_TEXTS = inLanguages({
  enabled: said('enabled', 'attivo'),
  disabled: said(
    'disabled: all its credentials are refused',
    'disattivato: tutte le sue credenziali sono rifiutate',
  ),
  disableMeans: said(
    'All calls of this partner are refused within a second, and its webhooks stop. Its credentials stay: you can enable it again.',
    'Tutte le chiamate di questo partner sono rifiutate entro un secondo e i suoi webhook si fermano. Le credenziali restano: puoi riattivarlo.',
  ),
  noOrigins: said('none: only servers may call', 'nessuna: possono chiamare solo i server'),
  credentials: said('Credentials', 'Credenziali'),
  inForce: said('active', 'attiva'),
  scopeSets: {
    basic: said('Search and quotes', 'Ricerca e preventivi'),
    prices: said('Also prices and pictures', 'Anche prezzi e foto'),
    all: said('Everything', 'Tutto'),
  },
  scopeSays: {
    'properties:read': said('search and read properties', 'cercare e leggere le strutture'),
    'availability:read': said('ask for availability', 'chiedere la disponibilità'),
    'quotes:write': said('create quotes', 'creare preventivi'),
    'prices:read': said('read prices of stays', 'leggere i prezzi dei soggiorni'),
    'content:read': said('read pictures and terms', 'leggere foto e condizioni'),
    'changes:read': said('ask what has changed', 'chiedere che cosa è cambiato'),
  },
  revoked: said('revoked', 'revocata'),
  revokeAsk: said('Revoke…', 'Revoca…'),
  lastUse: said('last use', 'ultimo uso'),
  expired: said('expired', 'scaduta'),
  never: said('never', 'mai'),
  anywhere: said('anywhere', 'ovunque'),
  peak: said(
    (peak: number, quota: number) =>
      `at most ${english.decimal(String(peak))} of ${english.decimal(String(quota))} in a minute`,
    (peak, quota) =>
      `al massimo ${italian.decimal(String(peak))} di ${italian.decimal(String(quota))} in un minuto`,
  ),
  codes: said('Refused in the last 24 hours, by code', 'Rifiutate nelle ultime 24 ore, per codice'),
  noUse: said(
    'What this partner did lately cannot be read now; the log has the reason.',
    'L’attività recente di questo partner ora non è leggibile; il motivo è nel log.',
  ),
  week: said(
    'Last 7 days (UTC, today included). Bookings are those that your booking system reported.',
    'Ultimi 7 giorni (UTC, oggi compreso). Le prenotazioni sono quelle riportate dal tuo sistema.',
  ),
  noTraffic: said(
    'Calls of partners cannot be read now; the log has the reason.',
    'Le chiamate dei partner ora non sono leggibili; il motivo è nel log.',
  ),
  unassigned: said(
    (count: string) => `${count} more requests are counted without their partner: memory had no room.`,
    (count) => `Altre ${count} richieste sono contate senza il partner: in memoria non c’era posto.`,
  ),
  notKnown: said('not known now', 'ora non noto'),
  neverCalled: said('never', 'mai'),
  noneRecorded: said('none is recorded', 'nessuna registrata'),
  notCounted: said('not counted yet', 'non ancora contata'),
  notSince: said(
    (date: string) => `none since ${date}; earlier ones are not kept`,
    (date) => `nessuna dal ${date}; le precedenti non sono conservate`,
  ),
  noEnd: said('no end', 'senza scadenza'),
  noToken: said('no valid token', 'nessun token valido'),
  shownAgain: said(
    'This form had issued it before. For another one, open the page of the partner again.',
    'Questo modulo l’aveva già emessa. Per un’altra, riapri la pagina del partner.',
  ),
  newToken: said('New token', 'Nuovo token'),
  aboutTokens: said(
    'With these your own systems send properties, nights and prices. Partners have credentials instead.',
    'Con questi i tuoi sistemi mandano strutture, notti e prezzi. I partner hanno invece credenziali.',
  ),
  keep: said('Copy the token now: it is not shown again.', 'Copia il token adesso: non verrà più mostrato.'),
});
