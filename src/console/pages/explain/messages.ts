import type { Party } from '../../../domain/child-ages.ts';
import { english, inLanguages, italian, said } from '../../web/messages/said.ts';

export const EXPLAIN_TEXTS = inLanguages({
  title: said('Stay explained', 'Soggiorno spiegato'),
  ask: said(
    (stayMax: number, guestsMax: number) =>
      `Choose a check-in, a check-out at most ${english.nights(stayMax)} later, and up to ${english.guests(guestsMax)}.`,
    (stayMax, guestsMax) =>
      `Scegli un arrivo, una partenza al massimo ${italian.nights(stayMax)} dopo e fino a ${italian.guests(guestsMax)}.`,
  ),
  outcomes: {
    priced: said('A quote would be made.', 'Verrebbe creato un preventivo.'),
    STAY_UNAVAILABLE: said(
      'No room type can host this stay (STAY_UNAVAILABLE).',
      'Nessuna tipologia può ospitare questo soggiorno (STAY_UNAVAILABLE).',
    ),
    QUOTE_UNAVAILABLE: said(
      'The stay is possible, but there is no price for it (QUOTE_UNAVAILABLE).',
      'Il soggiorno è possibile, ma non ha un prezzo (QUOTE_UNAVAILABLE).',
    ),
  },
  about: said(
    (nightCount: number, party: Party, first: string, last: string) =>
      `${english.nights(nightCount)}, ${english.party(party)}. Nights from ${first} to ${last} can be sold.`,
    (nightCount, party, first, last) =>
      `${italian.nights(nightCount)}, ${italian.party(party)}. Si vendono le notti da ${first} a ${last}.`,
  ),
  child: said(
    (age: number, place: string, pays: string) => `${english.children([age])}: ${place}, ${pays}`,
    (age, place, pays) => `${italian.children([age])}: ${place}, ${pays}`,
  ),
  takesPlace: said('takes a place', 'occupa un posto'),
  inCot: said('sleeps in a cot', 'dorme in culla'),
  asAdult: said('pays as an adult', 'paga come un adulto'),
  paysRate: said(
    (amount: string) => `pays ${amount} a night`,
    (amount) => `paga ${amount} a notte`,
  ),
  payers: said(
    (count: number, ages: readonly number[]) =>
      ages.length === 0 ? english.counted(count, 'adult', 'adults') : english.children(ages),
    (count, ages) =>
      ages.length === 0 ? italian.counted(count, 'adulto', 'adulti') : italian.children(ages),
  ),
  at: said(
    (who: string, amount: string) => `${who} at ${amount}`,
    (who, amount) => `${who} a ${amount}`,
  ),
  free: said(
    (who: string) => `${who} free`,
    (who) => `${who}: esente`,
  ),
  eligible: said('can host it', 'può ospitarlo'),
  notEligible: said('cannot host it', 'non può ospitarlo'),
  isQuoted: said('the quote would be for this type', 'il preventivo sarebbe per questa tipologia'),
  refusals: said('What is against it', 'Che cosa lo impedisce'),
  folded: said('Its price and nights', 'Il suo prezzo e le sue notti'),
});
