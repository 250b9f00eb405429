import { inLanguages, said } from '../../web/messages/said.ts';

export const FUNNEL_TEXTS = inLanguages({
  byDay: said('By day (UTC)', 'Per giorno (UTC)'),
  table: said('The numbers by day, newest first', 'I numeri per giorno, dal più recente'),
  value: said('Booking value', 'Valore prenotato'),
  lastDays: said(
    (count: number) => `Last ${count} days`,
    (count) => `Ultimi ${count} giorni`,
  ),
  share: said(
    (percent: string, before: string) => `${percent} of ${before.toLowerCase()}`,
    (percent, before) => `${percent} di ${before.toLowerCase()}`,
  ),
  times: said(
    (times: string, before: string) => `${times} × ${before.toLowerCase()}`,
    (times, before) => `${times} × ${before.toLowerCase()}`,
  ),
  byPartner: said('By partner', 'Per partner'),
  noBooking: said('no booking yet', 'ancora nessuna prenotazione'),
  ratio: said(
    (looks: string) => `${looks} looks to a booking`,
    (looks) => `${looks} consultazioni per una prenotazione`,
  ),
  about: said(
    'Looks are availability answers and quotes. Quotes, and what became of them, count on the day of the quote.',
    'Consultazioni: risposte di disponibilità e preventivi. I preventivi e i loro esiti contano nel loro giorno.',
  ),
  drift: said(
    'Prices that had changed, by the age of the quote when it was first opened',
    'Prezzi cambiati, per età del preventivo alla prima apertura',
  ),
  ages: {
    '0-1h': said('up to an hour', 'fino a un’ora'),
    '1-24h': said('1 to 24 hours', 'da 1 a 24 ore'),
    '1-3d': said('1 to 3 days', 'da 1 a 3 giorni'),
    '3-7d': said('3 to 7 days', 'da 3 a 7 giorni'),
    '7d+': said('a week and more', 'una settimana e più'),
  },
  driftWhy: said(
    'Compared are prices that could be computed again then. The average is of those that changed; +: dearer.',
    'Confrontati: i prezzi che allora si potevano ricalcolare. La media è di quelli cambiati; +: più cari.',
  ),
});
