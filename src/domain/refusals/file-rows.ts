/** Files: their bytes, sheets and workbooks, the header and the rows of a sheet. */
import { clause, row, sentence } from './refusal-row.ts';

export const FILE_ROWS = {
  // Bytes and lines.
  fileMissing: row('does not exist', 'non esiste'),
  fileForbidden: row("can't be read: permission denied", 'non si può leggere: permesso negato'),
  fileIsFolder: row('is a directory, not a file', 'è una cartella, non un file'),
  gzipEmpty: row('is empty, where gzip data should be', 'è vuoto, dove dovrebbero esserci dati gzip'),
  gzipCut: row(
    'is cut off: the gzip data ends before it is complete',
    'è troncato: i dati gzip finiscono prima di essere completi',
  ),
  gzipDamaged: row(
    "is damaged: its gzip data can't be unzipped further ({why})",
    'è danneggiato: i suoi dati gzip non si possono estrarre oltre ({why})',
  ),
  lineBytes: row('is longer than {max} bytes', 'è più lunga di {max} byte'),
  lineLong: row('is longer than {max} characters', 'è più lunga di {max} caratteri'),
  lineNotUtf8: row('is not valid UTF-8', 'non è UTF-8 valido'),
  documentLineLong: row(
    'is longer than {max} MiB; give each property a line of its own',
    'è più lunga di {max} MiB; dai a ogni struttura una riga propria',
  ),
  documentLineNotUtf8: row(
    'is not valid UTF-8; save the file as UTF-8',
    'non è UTF-8 valido; salva il file in UTF-8',
  ),
  jsonDeep: row('is nested more than {max} levels deep', 'è annidato oltre {max} livelli'),
  notJson: row('is not JSON ({why})', 'non è JSON ({why})'),
  jsonList: row(
    'is a JSON list: write each property on a line of its own, as {command} does',
    'è un elenco JSON: scrivi ogni struttura su una riga propria, come fa {command}',
  ),
  jsonOverLines: row(
    'is JSON over several lines: write each property on a line of its own, as {command} does',
    'è JSON su più righe: scrivi ogni struttura su una riga propria, come fa {command}',
  ),

  // CSV.
  fileEmpty: row(
    'is empty: the first line must name the columns',
    'è vuoto: la prima riga deve nominare le colonne',
  ),
  wrongQuote: row(
    'has a quote that is not closed, or is inside a cell: double it or remove it',
    'ha virgolette non chiuse, o dentro una cella: raddoppiale o toglile',
  ),
  ofRow: row('row {row} {wrong}', 'riga {row}: {wrong}'),
  firstLine: row('the first line {wrong}', 'la prima riga {wrong}'),
  andIt: row('{wrong}. It {other}', '{wrong}. Inoltre {other}'),
  columnsMissing: row(
    'must name the columns; missing: {names}',
    'deve nominare le colonne; mancano: {names}',
  ),
  columnUnknown: row(
    'has an unknown column {names}; remove it, or leave it out with {option} ({advice})',
    'ha una colonna sconosciuta {names}; toglila, o tralasciala con {option} ({advice})',
  ),
  columnsUnknown: row(
    'has unknown columns {names}; remove them, or leave them out with {option} ({advice})',
    'ha colonne sconosciute {names}; toglile, o tralasciale con {option} ({advice})',
  ),
  columnTwice: row('names the column "{name}" twice', 'nomina due volte la colonna "{name}"'),
  knownColumns: row('known: {names}', 'conosciute: {names}'),
  columnsByTemplate: row('{command} prints all columns', '{command} stampa tutte le colonne'),
  notUtf16: row('is UTF-16: {cure}', 'è in UTF-16: {cure}'),
  saveAsUtf8: row('save it again as "CSV UTF-8"', 'salvalo di nuovo come "CSV UTF-8"'),
  encodingsMixed: row('mixes two encodings, {where}: {cure}', 'mescola due codifiche, {where}: {cure}'),
  encodingsAt: row(
    '{one} (line {lineOne}) and {other} (line {lineOther})',
    '{one} (riga {lineOne}) e {other} (riga {lineOther})',
  ),
  notEncoded: row(
    'is not {encoding} (at line {line} or behind it): {cure}',
    'non è in {encoding} (alla riga {line} o più avanti): {cure}',
  ),
  encodingDoubtful: row(
    'is not UTF-8, and read as Windows-1252 it has signs inside words, {where}: {cure}',
    'non è in UTF-8, e letto come Windows-1252 ha segni dentro le parole, {where}: {cure}',
  ),
  orEncoding: row(
    '{wrong}, or name its encoding with {option}',
    '{wrong}, o indica la codifica con {option}',
  ),
  doubtfulLine: row('line {line}: {word} ({others})', 'riga {line}: {word} ({others})'),

  // Workbooks.
  workbookEncoded: row(
    'is a workbook, which names its own encoding: leave the encoding out',
    'è una cartella di lavoro, che dichiara da sé la codifica: lascia vuota la codifica',
  ),
  workbookOld: row(
    'is an old workbook (.xls), or has a password: save it as .xlsx without one',
    'è una vecchia cartella (.xls), o ha una password: salvalo come .xlsx senza password',
  ),
  noWorkbook: row(
    'is not a workbook, so it has no sheets to choose from',
    'non è una cartella di lavoro, quindi non ha fogli tra cui scegliere',
  ),
  notWorkbook: row(
    'is not a workbook of Excel (.xlsx), nor CSV',
    'non è una cartella di Excel (.xlsx) né un CSV',
  ),
  noVisibleSheet: row('has no sheet that is not hidden; it has {names}', 'non ha fogli visibili; ha {names}'),
  noSheet: row('has no sheet {name}; it has {names}', 'non ha il foglio {name}; ha {names}'),
  none: row('none', 'nessuno'),
  andMore: row('{names} and {count} more', '{names} e altri {count}'),
  workbookLarge: row(
    'is larger than {max} MB: split it, or save it as CSV',
    'è più grande di {max} MB: dividilo, o salvalo come CSV',
  ),
  workbookUnpacked: row(
    'holds more than {max} MB unpacked: split it, or save it as CSV',
    'contiene più di {max} MB, una volta estratto: dividilo, o salvalo come CSV',
  ),
  workbookSlow: row(
    'takes more than {max} seconds to be read: split it, or save it as CSV',
    'richiede più di {max} secondi per essere letto: dividilo, o salvalo come CSV',
  ),
  damaged: row('is damaged: {why}', 'è danneggiato: {why}'),
  partMissing: row('it has no {part}', 'non ha {part}'),
  notUnpacked: row("it can't be unpacked ({why})", 'non si può estrarre ({why})'),
  partsMany: row('it has more than {max} {parts}', 'ha più di {max} {parts}'),
  sheets: row('sheets', 'fogli'),
  relations: row('relations', 'relazioni'),
  formats: row('formats', 'formati'),
  columns: row('columns', 'colonne'),
  cells: row('cells', 'celle'),
  mergedRanges: row('merged ranges', 'gruppi di celle unite'),
  mergedRows: row(
    'its merged ranges are over more than {max} rows together',
    'le sue celle unite coprono in tutto più di {max} righe',
  ),
  rowMisplaced: row("row {row} stands where it can't be", 'la riga {row} è dove non può stare'),
  cellLong: row(
    'row {row} has a cell of more than {max} characters, which no spreadsheet saves',
    'la riga {row} ha una cella di più di {max} caratteri, come nessun foglio di calcolo salva',
  ),
  workbookTextLong: row(
    'it has a text of more than {max} characters, which no spreadsheet saves',
    'ha un testo di più di {max} caratteri, come nessun foglio di calcolo salva',
  ),
  textsMany: row('it has too many texts', 'ha troppi testi'),
  xmlWrong: row('its XML is wrong ({why})', 'il suo XML è errato ({why})'),
  xmlTyped: row(
    'its XML has a document type, which no spreadsheet writes',
    'il suo XML ha un tipo di documento, come nessun foglio di calcolo scrive',
  ),
  xmlEncoded: row('its XML is {encoding}, not UTF-8', 'il suo XML è in {encoding}, non in UTF-8'),
  xmlDeep: row(
    'its XML has more than {max} open elements, which no spreadsheet writes',
    'il suo XML ha più di {max} elementi aperti, come nessun foglio di calcolo scrive',
  ),
  xmlPieceLong: row('one of its texts is too long', 'uno dei suoi testi è troppo lungo'),

  // Cells.
  cellError: row('has the error {error}', 'contiene l’errore {error}'),
  formulaEmpty: row(
    'has a formula without a value: open the file in a spreadsheet and save it',
    'ha una formula senza valore: apri il file in un foglio di calcolo e salvalo',
  ),
  digitsLost: row(
    'is a number of more than 15 digits, of which spreadsheets keep 15: format the column as text, and write it again',
    'è un numero di più di 15 cifre, di cui i fogli di calcolo ne tengono 15: formatta la colonna come testo e riscrivilo',
  ),
  cellNameless: row(
    'has a cell in column {column}, which has no name in the header',
    'ha una cella nella colonna {column}, che non ha nome nell’intestazione',
  ),
  cellsSurplus: row(
    'has {count} cells where the header names {named} columns; put a text that holds a separator in quotes',
    'ha {count} celle, ma l’intestazione nomina {named} colonne; metti tra virgolette i testi che contengono il separatore',
  ),
  notRule: row('must be written {form}, not "{given}"', 'deve essere scritto {form}, non "{given}"'),
  namedTwice: row('names {name} twice in one rule', 'nomina {name} due volte nella stessa regola'),
  notJsonCell: row(
    'begins like JSON and is not JSON; check brackets and quotes',
    'comincia come JSON e non lo è; controlla parentesi e virgolette',
  ),
  decimalComma: row(
    'has a decimal comma: write {instead}, not {given}',
    'ha una virgola decimale: scrivi {instead}, non {given}',
  ),

  // Rows.
  setsNothing: row(
    'sets nothing: fill at least one column besides ids and dates',
    'non imposta nulla: compila almeno una colonna oltre agli id e alle date',
  ),
  noNight: row('names no night of this range', 'non comprende alcuna notte di questo periodo'),
  weekdaysLong: row(
    'are taken for at most {max} nights in one row; name a shorter range',
    'valgono per al massimo {max} notti in una riga; indica un periodo più breve',
  ),
  rowsMany: row('has more than {max} rows', 'ha più di {max} righe'),
  differsFromFirst: row(
    'differs from the first row of this property; leave it blank or repeat it',
    'è diverso dalla prima riga di questa struttura; lascialo vuoto o ripetilo',
  ),
  besideText: row(
    'stands beside a text for all languages; fill in one of them',
    'sta accanto a un testo per tutte le lingue; compila solo uno dei due',
  ),

  // Notices: a person may not expect these.
  rowHidden: sentence(
    'Row {row} is hidden in the spreadsheet; hidden rows are read like the others: delete those that do not count',
    'La riga {row} è nascosta nel foglio di calcolo; le righe nascoste si leggono come le altre: elimina quelle che non contano',
  ),
  columnsHidden: sentence(
    'Hidden in the spreadsheet: {names}; hidden columns are read like the others: delete those that do not count',
    'Nascoste nel foglio di calcolo: {names}; le colonne nascoste si leggono come le altre: elimina quelle che non contano',
  ),
  idZeros: sentence(
    'Row {row}: {column} is a number in the spreadsheet, taken as shown: {id}. Zeros before it are lost, if it had any: format the column as text, and write it again',
    'Riga {row}: {column} è un numero nel foglio di calcolo, preso come appare: {id}. Gli zeri iniziali, se ne aveva, sono persi: formatta la colonna come testo e riscrivilo',
  ),
  idDigits: sentence(
    'Row {row}: {column} is a number in the spreadsheet, taken as shown: {id}. Its digits are lost: format the column as text, and write it again',
    'Riga {row}: {column} è un numero nel foglio di calcolo, preso come appare: {id}. Le sue cifre sono perse: formatta la colonna come testo e riscrivilo',
  ),
  ofRowField: sentence('Row {row}: {field}: {wrong}', 'Riga {row}: {field}: {wrong}'),
  ofLineField: sentence('Line {line}: {field}: {wrong}', 'Riga {line}: {field}: {wrong}'),
  ofLine: sentence('Line {line}: {wrong}', 'Riga {line}: {wrong}'),

  // Inside Airbnb.
  quoteOpen: row('has a quote that is not closed', 'ha virgolette non chiuse'),
  quoteNever: row('has a quote that is never closed', 'ha virgolette mai chiuse'),
  quoteMisplaced: row('has a quote where none is allowed', 'ha virgolette dove non sono ammesse'),
  fieldsSurplus: row(
    'has {count} fields, where the header has {named} columns',
    'ha {count} campi, ma l’intestazione ha {named} colonne',
  ),
  ofFileLine: row('line {line} {wrong}', 'riga {line}: {wrong}'),
  headerUnread: row(
    "line {line}, the column names, can't be read",
    'la riga {line}, con i nomi delle colonne, non si può leggere',
  ),
  headerOfLine: row(
    'line {line}, the column names, {wrong}',
    'la riga {line}, con i nomi delle colonne, {wrong}',
  ),
  rowTooLong: row('is far too long for a row', 'è troppo lunga per una riga'),
  noColumn: row(
    'line 1 has no column {name}; it has {names}',
    'la riga 1 non ha la colonna {name}; ha {names}',
  ),
  notListingId: row('must be the id of a listing', 'deve essere l’id di un annuncio'),
  notTOrF: row('must be t or f', 'deve essere t o f'),
  notPrice: row(
    'must be a price such as {example} or nothing',
    'deve essere un prezzo come {example} o nulla',
  ),
  notNights: row('must be a number of nights or nothing', 'deve essere un numero di notti o nulla'),
  notGuests: row('must be a number of guests from 1 on', 'deve essere un numero di ospiti da 1 in su'),
  notWholeNumber: row('must be a whole number', 'deve essere un numero intero'),
  notListOfTexts: row(
    'must be a list such as {one} or {other}',
    'deve essere un elenco come {one} o {other}',
  ),
  notScore: row('must be a score or nothing', 'deve essere un punteggio o nulla'),
  startsLate: row(
    "can't start on {day}: its last night would be after 9999-12-31",
    'non può iniziare il {day}: la sua ultima notte sarebbe dopo il 9999-12-31',
  ),
  listingsCutOff: clause(
    '{file}: {count} listings are left as they were: the file may have broken off inside their calendars',
    '{file}: {count} annunci restano come erano: il file potrebbe essersi interrotto dentro i loro calendari',
  ),
  rowsRepeated: clause(
    '{file}: {count} rows repeat a listing and date; the last row of each applies',
    '{file}: {count} righe ripetono un annuncio e una data; vale l’ultima riga di ciascuno',
  ),
  nightsUnlisted: clause(
    '{file}: {nights} nights of {count} listings that the listings file does not have: {ids}',
    '{file}: {nights} notti di {count} annunci che il file degli annunci non ha: {ids}',
  ),
  noHeader: row(
    'is empty: it should begin with a line of column names',
    'è vuoto: dovrebbe iniziare con una riga di nomi delle colonne',
  ),
};
