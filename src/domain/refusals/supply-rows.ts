/** Messages and imports: what they say beside the document, and what is stored that refuses them. */
import { clause, row, sentence } from './refusal-row.ts';

export const SUPPLY_ROWS = {
  // The body of a message.
  bodyNotUtf8: sentence('The body is not valid UTF-8', 'Il corpo non è UTF-8 valido'),
  ofBody: sentence('The body {wrong}', 'Il corpo {wrong}'),
  entriesMany: sentence(
    'A message has at most {max} entries; send several messages',
    'Un messaggio ha al massimo {max} voci; invia più messaggi',
  ),
  changesMany: sentence('A message has at most {max} changes', 'Un messaggio ha al massimo {max} modifiche'),
  notPathId: row('must be the id of the path', 'deve essere l’id del percorso'),
  fieldIgnored: sentence(
    'This field has no meaning here and was left out',
    'Questo campo qui non ha significato ed è stato tralasciato',
  ),
  noMapping: sentence(
    '{key} has no mapping; add one with {command}',
    '{key} non ha una corrispondenza; aggiungila con {command}',
  ),
  keyOr: row('is required, or {other}', 'è obbligatorio, oppure {other}'),
  calendarsOf: row(
    "marks calendars of other or several sources; import the document that is printed for the property's own source",
    'segna i calendari di altre fonti o di più fonti; importa il documento stampato per la fonte della struttura',
  ),
  taxedTypes: row(
    '{rules} rules for {types} inventory types are more than {max} together',
    '{rules} regole per {types} tipi di alloggio sono più di {max} insieme',
  ),

  // Values in the style of Channex.
  otherCurrencyForm: row(
    'must be that of the property, such as "{example}"',
    'deve essere quella della struttura, come "{example}"',
  ),
  otherCurrency: row(
    'must be that of the property, {currency}',
    'deve essere quella della struttura, {currency}',
  ),
  notPerRoom: row('must be "{form}"', 'deve essere "{form}"'),
  changesMeaning: row(
    'changes what the rate means and is not read: leave it out, and {cure}',
    'cambia il significato del prezzo e non viene letto: lascialo fuori, e {cure}',
  ),
  sendByGuests: row('send rates, such as {example}', 'invia i prezzi, come {example}'),
  sendOwnAmount: row('send the amount that the night costs', 'invia l’importo che costa la notte'),
  taxesOfProperty: row(
    'the taxes of the property say whether a rate has them',
    'sono le tasse della struttura a dire se un prezzo le contiene',
  ),
  rateOfNight: row(
    'a rate is that of a night, whatever the length of the stay',
    'un prezzo è quello di una notte, quale che sia la durata del soggiorno',
  ),
  stretchesMany: row(
    'makes more than {max} stretches of nights; name a shorter range',
    'crea più di {max} serie di notti; indica un periodo più breve',
  ),
  besideDate: row(
    'must not be sent with date; send one date, or a range',
    'non va inviato insieme a date; invia una data, o un periodo',
  ),
  notRate: row(
    'must be an amount above 0 such as "{amount}", or a whole number of minor units such as {units}',
    'deve essere un importo superiore a 0, come "{amount}", o un numero intero di unità minori, come {units}',
  ),
  notMinorUnits: row(
    'must be an amount with at most two decimals and {digits} digits before them, which {units} minor units are not',
    'deve essere un importo con al massimo due decimali e {digits} cifre prima, cosa che {units} unità minori non sono',
  ),
  notMinorUnitsOf: row(
    'must be an amount with at most two decimals and {digits} digits before them, which {units} minor units of {currency} are not',
    'deve essere un importo con al massimo due decimali e {digits} cifre prima, cosa che {units} unità minori di {currency} non sono',
  ),
  noRates: row('must have at least one rate, or be null', 'deve avere almeno un prezzo, o essere null'),
  occupancyMissing: row(
    'must name the occupancy of each of several rates',
    'deve indicare per quanti ospiti vale ognuno dei prezzi',
  ),
  occupancyTwice: row('must name each occupancy once', 'deve indicare una volta sola ogni numero di ospiti'),
  noDay: row(
    'must name at least one day, such as "{example}"',
    'deve nominare almeno un giorno, come "{example}"',
  ),

  // Entries that the stored documents refuse.
  noProperty: sentence(
    'There is no property {propertyId}; send its document first',
    'La struttura {propertyId} non esiste; invia prima il suo documento',
  ),
  noType: sentence(
    'The property {propertyId} has no inventory type {typeId}',
    'La struttura {propertyId} non ha il tipo di alloggio {typeId}',
  ),
  pricesOfOther: sentence(
    'Prices of this inventory type come from "{source}" only; leave them out, or change its priceSource',
    'I prezzi di questo tipo di alloggio vengono solo da "{source}"; toglili, o cambia la sua priceSource',
  ),
  documentOfOther: sentence(
    'The document of {propertyId} belongs to the source "{source}"',
    'Il documento di {propertyId} appartiene alla fonte "{source}"',
  ),
  documentOwned: sentence(
    'The document of {propertyId} belongs to "{source}"; withdraw the property first',
    'Il documento di {propertyId} appartiene a "{source}"; prima ritira la struttura',
  ),
  confirmedMeanwhile: sentence(
    'A source has confirmed {propertyId} in the meantime',
    'Nel frattempo una fonte ha confermato {propertyId}',
  ),
  hasForeignPrices: row(
    'has prices, and prices of this type come from "{source}" only; leave them out, or change priceSource',
    'ha prezzi, ma i prezzi di questo tipo vengono solo da "{source}"; toglili, o cambia priceSource',
  ),
  foreignSite: row(
    'leads to {origin}, which BOOKING_ORIGINS does not list',
    'porta a {origin}, che BOOKING_ORIGINS non elenca',
  ),
  lineRepeated: clause(
    '{propertyId} is already on an earlier line; the first one applies',
    '{propertyId} è già in una riga precedente; vale la prima',
  ),
  ofOtherSource: clause(
    '{propertyId} belongs to another source; its document is left as it is',
    '{propertyId} appartiene a un’altra fonte; il suo documento resta com’è',
  ),

  // Warnings: taken, and perhaps not meant.
  hiddenByGuests: sentence(
    '{field} of {typeId} of {propertyId} is stored, and does not count where ratesByGuests is set: clear that, or send the price by guests',
    '{field} di {typeId} di {propertyId} è conservato, e non conta dove è impostato ratesByGuests: toglilo, o invia il prezzo per ospiti',
  ),
  hiddenByStop: sentence(
    '{field} of {typeId} of {propertyId} is stored, and nothing is sold where stopSell is set: clear that',
    '{field} di {typeId} di {propertyId} è conservato, e nulla si vende dove è impostato stopSell: toglilo',
  ),
  hiddenByHand: sentence(
    '{field} of {typeId} of {propertyId} is stored, and nothing is sold on the nights that are closed manually: open them',
    '{field} di {typeId} di {propertyId} è conservato, e nulla si vende nelle notti chiuse a mano: aprile',
  ),
  hiddenBy: sentence(
    '{field} of {typeId} of {propertyId} is hidden by {by}',
    '{field} di {typeId} di {propertyId} è nascosto da {by}',
  ),
  repricedNight: sentence(
    'The price of {typeId} of {propertyId} that was set by hand for {from} no longer counts',
    'Il prezzo di {typeId} di {propertyId} impostato a mano per il {from} non conta più',
  ),
  repricedNights: sentence(
    'The price of {typeId} of {propertyId} that was set by hand for {from} to {to} no longer counts',
    'Il prezzo di {typeId} di {propertyId} impostato a mano dal {from} al {to} non conta più',
  ),

  // Why an import ended.
  ofFile: clause('{file} {wrong}', '{file} {wrong}'),
  strictRejected: clause(
    '{count} rejected, so nothing was written (--strict)',
    '{count} rifiutate, quindi nulla è stato scritto (--strict)',
  ),
  rejectedMeanwhile: clause(
    '{count} rejected: the catalogue changed while the file was read; the other rows are written',
    '{count} rifiutate: il catalogo è cambiato durante la lettura del file; le altre righe sono scritte',
  ),
  nothingRead: clause(
    'no property was read, so nothing was withdrawn (--replace)',
    'nessuna struttura è stata letta, quindi nulla è stato ritirato (--replace)',
  ),
  fileOther: sentence(
    'The file is not the one that was shown: it changed on the disk. Send it again',
    'Il file non è quello mostrato: è cambiato sul disco. Invialo di nuovo',
  ),
  importEnded: sentence(
    'It ended before its time: what it wrote stays. Send the file again; nothing is done twice',
    'È terminata prima del tempo: ciò che ha scritto resta. Invia di nuovo il file; nulla si fa due volte',
  ),
  importUnseen: sentence(
    'The file could not be looked at to its end; nothing was written. Send it again, or a smaller part of it',
    'Il file non si è potuto esaminare fino in fondo; nulla è stato scritto. Invialo di nuovo, o una sua parte',
  ),
  importBusy: sentence(
    'Another file is being worked on: wait until it is done, then try again',
    'Un altro file è in lavorazione: aspetta che finisca, poi riprova',
  ),
  importWorking: sentence(
    '{file} of {person} is being worked on: wait until it is done, then try again',
    '{file} di {person} è in lavorazione: aspetta che finisca, poi riprova',
  ),
  importApplied: sentence('This file was applied already', 'Questo file è già stato applicato'),
  importNotShown: sentence(
    'This file can not be applied now: open its page again',
    'Questo file ora non si può applicare: riapri la sua pagina',
  ),
  importOther: sentence(
    'This is not the file that was shown: look at it again',
    'Questo non è il file mostrato: guardalo di nuovo',
  ),
  importChangesNothing: sentence('This file would change nothing', 'Questo file non cambierebbe nulla'),
  nothingToChoose: sentence(
    'This file leaves nothing to choose: open its page again',
    'Questo file non lascia nulla da scegliere: riapri la sua pagina',
  ),
  diskFullForFile: sentence(
    'The disk is full, so the file was not kept: free some space first',
    'Il disco è pieno, quindi il file non è stato conservato: prima libera spazio',
  ),
  diskFullForImport: sentence(
    'The disk is full, so nothing was written: free some space first',
    'Il disco è pieno, quindi nulla è stato scritto: prima libera spazio',
  ),
  filesWaiting: sentence(
    '{max} files wait already: apply one of them, or wait until they are removed after an hour',
    '{max} file aspettano già: applicane uno, o aspetta che siano tolti dopo un’ora',
  ),
  fileLarge: sentence(
    'The file is larger than {max} MB: pack it with gzip, or import it on the command line',
    'Il file è più grande di {max} MB: comprimilo con gzip, o importalo dalla riga di comando',
  ),
  fileSlow: sentence(
    'The file took too long to arrive: try again, or import it on the command line',
    'Il file ha impiegato troppo ad arrivare: riprova, o importalo dalla riga di comando',
  ),
  noFileChosen: sentence('No file was chosen', 'Nessun file è stato scelto'),
  diskNearlyFull: sentence(
    'The disk is nearly full, so no file is taken: {free} are free in the folder of the database, and {needed} are needed',
    'Il disco è quasi pieno, quindi nessun file è accettato: {free} sono liberi nella cartella del database, e ne servono {needed}',
  ),
  importUnpacked: row(
    'holds more than {max} MB unpacked: import it on the command line',
    'contiene più di {max} MB, una volta estratto: importalo dalla riga di comando',
  ),
};
