/** Texts around every page: its frame, the sign-in, and what refuses a page. */
import { type Content, html as say } from '../../../http/html/html.ts';
import { said } from './said.ts';

export const FRAME_TEXTS = {
  frame: {
    console: said('Stayport console', 'Console Stayport'),
    skip: said('Skip to the content', 'Vai al contenuto'),
    toNext: said('Skip to the next page', 'Vai alla pagina seguente'),
    inUtc: said('Times in UTC', 'Orari in UTC'),
    asOf: said(
      (time: Content) => say`As of ${time}.`,
      (time) => say`Dati delle ${time}.`,
    ),
    pages: said('Pages', 'Pagine'),
    menu: said('Menu', 'Menu'),
    toSetup: said('Go on with the set-up', 'Continua la configurazione'),
    whereYouAre: said('Where you are', 'Dove sei'),
    aboutPage: said('About this page', 'Su questa pagina'),
    back: said('Back', 'Indietro'),
    again: said('Try again', 'Riprova'),
    /** The page of one, and links to it. */
    request: said('Request', 'Richiesta'),
    all: said('All', 'Tutto'),
    sameAs: said('The same on the command line:', 'Lo stesso da riga di comando:'),
    next: said('More', 'Altri'),
    show: said('Show', 'Mostra'),
    chooseDays: said('Choose days', 'Scegli i giorni'),
    thereAreMore: said('There are more:', 'Ce ne sono altri:'),
    none: said('None.', 'Niente.'),
    nobodyMay: said(
      'Nothing is here yet. Operators and administrators can add it.',
      'Qui non c’è ancora nulla. Possono aggiungere operatori e amministratori.',
    ),
    /** In place of the name of a source. */
    connectionSource: said(
      (name: string, withPrices: boolean) => `Connection ${name}${withPrices ? '' : ', nights alone'}`,
      (name, withPrices) => `Connessione ${name}${withPrices ? '' : ', solo notti'}`,
    ),
    useForm: said(
      (act: string) => `Nothing is here yet. Begin with “${act}”.`,
      (act) => `Qui non c’è ancora nulla. Comincia da «${act}».`,
    ),
    unread: said(
      (names: string) => `Left out, because it cannot be used: ${names}.`,
      (names) => `Tralasciato, perché non si può usare: ${names}.`,
    ),
    leftOut: said(
      (count: number) => `and ${count} more`,
      (count) => (count === 1 ? 'e un altro' : `e altri ${count}`),
    ),
  },

  /** Groups of pages in the navigation. */
  groups: {
    sell: said('Sell', 'Vendita'),
    partners: said('Partners', 'Partner'),
    learn: said('Learn', 'Analisi'),
    settings: said('Settings', 'Impostazioni'),
  },

  /** Pages in the navigation; also their titles. */
  bar: {
    today: said('Today', 'Oggi'),
    setup: said('Set-up', 'Configurazione'),
    properties: said('Properties', 'Strutture'),
    supply: said('Supply', 'Fonti'),
    pictures: said('Pictures', 'Foto'),
    partners: said('Partners', 'Partner'),
    requests: said('Requests', 'Richieste'),
    funnel: said('Funnel', 'Conversioni'),
    demand: said('Demand', 'Domanda'),
    site: said('Site', 'Sito'),
    checks: said('Checks', 'Controlli'),
    people: said('People', 'Persone'),
    tokens: said('Tokens', 'Token'),
    audit: said('Audit', 'Registro'),
  },

  signIn: {
    howTo: said(
      'You sign in with a link that works once. It is made on the server; roles are viewer, operator and admin:',
      'Si accede con un link valido una sola volta. Si crea sul server; i ruoli sono viewer, operator e admin:',
    ),
    open: said('Already signed in? Open the console', 'Hai già effettuato l’accesso? Apri la console'),
    useLink: said(
      'The link works once: the button signs you in with it.',
      'Il link vale una volta sola: il pulsante lo usa per l’accesso.',
    ),
  },

  signInAgain: {
    why: said(
      'These forms need a sign-in of the last 5 minutes. Sign in again first; what you typed stays.',
      'Questi moduli richiedono un accesso degli ultimi 5 minuti. Prima accedi di nuovo; ciò che hai scritto resta.',
    ),
    orLink: said('Or with a link, in another tab:', 'Oppure con un link, in un’altra scheda:'),
  },

  passkeys: {
    title: said('Passkeys', 'Passkey'),
    about: said(
      'A passkey signs in without a link, with the name and role of the session that it was registered in.',
      'Una passkey fa accedere senza link, con il nome e il ruolo della sessione in cui è stata registrata.',
    ),
    notUsed: said('not yet', 'non ancora'),
    byLink: said(
      'A passkey is registered in a session that a link opened:',
      'Una passkey si registra in una sessione aperta da un link:',
    ),
    scriptless: said('the browser needs JavaScript for them.', 'il browser ha bisogno di JavaScript.'),
    signedIn: said(
      'You are signed in: send what you typed with the button below.',
      'Hai effettuato l’accesso: invia ciò che hai scritto con il pulsante qui sotto.',
    ),
    working: said('Your browser asks for the passkey…', 'Il browser chiede la passkey…'),
    failed: said(
      'The passkey did not work. Try again, or use a link.',
      'La passkey non ha funzionato. Riprova, oppure usa un link.',
    ),
    address: said(
      'Passkeys need a host name and do not work at an address such as 127.0.0.1. Use a name instead:',
      'Le passkey richiedono un nome host e non funzionano a un indirizzo come 127.0.0.1. Usa un nome:',
    ),
  },

  /** Titles of refusals, and of the outcomes of forms. */
  refused: {
    linkInvalid: said(
      'This link was used, has expired, or is not complete',
      'Questo link è già stato usato, è scaduto o non è completo',
    ),
    tooMany: said(
      'Too many wrong links, passkeys or sessions from your address: wait a minute',
      'Troppi link, passkey o sessioni errati dal tuo indirizzo: attendi un minuto',
    ),
    role: said(
      'Your role does not include this. Links with another role are made on the server',
      'Il tuo ruolo non lo prevede. I link con un altro ruolo si creano sul server',
    ),
    signedOut: said(
      'Your session has ended. Sign in again, then send this once more; nothing was changed',
      'La sessione è terminata. Accedi di nuovo, poi invia ancora; nulla è cambiato',
    ),
    signIn: said('Sign in in another tab', 'Accedi in un’altra scheda'),
    stale: said(
      'Administrators must have signed in within 5 minutes. Please sign in again; nothing was changed',
      'Un amministratore deve aver fatto l’accesso da meno di 5 minuti. Accedi di nuovo; nulla è cambiato',
    ),
    form: said(
      'The form is not of a page of this session. Open the page again; nothing was changed',
      'Il modulo non è di una pagina di questa sessione. Riapri la pagina; nulla è cambiato',
    ),
    tooLarge: said(
      'The form has more than 2 MB or 6,000 fields, more rows than a property may have, or its files more than 30 times 30 MB: import the property from a file, or send its pictures in parts. Nothing was changed',
      'Il modulo supera 2 MB o 6.000 campi, ha più righe di quante una struttura possa avere, o i suoi file 30 volte 30 MB: importa la struttura da un file, o invia le immagini a gruppi. Nulla è cambiato',
    ),
    notFound: said('There is no such page', 'Questa pagina non esiste'),
    unavailable: said(
      'The database does not answer, or too many pages are being made: try again in a moment',
      'Il database non risponde, o si preparano troppe pagine: riprova tra poco',
    ),
    failed: said(
      'A fault of Stayport: the log has the reason. See whether your change is there before you try again',
      'Un errore di Stayport: il motivo è nel log. Controlla se la modifica c’è, prima di riprovare',
    ),
    act: said('Nothing was changed', 'Nulla è cambiato'),
  },
};
