import { english, inLanguages, italian, type Said, said } from '../../web/messages/said.ts';
import type { OtherWay, SetupStep } from './read.ts';

export const SETUP_TEXTS = inLanguages({
  progress: said(
    (count: number, all: number) => `${count} of ${all} steps are done.`,
    (count: number, all: number) => `${count} passi su ${all} sono fatti.`,
  ),
  states: {
    done: said('done', 'fatto'),
    next: said('next', 'il prossimo'),
    open: said('not yet', 'non ancora'),
    unknown: said('being looked at; open the page again in a moment', 'in corso: riapri la pagina tra poco'),
  },
  findings: said(
    (count: number) => english.counted(count, 'finding', 'findings'),
    (count: number) => italian.counted(count, 'segnalazione', 'segnalazioni'),
  ),
  unpriced: said(
    (count: number) => english.counted(count, 'property without a price', 'properties without a price'),
    (count: number) => italian.counted(count, 'struttura senza prezzo', 'strutture senza prezzo'),
  ),
  steps: {
    passkey: said('Your passkey', 'La tua passkey'),
    properties: said('Properties', 'Strutture'),
    pictures: said('Pictures', 'Foto'),
    prices: said('Prices', 'Prezzi'),
    calendars: said('Calendars', 'Calendari'),
    bookingSite: said('Booking site', 'Sito di prenotazione'),
    partner: said('Partner', 'Partner'),
    credential: said('Credential', 'Credenziale'),
    firstCall: said('First call', 'Prima chiamata'),
    firstQuote: said('First quote', 'Primo preventivo'),
    travellers: said('Travellers can open the link', 'I viaggiatori possono aprire il link'),
    legalLinks: said('Legal links', 'Link legali'),
    checks: said('Checks of this installation', 'Controlli di questa installazione'),
  } satisfies Readonly<Record<SetupStep, Said>>,
  hints: {
    passkey: said(
      'With it you sign in without a link. The first link counts for an hour.',
      'Con essa accedi senza link. Il primo link vale per un’ora.',
    ),
    properties: said(
      'The flats, houses or rooms that you sell. A spreadsheet brings all of them at once.',
      'Gli appartamenti, le case o le camere che vendi. Un foglio di calcolo li porta tutti insieme.',
    ),
    pictures: said(
      'Travellers see them on their page. Choose a folder of photos: each finds its property by its name.',
      'I viaggiatori le vedono nella loro pagina. Scegli una cartella di foto: ciascuna trova la sua struttura dal nome.',
    ),
    prices: said(
      'A night needs a rate and a unit before it can be sold. Open a property, and choose nights.',
      'Per vendere una notte servono una tariffa e un’unità. Apri una struttura e scegli le notti.',
    ),
    calendars: said(
      'Subscribe to those of other platforms, so that no night is sold twice. Open a property: the form is below its nights.',
      'Collega quelli delle altre piattaforme, così nessuna notte si vende due volte. Apri una struttura: il modulo è sotto le notti.',
    ),
    bookingSite: said(
      'Where travellers go on to book: one address for all properties.',
      'Dove il viaggiatore va a prenotare: un indirizzo per tutte le strutture.',
    ),
    partner: said('Who sells your stays.', 'Chi vende i tuoi soggiorni.'),
    credential: said(
      'The token with which the partner’s program calls.',
      'Il token con cui chiama il programma del partner.',
    ),
    firstCall: said(
      'Issue a credential: its page sends the first call with “Send it now”, and shows the answer.',
      'Emetti una credenziale: la sua pagina invia la prima chiamata con «Invia ora» e mostra la risposta.',
    ),
    firstQuote: said(
      'A partner asks for a price, and gets a link for the traveller. The page of a new credential makes one, too.',
      'Un partner chiede un prezzo e riceve un link per il viaggiatore. Ne fa uno anche la pagina di una nuova credenziale.',
    ),
    travellers: said(
      'Enter https://YOUR-HOST/handoff as the address of the traveller’s page, and let that host lead to the web listener. The step is done when the page answers there.',
      'Scrivi https://IL-TUO-HOST/handoff come indirizzo della pagina del viaggiatore, e fai arrivare quell’host alla porta web. Il passo è fatto quando la pagina risponde lì.',
    ),
    legalLinks: said(
      'Many countries require imprint and privacy notice on the traveller’s page.',
      'Molti Paesi richiedono note legali e informativa sulla privacy nella pagina del viaggiatore.',
    ),
    checks: said(
      'Certificates, clocks, addresses: whatever is wrong is named there.',
      'Certificati, orologi, indirizzi: ciò che non va è indicato lì.',
    ),
  } satisfies Readonly<Record<SetupStep, Said>>,
  buttons: {
    passkey: said('Register a passkey', 'Registra una passkey'),
    properties: said('Import a file', 'Importa un file'),
    pictures: said('Add pictures', 'Aggiungi foto'),
    prices: said('Set prices', 'Imposta i prezzi'),
    calendars: said('Subscribe to a calendar', 'Abbona un calendario'),
    bookingSite: said('Enter the booking site', 'Indica il sito di prenotazione'),
    partner: said('Create a partner', 'Crea un partner'),
    credential: said('Issue a credential', 'Emetti una credenziale'),
    firstCall: said('Make the first call', 'Fai la prima chiamata'),
    firstQuote: said('Make the first quote', 'Fai il primo preventivo'),
    travellers: said('Enter the address', 'Indica l’indirizzo'),
    legalLinks: said('Enter the links', 'Indica i link'),
    checks: said('See the checks', 'Vedi i controlli'),
  } satisfies Readonly<Record<SetupStep, Said>>,
  connect: said('Or read all from a booking system', 'O leggi tutto da un gestionale'),
  otherWays: {
    properties: said('Or create one by hand', 'O creane una a mano'),
    prices: said('Or import a file of rates', 'O importa un file di tariffe'),
    bookingSite: said('Or a site of its own for a property', 'O un sito proprio per una struttura'),
  } satisfies Readonly<Record<OtherWay, Said>>,
});
