import { english, inLanguages, italian, said } from '../../web/messages/said.ts';

export const SUPPLY_TEXTS = inLanguages({
  held: said('Calendars held back', 'Calendari trattenuti'),
  heldWhy: said(
    'They would open half or more of the nights that they closed. The same calendar, sent again, is accepted.',
    'Aprirebbero almeno metà delle notti chiuse. Lo stesso calendario, se arriva di nuovo, viene accettato.',
  ),
  failing: said('Calendars that cannot be read', 'Calendari che non si possono leggere'),
  feeds: said('Subscribed calendars', 'Calendari sottoscritti'),
  messages: said('What came in last', 'Ultimi arrivi'),
  sources: said(
    'Where prices and nights come from, the longest silent first',
    'Da dove arrivano prezzi e notti, prima chi tace da più tempo',
  ),
  freshness: said(
    'Last news of each property, the oldest first',
    'Ultime notizie di ogni struttura, dalla più vecchia',
  ),
  ofSource: said(english.properties, italian.properties),
  verdicts: {
    applied: said('applied', 'applicato'),
    partial: said('applied in part', 'applicato in parte'),
    refused: said('refused', 'rifiutato'),
  },
  states: {
    new: said('not fetched yet', 'non ancora letto'),
    ok: said('in order', 'in ordine'),
    held: said('held back', 'trattenuto'),
    failing: said('failing', 'non riuscito'),
  },
});
