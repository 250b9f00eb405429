import type { VisitOutcome } from '../../../storage/attribution/store.ts';
import { english, inLanguages, italian, type Said, said } from '../../web/messages/said.ts';

export const QUOTE_TEXTS = inLanguages({
  total: said('Total', 'Totale'),
  about: said('About the quote', 'Il preventivo'),
  explain: said('Explain this stay', 'Spiega questo soggiorno'),
  became: said('What became of it', 'Che ne è stato'),
  steps: {
    created: said('created', 'creato'),
    opened: said('opened by a traveller', 'aperto da un viaggiatore'),
    continued: said('continued to the booking site', 'proseguito verso il sito di prenotazione'),
    booked: said('booked', 'prenotato'),
    cancelled: said('cancelled', 'annullato'),
    expires: said('expires', 'scade'),
    expired: said('expired', 'scaduto'),
  },
  times: said(
    (count: number) => english.counted(count, 'time', 'times'),
    (count) => italian.counted(count, 'volta', 'volte'),
  ),
  /** The verdict that the page showed at first. */
  outcomes: {
    unchanged: said('at the quoted price', 'al prezzo del preventivo'),
    price_changed: said('the price had changed', 'il prezzo era cambiato'),
    unavailable: said('no longer available', 'non più disponibile'),
    expired: said('after its end', 'dopo la scadenza'),
  } satisfies Readonly<Record<VisitOutcome, Said>>,
});
