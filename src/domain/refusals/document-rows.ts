/** The property document, its calendars and the details for the traveller's page. */
import { clause, row } from './refusal-row.ts';

export const DOCUMENT_ROWS = {
  // Words.
  notPartnerId: row('must be a partner id', 'deve essere l’id di un partner'),
  notPartners: row(
    'must be "all" or a list of partner ids',
    'deve essere "all" o un elenco di id di partner',
  ),
  notCountry: row(
    'must be a country code of ISO 3166-1 such as {example}',
    'deve essere un codice di paese ISO 3166-1, come {example}',
  ),
  notCurrency: row(
    'must be a currency code of ISO 4217 in use such as {example}',
    'deve essere un codice di valuta ISO 4217 in uso, come {example}',
  ),
  notTimezone: row(
    'must be an IANA zone such as {example} (not an offset)',
    'deve essere un fuso orario IANA, come {example} (non uno scarto)',
  ),
  notHalf: row('must be a multiple of 0.5', 'deve essere un multiplo di 0,5'),

  // Taxes.
  amountBesideTiers: row(
    'must not stand beside tiers, which have amounts of their own',
    'non può stare accanto agli scaglioni, che hanno importi propri',
  ),
  notOfLogic: row('does not belong to the logic {logic}; remove it', 'non va con la logica {logic}: toglilo'),
  neededByLogic: row('is required by the logic {logic}', 'serve per la logica {logic}'),
  ofOtherLogic: row('belongs to the logic {logic}; remove it', 'va solo con la logica {logic}: toglilo'),
  allOfOtherLogic: row(
    'belong to the logic {logic}; remove them',
    'vanno solo con la logica {logic}: toglili',
  ),
  tierNotAbove: row('must be above the one before it', 'deve essere superiore a quello precedente'),
  ofInclusive: row(
    'must not stand in an inclusive rule',
    'non può stare in una regola già compresa nel prezzo',
  ),
  ageExempt: row('must be above exemptUntilAge', 'deve essere superiore all’età esente'),
  exemptOfOtherLogic: row(
    'belongs to the logics by person, and to percent with capPerGuestNight; remove it',
    'va solo con le logiche per persona, o con una percentuale che ha un massimo per ospite e notte: toglilo',
  ),
  agesOfOtherLogic: row(
    'belong to the logics by person; remove them',
    'vanno solo con le logiche per persona: toglili',
  ),
  cotsOfBed: row(
    'belongs to a band with occupies false; remove it',
    'va solo con chi non occupa un posto: toglilo',
  ),
  notBase: row(
    'must be one of {bases}, or the code of a rule that runs before',
    'deve essere uno tra {bases}, o il codice di una regola che viene prima',
  ),

  // Discounts.
  notDiscountPercent: row(
    'must be above 0 and at most 100, with at most two decimals, in a string such as "{example}"',
    'deve essere più di 0 e al massimo 100, con al massimo due decimali, come {example}',
  ),
  noTypeNamed: row(
    'must name at least one inventory type; leave the field out for all',
    'deve nominare almeno un tipo di alloggio; lascia vuoto il campo per tutti',
  ),
  notTypeOfProperty: row(
    'must be an inventory type of this property',
    'deve essere un tipo di alloggio di questa struttura',
  ),
  discountTaken: clause(
    '{code} is already a discount of this property',
    '{code} è già uno sconto di questa struttura',
  ),

  // Inventory types and calendars.
  noTypes: row('must have at least one inventory type', 'deve avere almeno un tipo di alloggio'),
  typeTaken: clause(
    '{typeId} is already an inventory type of this property',
    '{typeId} è già un tipo di alloggio di questa struttura',
  ),
  entriesOfProperty: row(
    'brings the calendars of this property above {max} stretches of nights; name shorter ranges',
    'porta i calendari di questa struttura oltre {max} serie di notti; indica periodi più brevi',
  ),
  entriesOfCalendar: row(
    'makes more than {max} stretches of nights of this calendar; name a shorter range',
    'crea più di {max} serie di notti in questo calendario; indica un periodo più breve',
  ),
  noWeekday: row('must name at least one of {choices}', 'deve nominare almeno uno tra {choices}'),
  noAmount: row(
    'must have at least one amount such as {example}, or be null',
    'deve avere almeno un importo come {example}, o essere null',
  ),
  unitsBelowZero: row('is {units}, below zero: read as 0', 'è {units}, sotto zero: vale 0'),
  sellsForNothing: row('is 0.00: the night sells for nothing', 'è 0,00: la notte si vende gratis'),

  // Pictures and links.
  notPictureUrl: row(
    'must be an https:// URL without a user name or a fragment',
    'deve essere un indirizzo https:// senza nome utente e senza frammento',
  ),
  picturePathSigns: row(
    'must be a path below the folder of pictures, without any of % ? # : \\ and control characters',
    'deve essere un percorso sotto la cartella delle immagini, senza % ? # : \\ né caratteri di controllo',
  ),
  notPicturePath: row(
    'must be a path below the folder of pictures, such as "{example}", without "..", hidden files, and a slash in front or doubled',
    'deve essere un percorso sotto la cartella delle immagini, come "{example}", senza "..", file nascosti, né barre all’inizio o doppie',
  ),
  notPlaceholder: row('holds {name}, which is not a placeholder', 'contiene {name}, che non è un segnaposto'),
  notTemplate: row(
    'is not an https:// URL with placeholders after its host',
    'non è un URL https:// con i segnaposto dopo l’host',
  ),
  notInHeader: row(
    'holds a blank, a line break or a letter that must be escaped',
    'contiene uno spazio, un’interruzione di riga o una lettera da codificare',
  ),

  // Cancellation and payment.
  notPercent: row(
    'must be a decimal from 0 to 100 in a string such as "{example}", with at most two digits behind the point',
    'deve essere un decimale da 0 a 100, come {example}, con al massimo due cifre dopo il punto',
  ),
  notPercentAboveZero: row(
    'must be a decimal above 0, up to 100, in a string such as "{example}", with at most two digits behind the point',
    'deve essere un decimale superiore a 0, fino a 100, come {example}, con al massimo due cifre dopo il punto',
  ),
  stepNotBelow: row(
    'must be below that of the step before ({before}): steps fall towards check-in',
    'deve essere inferiore al passo precedente ({before}): i passi calano verso l’arrivo',
  ),
  refundRises: row(
    'must not be above that of the step before: refunds fall towards check-in',
    'non deve superare il passo precedente: i rimborsi calano verso l’arrivo',
  ),
  notOfDue: row('does not belong to "due":"{due}"; remove it', 'non va con la scadenza {due}: toglilo'),
  noSteps: row(
    'must have at least one step; leave it out to say nothing',
    'deve avere almeno un passo; lascialo vuoto per non dire nulla',
  ),
  stepsNotWhole: row(
    'must have percentages that are 100 together, not {sum}',
    'deve avere percentuali che insieme fanno 100, non {sum}',
  ),
  stepDisordered: row(
    'must come behind that of the step before, in the order {order}',
    'deve venire dopo quello del passo precedente, nell’ordine {order}',
  ),
};
