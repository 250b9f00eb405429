/** Values of any document, sheet, form or option. */
import { clause, row } from './refusal-row.ts';

export const VALUE_ROWS = {
  // Parts of other reasons.
  notGiven: row('{wrong}, not {given}', '{wrong}, non {given}'),
  notGivenPoint: row('{wrong}, not {given}: write {instead}', '{wrong}, non {given}: scrivi {instead}'),
  givenBehind: row('{wrong}: {given}', '{wrong}: {given}'),
  orNone: row('{wrong}, or none', '{wrong}, oppure none'),
  oneOrOther: row('{one} or {other}', '{one} o {other}'),
  aList: row('a list', 'un elenco'),
  anObject: row('an object', 'un oggetto'),
  nothing: row('nothing', 'nulla'),

  // Fields.
  required: row('is required', 'è obbligatorio'),
  unknownField: row(
    'is not a known field; remove it (known here: {known})',
    'non è un campo conosciuto; toglilo (conosciuti qui: {known})',
  ),
  misspeltField: row(
    'is not a known field; did you mean {meant}?',
    'non è un campo conosciuto; intendevi {meant}?',
  ),
  repeatedField: row('appears twice; keep one of them', 'compare due volte; tienine uno'),
  otherListSent: row('must not be sent with {name}', 'non va inviato insieme a {name}'),

  // Kinds of values.
  notObject: row('must be a JSON object', 'deve essere un oggetto JSON'),
  notList: row('must be a list', 'deve essere un elenco'),
  notString: row('must be a string', 'deve essere un testo'),
  notText: row('must be text', 'deve essere un testo'),
  empty: row('must not be empty', 'non deve essere vuoto'),
  notFlag: row('must be true or false', 'deve essere VERO o FALSO (true o false)'),
  notWhole: row(
    'must be a whole number from {min} to {max}',
    'deve essere un numero intero da {min} a {max}',
  ),
  notNumber: row('must be a number from {min} to {max}', 'deve essere un numero da {min} a {max}'),
  notDate: row(
    'must be a real date written YYYY-MM-DD',
    'deve essere una data esistente, scritta AAAA-MM-GG (con punto e virgola o tabulazioni anche GG/MM/AAAA)',
  ),
  notTime: row('must be a time from "{first}" to "{last}"', 'deve essere un’ora tra {first} e {last}'),
  notChoice: row('must be one of {choices}', 'deve essere uno tra {choices}'),
  notMoney: row(
    'must be a non-negative amount with at most two decimals in a string such as "{example}"',
    'deve essere un importo non negativo con al massimo due decimali, come {example}',
  ),
  notDecimal: row(
    'must be a non-negative decimal in a string such as "{example}"',
    'deve essere un decimale non negativo, come {example}',
  ),
  notId: row(
    'must be 1 to {max} of the characters {characters} (and not . or ..)',
    'deve avere da 1 a {max} dei caratteri {characters} (e non essere . o ..)',
  ),

  // Texts and lists.
  blank: row('must not be blank', 'non deve essere vuoto'),
  tooLong: row('is longer than {max} characters', 'è più lungo di {max} caratteri'),
  textLong: row('must have at most {max} characters', 'deve avere al massimo {max} caratteri'),
  halfCharacter: row(
    'holds half of a surrogate pair; write whole characters',
    'contiene metà di una coppia surrogata; scrivi caratteri interi',
  ),
  nulCharacter: row(
    'holds a NUL character (\\u0000); remove it',
    'contiene un carattere NUL (\\u0000); toglilo',
  ),
  turnsDirection: row(
    'holds the invisible character U+{code}, which turns the direction of text: remove it',
    'contiene il carattere invisibile U+{code}, che cambia la direzione del testo: toglilo',
  ),
  notLocalized: row(
    'must be a string, or an object of strings by locale ({locales})',
    'deve essere un testo, o un oggetto di testi per lingua ({locales})',
  ),
  noLocale: row('must have a text for {first} or {second}', 'deve avere un testo per {first} o {second}'),
  listLong: row('must have at most {max} entries', 'deve avere al massimo {max} voci'),
  listEmpty: row('must have at least one entry', 'deve avere almeno una voce'),

  // Ranges.
  belowOther: row('must not be below {other} ({value})', 'non deve essere inferiore a {other} ({value})'),
  beforeOther: row(
    'must not be before {other} ({value}), both are included',
    'non deve precedere {other} ({value}): entrambe sono comprese',
  ),
  datesTurned: row(
    'must not be before {other}, both nights are included',
    'non deve precedere {other}: entrambe le notti sono comprese',
  ),

  // Names of sources.
  reserved: row('is reserved: {why}', 'è riservato: {why}'),
  sourceForm: row(
    'must be 1 to {max} of the characters A-Z a-z 0-9 . _ : ~ -',
    'deve avere da 1 a {max} caratteri tra A-Z a-z 0-9 . _ : ~ -',
  ),
  sourceOfPeople: clause(
    '{name} is for people, who use "stayport close" and "stayport open"; choose another name',
    '{name} è per le persone, che usano le notti della console; scegli un altro nome',
  ),
  sourceOfService: clause(
    'sources that begin with {prefixes} are for the service itself; choose another name',
    'le fonti che iniziano con {prefixes} sono del servizio stesso; scegli un altro nome',
  ),
};
