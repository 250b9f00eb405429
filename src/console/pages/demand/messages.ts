import { english, inLanguages, italian, said } from '../../web/messages/said.ts';

export const DEMAND_TEXTS = inLanguages({
  map: said(
    'Searches that found nothing, by city and week of arrival',
    'Ricerche senza risultati, per città e settimana di arrivo',
  ),
  of: said(
    (searches: string) => `of ${searches}`,
    (searches) => `su ${searches}`,
  ),
  all: said('All weeks', 'Tutte le settimane'),
  otherStays: said('other stays', 'altri soggiorni'),
  unmet: said(
    'Stays that found nothing, most asked first',
    'Soggiorni senza risultati, prima i più richiesti',
  ),
  unmetWhy: said(
    'Of all days and partners, judged by what is open now. A property counts once, under its first reason.',
    'Di tutti i giorni e partner, con ciò che è aperto ora. Una struttura conta una volta, col suo primo motivo.',
  ),
  solved: said(
    (count: number) =>
      count === 1 ? 'One more stay can be booked by now.' : `${count} more stays can be booked by now.`,
    (count) =>
      count === 1
        ? 'Un altro soggiorno ora si può prenotare.'
        : `Altri ${count} soggiorni ora si possono prenotare.`,
  ),
  nearest: said(
    (date: string, properties: number) => `${date}, at ${english.properties(properties)}`,
    (date, count) => `${date}, in ${italian.properties(count)}`,
  ),
  unknown: said('Places that nobody offers here', 'Luoghi che qui nessuno offre'),
});

/** Why searches found nothing. */
export const UNMET_TEXTS = inLanguages({
  sold_out: said('sold out', 'esaurita'),
  stop_sell: said('sale stopped', 'vendita sospesa'),
  closed_to_arrival: said('closed to arrival', 'chiusa all’arrivo'),
  closed_to_departure: said('closed to departure', 'chiusa alla partenza'),
  min_stay: said('minimum stay is longer', 'soggiorno minimo più lungo'),
  max_stay: said('maximum stay is shorter', 'soggiorno massimo più corto'),
  advance: said('too soon or too far ahead', 'troppo presto o troppo in anticipo'),
  guests: said('too small for the guests', 'troppo piccola per gli ospiti'),
  beyond_horizon: said('not offered yet, or past', 'non ancora offerta, o passata'),
});
