import type { ImportPhase } from '../../reading/import-state.ts';
import { inLanguages, type Said, said } from '../../web/messages/said.ts';

export const IMPORT_TEXTS = inLanguages({
  title: said('Import files', 'Importa file'),
  about: said(
    (size: number) =>
      `A file of at most ${size} MB is looked at first: nothing changes before you apply what you see. A larger one is imported on the command line.`,
    (size) =>
      `Un file fino a ${size} MB viene prima esaminato: nulla cambia finché non applichi ciò che vedi. Uno più grande si importa da riga di comando.`,
  ),
  kinds: { catalogue: said('Catalogue', 'Catalogo'), rates: said('Rates', 'Tariffe') },
  fileHints: {
    catalogue: said(
      'A spreadsheet (.xlsx or CSV), or NDJSON; packed with gzip or not.',
      'Un foglio di calcolo (.xlsx o CSV), o NDJSON; anche compresso con gzip.',
    ),
    rates: said(
      'A spreadsheet (.xlsx or CSV): propertyId, inventoryTypeId, dateFrom, dateTo, availability, rate.',
      'Un foglio di calcolo (.xlsx o CSV): propertyId, inventoryTypeId, dateFrom, dateTo, availability, rate.',
    ),
  },
  choose: said('Choose a file', 'Scegli un file'),
  options: said('Options', 'Opzioni'),
  toProperties: said('See the properties', 'Vai alle strutture'),
  sourceHint: said(
    'Leave it, unless several systems send you files.',
    'Lascia così, a meno che più sistemi ti mandino file.',
  ),
  sheetHint: said(
    'Its name in an .xlsx file; the first one that is not hidden if you leave this empty.',
    'Il suo nome in un file .xlsx; il primo non nascosto se lasci vuoto.',
  ),
  encoding: said('Encoding', 'Codifica'),
  encodingFound: said('Found out', 'Riconosciuta'),
  encodingHint: said(
    'Of a CSV file: choose one if letters such as à or ł came out wrong.',
    'Di un file CSV: sceglila se lettere come à o ł risultano sbagliate.',
  ),
  encodingDoubt: said(
    'How letters are written in this file is not clear: it is not UTF-8, and Windows-1252 puts signs inside words. Choose the column in which the words are right. Nothing was written.',
    'Non è chiaro come questo file scriva le lettere: non è UTF-8, e Windows-1252 mette segni dentro le parole. Scegli la colonna in cui le parole sono giuste. Nulla è stato scritto.',
  ),
  encodingWords: said('Words in doubt', 'Parole in dubbio'),
  encodingLine: said('Line', 'Riga'),
  readAs: said(
    (encoding: string) => `Read as ${encoding}`,
    (encoding) => `Leggi come ${encoding}`,
  ),
  encodingElse: said(
    'If none is right, save the file again as “CSV UTF-8” or .xlsx, and send that.',
    'Se nessuna è giusta, salva di nuovo il file come “CSV UTF-8” o .xlsx e invia quello.',
  ),
  replaceHint: said('Only properties of the same source.', 'Solo strutture della stessa fonte.'),
  replaces: said('what the file does not list is withdrawn', 'ciò che il file non elenca viene ritirato'),
  download: said('Download', 'Scarica'),
  template: said(
    'An empty spreadsheet with two example rows',
    'Un foglio di calcolo vuoto con due righe di esempio',
  ),
  withSemicolons: said('with semicolons, for Excel in Italian', 'con punti e virgola, per Excel in italiano'),
  csv: said('as a spreadsheet (CSV)', 'come foglio di calcolo (CSV)'),
  ndjson: said('with calendars (NDJSON)', 'con i calendari (NDJSON)'),
  files: said('Files of the last hour', 'File dell’ultima ora'),
  kept: said('A file is removed an hour after it was sent.', 'Un file viene eliminato un’ora dopo l’invio.'),
  of: said(
    (name: string) => `Import of ${name}`,
    (name) => `Importazione di ${name}`,
  ),
  size: said(
    (bytes: string) => `${bytes} bytes.`,
    (bytes) => `${bytes} byte.`,
  ),
  ofSheet: said(
    (name: string) => `sheet “${name}”`,
    (name) => `foglio “${name}”`,
  ),
  separators: {
    comma: said('separated by commas', 'separato da virgole'),
    semicolon: said('separated by semicolons', 'separato da punti e virgola'),
    tab: said('separated by tabs', 'separato da tabulazioni'),
  },
  header: {
    missing: said('Missing columns', 'Colonne mancanti'),
    unknown: said('Unknown columns', 'Colonne sconosciute'),
    twice: said('Columns that stand twice', 'Colonne ripetute'),
  },
  leaveOut: said('Leave these out', 'Tralasciale'),
  nothing: said(
    'Nothing to apply: the file would change nothing.',
    'Nulla da applicare: il file non cambierebbe nulla.',
  ),
  rows: said(
    (count: string, rows: string) => `${count} rows: ${rows}`,
    (count, rows) => `${count} righe: ${rows}`,
  ),
  phases: {
    checking: said('being looked at', 'in esame'),
    shown: said('waits for you', 'in attesa di te'),
    applying: said('being applied', 'in applicazione'),
    applied: said('applied', 'applicato'),
    failed: said('failed', 'fallito'),
    interrupted: said('interrupted', 'interrotto'),
  },
  says: {
    checking: said('The file is being looked at. Nothing changes.', 'Il file è in esame. Nulla cambia.'),
    shown: said(
      'Nothing has changed yet. Apply the file if this is what you want.',
      'Nulla è ancora cambiato. Se è ciò che vuoi, applica il file.',
    ),
    applying: said(
      'The file is being applied. You may leave this page.',
      'Il file viene applicato. Puoi lasciare questa pagina.',
    ),
    applied: said('The file is applied.', 'Il file è applicato.'),
    failed: said(
      'The file was not applied, or not to its end.',
      'Il file non è stato applicato, o non fino alla fine.',
    ),
    /** While it was looked at. */
    unseen: said(
      'The service ended before the file was looked at to its end. Nothing was written: send it again.',
      'Il servizio si è fermato prima di esaminare tutto il file. Nulla è stato scritto: invialo di nuovo.',
    ),
    interrupted: said(
      'The service ended meanwhile. What was applied stays; importing the same file again does no harm, and goes on from there.',
      'Il servizio si è fermato nel frattempo. Ciò che è stato applicato resta; importare di nuovo lo stesso file non fa danni e riprende da lì.',
    ),
  } satisfies Readonly<Record<ImportPhase | 'unseen', Said>>,
  changedMeanwhile: said(
    'The catalogue changed meanwhile, so that the file would do something else than you saw. Nothing was applied: look again.',
    'Il catalogo è cambiato nel frattempo e il file farebbe altro da ciò che hai visto. Nulla è stato applicato: guarda di nuovo.',
  ),
  progress: said('Progress', 'Avanzamento'),
  dryRun: said('What would change', 'Che cosa cambierebbe'),
  applied: said('What changed', 'Che cosa è cambiato'),
  counts: {
    read: said('Read', 'Lette'),
    created: said('Created', 'Create'),
    changed: said('Changed', 'Cambiate'),
    unchanged: said('Unchanged', 'Invariate'),
    withdrawn: said('Withdrawn', 'Ritirate'),
    rejected: said('Rejected', 'Respinte'),
  },
  cells: said('Changed cells', 'Celle cambiate'),
  cellsCut: said('These are the first ones.', 'Queste sono le prime.'),
  apply: said('Apply this file', 'Applica questo file'),
  byHand: said(
    'Prices set by hand that the file would change',
    'Prezzi impostati a mano che il file cambierebbe',
  ),
  byHandWhy: said(
    'Leave these nights out of the file to keep what was set by hand.',
    'Togli queste notti dal file per tenere ciò che è stato impostato a mano.',
  ),
  rejections: said('Rejected rows', 'Righe respinte'),
  rejectedWhy: said(
    'The other rows can be applied. Correct these and send the file again: what is there already stays as it is.',
    'Le altre righe si possono applicare. Correggi queste e invia di nuovo il file: ciò che c’è già resta com’è.',
  ),
  another: said('Another file', 'Un altro file'),
});
