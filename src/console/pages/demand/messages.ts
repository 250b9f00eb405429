import type { Locale } from '../../../domain/property.ts';
import { REASON_ROWS } from '../../../domain/stay-reasons.ts';
import { reasonsOfUnmet, UNMET_RULES, type UnmetRule } from '../../../operator/activity/unmet-causes.ts';
import { english, inLanguages, italian, type Said, said } from '../../web/messages/said.ts';

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

/** Rules that partners and travellers hear of as one. */
const CLOSED: Readonly<Partial<Record<UnmetRule, Said>>> = {
  sold_out: said('sold out', 'esaurite'),
  stop_sell: said('sale stopped', 'vendita sospesa'),
};

function unmetText(rule: UnmetRule, locale: Locale, or: string): string {
  const shorts = reasonsOfUnmet(rule).map((code) => REASON_ROWS[code].short[locale]);
  const closed = CLOSED[rule]?.[locale];
  return closed === undefined ? shorts.join(or) : `${shorts.join(or)}, ${closed}`;
}

/** Why searches found nothing, in the words of the reasons that partners get. */
export const UNMET_TEXTS = inLanguages(
  Object.fromEntries(
    UNMET_RULES.map((rule) => [
      rule,
      said(unmetText(rule, 'en-GB', ' or '), unmetText(rule, 'it-IT', ' o ')),
    ]),
  ) as Readonly<Record<UnmetRule, Said>>,
);
