/**
 * Why a value is refused, in the reader's language. The readers of files and documents say it in English, for commands
 * and programs; `{1}` stands for what differs. A reason may go on with the value: `, not "soon"`.
 */
import type { Locale } from '../../../domain/property.ts';
import { type Said, said } from './said.ts';

export interface ToldReason {
  readonly text: string;
  /** The language of the text. */
  readonly lang: 'en' | 'it';
}

/** The first that fits counts. */
const REASONS: readonly Said[] = [
  // Values.
  said('is required', 'è obbligatorio'),
  said('must be true or false', 'deve essere VERO o FALSO (true o false)'),
  said('must be a whole number from {1} to {2}', 'deve essere un numero intero da {1} a {2}'),
  said('must be a number from {1} to {2}', 'deve essere un numero da {1} a {2}'),
  said(
    'must be a real date written YYYY-MM-DD',
    'deve essere una data esistente, scritta AAAA-MM-GG (con punto e virgola o tabulazioni anche GG/MM/AAAA)',
  ),
  said(
    'must not be before dateFrom, both nights are included',
    'non deve precedere dateFrom: entrambe le notti sono comprese',
  ),
  said(
    'must be a non-negative amount with at most two decimals in a string such as "{1}"',
    'deve essere un importo non negativo con al massimo due decimali, come {1}',
  ),
  said('must be a non-negative decimal in a string such as "{1}"', 'deve essere un decimale non negativo, come {1}'),
  said('has a decimal comma: write {1}', 'ha una virgola decimale: scrivi {1}'),
  said(
    'must be 1 to {1} of the characters {2} (and not . or ..)',
    'deve avere da 1 a {1} dei caratteri {2} (e non essere . o ..)',
  ),
  said('must be one of {1}', 'deve essere uno tra {1}'),
  said('must name at least one of {1}', 'deve nominare almeno uno tra {1}'),
  said('must not be below {1} ({2})', 'non deve essere inferiore a {1} ({2})'),
  said('must not be before {1} ({2}), both are included', 'non deve precedere {1} ({2}): entrambe sono comprese'),
  said('must not be blank', 'non deve essere vuoto'),
  said('must have at most {1} characters', 'deve avere al massimo {1} caratteri'),
  said('must have at most {1} entries', 'deve avere al massimo {1} voci'),
  said('must have at least one entry', 'deve avere almeno una voce'),
  said('must have at least one inventory type', 'deve avere almeno un tipo di alloggio'),
  said('must have a text for {1}', 'deve avere un testo per {1}'),
  said('must have at least one amount such as {1}, or be null', 'deve avere almeno un importo come {1}, o essere null'),
  said('must be a string', 'deve essere un testo'),
  said('must be a list', 'deve essere un elenco'),
  said('must be a JSON object', 'deve essere un oggetto JSON'),
  said('must be "all" or a list of partner ids', 'deve essere "all" o un elenco di id di partner'),
  said('must be a partner id', 'deve essere l’id di un partner'),
  said('must be a country code of ISO 3166-1 such as {1}', 'deve essere un codice di paese ISO 3166-1, come {1}'),
  said(
    'must be a currency code of ISO 4217 in use such as {1}',
    'deve essere un codice di valuta ISO 4217 in uso, come {1}',
  ),
  said(
    'must be an IANA zone such as {1} (not an offset)',
    'deve essere un fuso orario IANA, come {1} (non uno scarto)',
  ),
  said('must be a multiple of 0.5', 'deve essere un multiplo di 0,5'),
  said('must be a time from "{1}" to "{2}"', 'deve essere un’ora tra {1} e {2}'),
  said('must be written {1}', 'deve essere scritto {1}'),
  said('is not a known field; remove it (known here: {1})', 'non è un campo conosciuto; toglilo (conosciuti qui: {1})'),
  said('is {1}, below zero: read as 0', 'è {1}, sotto zero: vale 0'),
  said('is 0.00: the night sells for nothing', 'è 0,00: la notte si vende gratis'),
  said('names {1} twice in one rule', 'nomina {1} due volte nella stessa regola'),
  said(
    'begins like JSON and is not JSON; check brackets and quotes',
    'comincia come JSON e non lo è; controlla parentesi e virgolette',
  ),
  said('{1} is already an inventory type of this property', '{1} è già un tipo di alloggio di questa struttura'),
  said('{1} is already a discount of this property', '{1} è già uno sconto di questa struttura'),
  said(
    'must be above 0 and at most 100, with at most two decimals, in a string such as "{1}"',
    'deve essere più di 0 e al massimo 100, con al massimo due decimali, come {1}',
  ),
  said(
    'must be a decimal {1} in a string such as "{2}", with at most two digits behind the point',
    'deve essere un decimale (da 0 a 100), come {2}, con al massimo due cifre dopo il punto',
  ),
  said('is required by the logic {1}', 'serve per la logica {1}'),
  said('does not belong to the logic {1}; remove it', 'non va con la logica {1}: toglilo'),
  said('belong to the logic {1}; remove them', 'vanno solo con la logica {1}: toglili'),
  said('belongs to the logic {1}; remove it', 'va solo con la logica {1}: toglilo'),
  said(
    'must not stand beside tiers, which have amounts of their own',
    'non può stare accanto agli scaglioni, che hanno importi propri',
  ),
  said('must not stand in an inclusive rule', 'non può stare in una regola già compresa nel prezzo'),
  said('must be above the one before it', 'deve essere superiore a quello precedente'),
  said(
    'must be {1}, or the code of a rule that runs before',
    'deve essere {1}, o il codice di una regola che viene prima',
  ),
  said('must be an inventory type of this property', 'deve essere un tipo di alloggio di questa struttura'),
  said(
    'must name at least one inventory type; leave the field out for all',
    'deve nominare almeno un tipo di alloggio; lascia vuoto il campo per tutti',
  ),
  said('is reserved: {1}', 'è riservato: {1}'),
  said('{1} is taken', '{1} esiste già'),
  said(
    'must be below that of the step before ({1}): steps fall towards check-in',
    'deve essere inferiore al passo precedente ({1}): i passi calano verso l’arrivo',
  ),
  said(
    'must not be above that of the step before: refunds fall towards check-in',
    'non deve superare il passo precedente: i rimborsi calano verso l’arrivo',
  ),
  said('does not belong to "due":"{1}"; remove it', 'non va con la scadenza {1}: toglilo'),
  said(
    'must be an https:// URL without a user name or a fragment',
    'deve essere un indirizzo https:// senza nome utente e senza frammento',
  ),
  said(
    'must be a path below the folder of pictures, {1}',
    'deve essere un percorso sotto la cartella delle immagini, come hotel-ponte/front.jpg',
  ),
  said(
    '{1} rules for {2} inventory types are more than {3} together',
    '{1} regole per {2} tipi di alloggio sono più di {3} insieme',
  ),
  said(
    'must be a stay: the day of arrival, a later day of departure, and how many guests',
    'deve essere un soggiorno: il giorno di arrivo, un giorno di partenza successivo e il numero di ospiti',
  ),

  // Pictures.
  said('choose a file', 'scegli un file'),
  said(
    'is empty (0 bytes); open the picture on your device, so that it is loaded, and send it again',
    'è vuota (0 byte); apri l’immagine sul tuo dispositivo, così che venga caricata, e inviala di nuovo',
  ),
  said('is empty (0 bytes); choose another file', 'è vuoto (0 byte); scegli un altro file'),
  said(
    'is HEIC, which browsers do not show; save it as JPEG and send that',
    'è in HEIC, che i browser non mostrano; salvala come JPEG e invia quella',
  ),
  said('must be a JPEG, PNG, WebP or AVIF picture', 'deve essere un’immagine JPEG, PNG, WebP o AVIF'),
  said('must have at most {1} MB, not {2} bytes', 'deve avere al massimo {1} MB, non {2} byte'),
  said(
    'holds several pictures, as animations do; send one picture',
    'contiene più immagini, come le animazioni; inviane una sola',
  ),
  said(
    'is damaged or not complete; open it in a program for pictures, save it again, and send that file',
    'è danneggiata o incompleta; aprila in un programma per immagini, salvala di nuovo e invia quel file',
  ),
  said(
    'must be at most {1} pixels wide and high, {2} million in all, not {3}',
    'deve avere al massimo {1} pixel di larghezza e altezza, {2} milioni in tutto, non {3}',
  ),
  said(
    'would still have more than {1} MiB when it is made ready for the page; send a smaller one',
    'avrebbe ancora più di {1} MiB una volta pronta per la pagina; inviane una più piccola',
  ),
  said(
    'takes more than {1} to be read; save it as JPEG, or smaller',
    'richiede più di {1} per essere letta; salvala come JPEG, o più piccola',
  ),
  said(
    'was not read: more than {1} pictures came within a minute; send it again in a moment',
    'non è stata letta: sono arrivate più di {1} immagini in un minuto; inviala di nuovo tra poco',
  ),
  said(
    'was not read: other pictures are being read; send it again in a moment',
    'non è stata letta: si stanno leggendo altre immagini; inviala di nuovo tra poco',
  ),
  said(
    'was not taken: a form sends at most {1} pictures',
    'non è stata accettata: un modulo invia al massimo {1} immagini',
  ),
  said(
    'the disk is full: nothing was stored in WEB_IMAGES',
    'il disco è pieno: nulla è stato conservato in WEB_IMAGES',
  ),
  said(
    "it can't be written ({1}): nothing was stored in WEB_IMAGES",
    'non si può scrivere ({1}): nulla è stato conservato in WEB_IMAGES',
  ),
  said(
    'was changed by others at the same moment; try again',
    'è stata modificata da altri nello stesso momento; riprova',
  ),
  said('is one of the pictures already', 'è già tra le immagini'),
  said('must be at most {1} pictures; remove one first', 'non possono essere più di {1} immagini; prima togline una'),

  // Rows.
  said(
    'sets nothing: fill at least one column besides ids and dates',
    'non imposta nulla: compila almeno una colonna oltre agli id e alle date',
  ),
  said('names no night of this range', 'non comprende alcuna notte di questo periodo'),
  said(
    'are taken for at most {1} nights in one row; name a shorter range',
    'valgono per al massimo {1} notti in una riga; indica un periodo più breve',
  ),
  said(
    'has a cell in column {1}, which has no name in the header',
    'ha una cella nella colonna {1}, che non ha nome nell’intestazione',
  ),
  said(
    'has {1} cells where the header names {2} columns; put a text that holds a separator in quotes',
    'ha {1} celle, ma l’intestazione nomina {2} colonne; metti tra virgolette i testi che contengono il separatore',
  ),
  said(
    'has a quote that is not closed, or is inside a cell: double it or remove it',
    'ha virgolette non chiuse, o dentro una cella: raddoppiale o toglile',
  ),
  said('is longer than {1} characters', 'è più lunga di {1} caratteri'),
  said('is longer than {1} bytes', 'è più lunga di {1} byte'),
  said('has more than {1} rows', 'ha più di {1} righe'),
  said(
    'differs from the first row of this property; leave it blank or repeat it',
    'è diverso dalla prima riga di questa struttura; lascialo vuoto o ripetilo',
  ),
  said(
    'stands beside a text for all languages; fill in one of them',
    'sta accanto a un testo per tutte le lingue; compila solo uno dei due',
  ),
  said('{1} is already on an earlier line; the first one applies', '{1} è già in una riga precedente; vale la prima'),
  said(
    '{1} belongs to another source; its document is left as it is',
    '{1} appartiene a un’altra fonte; il suo documento resta com’è',
  ),
  said('leads to {1}, which BOOKING_ORIGINS does not list', 'porta a {1}, che BOOKING_ORIGINS non elenca'),
  said(
    'There is no property {1}; send its document first',
    'La struttura {1} non esiste; invia prima il suo documento',
  ),
  said('The property {1} has no inventory type {2}', 'La struttura {1} non ha il tipo di alloggio {2}'),
  said(
    'Prices of this inventory type come from "{1}" only; leave them out, or change its priceSource',
    'I prezzi di questo tipo di alloggio vengono solo da "{1}"; toglili, o cambia la sua priceSource',
  ),

  said('has the error {1}', 'contiene l’errore {1}'),
  said(
    'has a formula without a value: open the file in a spreadsheet and save it',
    'ha una formula senza valore: apri il file in un foglio di calcolo e salvalo',
  ),
  said(
    'is a number of more than 15 digits, of which spreadsheets keep 15: format the column as text, and write it again',
    'è un numero di più di 15 cifre, di cui i fogli di calcolo ne tengono 15: formatta la colonna come testo e riscrivilo',
  ),
  said(
    'Row {1} is hidden in the spreadsheet; hidden rows are read like the others: delete those that do not count.',
    'La riga {1} è nascosta nel foglio di calcolo; le righe nascoste si leggono come le altre: elimina quelle che non contano.',
  ),
  said(
    'Hidden in the spreadsheet: {1}; hidden columns are read like the others: delete those that do not count.',
    'Nascoste nel foglio di calcolo: {1}; le colonne nascoste si leggono come le altre: elimina quelle che non contano.',
  ),
  said(
    'is a JSON list: write each property on a line of its own, as {1} does',
    'è un elenco JSON: scrivi ogni struttura su una riga propria, come fa {1}',
  ),
  said(
    'is JSON over several lines: write each property on a line of its own, as {1} does',
    'è JSON su più righe: scrivi ogni struttura su una riga propria, come fa {1}',
  ),
  said(
    'Row {1}: {2} is a number in the spreadsheet, taken as shown: {3}. Zeros before it are lost, if it had any: format the column as text, and write it again.',
    'Riga {1}: {2} è un numero nel foglio di calcolo, preso come appare: {3}. Gli zeri iniziali, se ne aveva, sono persi: formatta la colonna come testo e riscrivilo.',
  ),
  said(
    'Row {1}: {2} is a number in the spreadsheet, taken as shown: {3}. Its digits are lost: format the column as text, and write it again.',
    'Riga {1}: {2} è un numero nel foglio di calcolo, preso come appare: {3}. Le sue cifre sono perse: formatta la colonna come testo e riscrivilo.',
  ),

  // Settings of the site.
  said('is not a line of at most {1} characters', 'non è una riga di al massimo {1} caratteri'),
  said(
    'holds the invisible character U+{1}, which turns the direction of text: remove it',
    'contiene il carattere invisibile U+{1}, che cambia la direzione del testo: toglilo',
  ),
  said('holds a mark that turns the direction of text', 'contiene un segno che cambia la direzione del testo'),
  said('is not a colour like #rrggbb', 'non è un colore come #rrggbb'),
  said('is not a mailto:, tel: or https: address', 'non è un indirizzo mailto:, tel: o https:'),
  said('is not an https:// URL with placeholders after its host', 'non è un URL https:// con i segnaposto dopo l’host'),
  said('is not an https:// URL', 'non è un URL https://'),
  said('is not a whole number from {1} to {2}', 'non è un numero intero da {1} a {2}'),
  said(
    'holds {1}, which is not an https:// origin without path or wildcard',
    'contiene {1}, che non è un’origine https:// senza percorso né caratteri jolly',
  ),
  said('holds {1}, which is not a placeholder', 'contiene {1}, che non è un segnaposto'),
  said('has more than {1} origins', 'ha più di {1} origini'),
  said(
    'holds a line break or another control character',
    'contiene un’interruzione di riga o un altro carattere di controllo',
  ),
  said(
    'holds a blank, a line break or a letter that must be escaped',
    'contiene uno spazio, un’interruzione di riga o una lettera da codificare',
  ),
  said(
    'has a query or a fragment, where only a path may follow the host',
    'ha una query o un frammento: dopo l’host può seguire solo un percorso',
  ),
  said('holds a user name or a password', 'contiene un nome utente o una password'),
  said('leads back to HANDOFF_BASE_URL', 'riporta a HANDOFF_BASE_URL, la pagina da cui parte il viaggiatore'),
  said('has more than {1} KB; make it smaller', 'supera {1} KB; riducilo'),
  said('is not a PNG picture', 'non è un’immagine PNG'),
  said('is not an SVG or PNG picture of at most {1} KB', 'non è un’immagine SVG o PNG di al massimo {1} KB'),
  said('is neither an SVG nor a PNG picture', 'non è un’immagine SVG né PNG'),
  said(
    'is damaged or not complete; open it in a program for pictures, save it again, and send that file',
    'è danneggiato o incompleto; aprilo in un programma per immagini, salvalo di nuovo e invia quel file',
  ),
  said(
    'was not read: other pictures are being read; send it again in a moment',
    'non è stato letto: altre immagini sono in lettura; invialo di nuovo tra poco',
  ),
  said('is set in the environment, which wins: change it there', 'è impostato nell’ambiente, che prevale: cambialo lì'),

  // Files.
  said(
    'holds more than {1} unpacked: split it, or save it as CSV',
    'contiene più di {1}, una volta estratto: dividilo, o salvalo come CSV',
  ),
  said('is larger than {1}: split it, or save it as CSV', 'è più grande di {1}: dividilo, o salvalo come CSV'),
  said(
    'is damaged: its XML has more than {1} open elements, which no spreadsheet writes',
    'è danneggiato: il suo XML ha più di {1} elementi aperti, come nessun foglio di calcolo scrive',
  ),
  said(
    'is damaged: row {1} has a cell of more than {2} characters, which no spreadsheet saves',
    'è danneggiato: la riga {1} ha una cella di più di {2} caratteri, come nessun foglio di calcolo salva',
  ),
  said(
    'is damaged: it has a text of more than {1} characters, which no spreadsheet saves',
    'è danneggiato: ha un testo di più di {1} caratteri, come nessun foglio di calcolo salva',
  ),
  said(
    'is damaged: its merged ranges are over more than {1} rows together',
    'è danneggiato: le sue celle unite coprono in tutto più di {1} righe',
  ),
  said('is damaged: it has more than {1} merged ranges', 'è danneggiato: ha più di {1} gruppi di celle unite'),
  said('is damaged: it has more than {1} cells', 'è danneggiato: ha più di {1} celle'),
  said('is damaged: it has too many texts', 'è danneggiato: ha troppi testi'),
  said(
    'takes more than {1} to be read: split it, or save it as CSV',
    'richiede più di {1} per essere letto: dividilo, o salvalo come CSV',
  ),
  said('is damaged: {1}', 'è danneggiato: {1}'),
  said('is not a workbook of Excel (.xlsx), nor CSV', 'non è una cartella di Excel (.xlsx) né un CSV'),
  said(
    'is an old workbook (.xls), or has a password: save it as .xlsx without one',
    'è una vecchia cartella (.xls), o ha una password: salvalo come .xlsx senza password',
  ),
  said(
    'is not a workbook, so it has no sheets to choose from',
    'non è una cartella di lavoro, quindi non ha fogli tra cui scegliere',
  ),
  said('has no sheet that is not hidden; it has {1}', 'non ha fogli visibili; ha {1}'),
  said('has no sheet {1}; it has {2}', 'non ha il foglio {1}; ha {2}'),
  said('is empty: the first line must name the columns', 'è vuoto: la prima riga deve nominare le colonne'),
  said(
    'mixes two encodings, {1}: save it again as "CSV UTF-8"',
    'mescola due codifiche, {1}: salvalo di nuovo come "CSV UTF-8"',
  ),
  said(
    'is not {1} (at line {2} or behind it): save it again as "CSV UTF-8"',
    'non è in {1} (alla riga {2} o più avanti): salvalo di nuovo come "CSV UTF-8"',
  ),
  said(
    'is a workbook, which names its own encoding: leave the encoding out',
    'è una cartella di lavoro, che dichiara da sé la codifica: lascia vuota la codifica',
  ),
  said('is UTF-16: save it again as "CSV UTF-8"', 'è in UTF-16: salvalo di nuovo come "CSV UTF-8"'),
];

interface Rule {
  /** The texts around the values of the English sentence. */
  readonly around: readonly string[];
  readonly italian: string;
}

const RULES: readonly Rule[] = REASONS.map((reason) => ({
  around: reason['en-GB'].split(/\{\d\}/),
  italian: reason['it-IT'],
}));

interface ReadReason {
  /** In the order of the sentence. */
  readonly values: readonly string[];
  /** The value that was given instead, if the sentence ends with it. */
  readonly given: string | undefined;
}

const NOT = ', not ';

/**
 * Undefined: another sentence. The first place of each text counts: a pattern with several values would be slow on what
 * somebody typed.
 */
function readReason(reason: string, [first = '', ...later]: readonly string[]): ReadReason | undefined {
  if (!reason.startsWith(first)) return undefined;
  const values: string[] = [];
  let from = first.length;
  for (const text of later.slice(0, -1)) {
    const at = reason.indexOf(text, from + 1);
    if (at === -1) return undefined;
    values.push(reason.slice(from, at));
    from = at + text.length;
  }
  const last = later.at(-1);
  if (last === undefined) return readEnd(reason, from, values);
  for (let at = reason.indexOf(last, from + 1); at !== -1;) {
    const read = readEnd(reason, at + last.length, [...values, reason.slice(from, at)]);
    if (read !== undefined) return read;
    // Without a text behind it, a value ends where the reason does, or where the given value follows.
    const next = last === '' ? reason.indexOf(NOT, at + 1) : reason.indexOf(last, at + 1);
    if (next === -1 && last === '' && at < reason.length) at = reason.length;
    else at = next;
  }
  return undefined;
}

function readEnd(reason: string, at: number, values: readonly string[]): ReadReason | undefined {
  if (at === reason.length) return { values, given: undefined };
  const given = reason.startsWith(NOT, at) ? reason.slice(at + NOT.length) : '';
  return given === '' ? undefined : { values, given };
}

/** In English where the reason is in no row. */
export function tellReason(locale: Locale, reason: string): ToldReason {
  if (locale === 'en-GB') return { text: reason, lang: 'en' };
  for (const { around, italian } of RULES) {
    const read = readReason(reason, around);
    if (read === undefined) continue;
    const { values, given } = read;
    const text = italian.replaceAll(/\{(\d)\}/g, (_all, place: string) => values[Number(place) - 1] ?? '');
    return { text: given === undefined ? text : `${text}, non ${given}`, lang: 'it' };
  }
  return { text: reason, lang: 'en' };
}
