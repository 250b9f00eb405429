/** Italian: every sentence of `en-gb.ts`. */
import { makeCounted } from '../../kit/formats.ts';
import { html as say } from '../../kit/html.ts';
import type { Messages } from './en-gb.ts';

const counted = makeCounted('it-IT');
const nights = (count: number) => counted(count, 'notte', 'notti');
const guests = (count: number) => counted(count, 'ospite', 'ospiti');
const properties = (count: number) => counted(count, 'struttura', 'strutture');

export const IT_IT: Messages = {
  locale: 'it-IT',
  nights,
  guests,
  decimal: (text) => text.replace('.', ','),

  words: {
    ...{ partner: 'Partner', name: 'Nome', origins: 'Origini del browser', state: 'Stato', yes: 'sì', no: 'no' },
    ...{ credential: 'Credenziale', quota: 'Richieste in 60 s', scopes: 'Ambiti', use: 'Ultima ora' },
    ...{ used: 'Ultimo uso', created: 'Creazione', expires: 'Scadenza', overlap: 'Il vecchio token vale per' },
    ...{ expiresAsked: 'Scadenza (vuoto: mai)', sandbox: 'Della sandbox' },
    ...{ at: 'Quando', operation: 'Operazione', answer: 'Risposta', asked: 'Che cosa', found: 'Trovate' },
    ...{ duration: 'Durata', code: 'Codice', count: 'Risposte', correlation: 'Id di correlazione' },
    ...{ quote: 'Preventivo', before: 'Allora', status: 'Stato (404 o 4xx)', since: 'Da (per esempio 1h)' },
    ...{ search: 'L’id o il nome inizia con' },
    ...{ property: 'Struttura', city: 'Città', country: 'Paese', inventoryType: 'Tipologia', stay: 'Soggiorno' },
    ...{ checkIn: 'Arrivo', checkOut: 'Partenza', guests: 'Ospiti', nights: 'Notti' },
    ...{ date: 'Notte', dateFrom: 'Prima notte', dateTo: 'Ultima notte', changes: 'Modifica', rule: 'Regola' },
    ...{ availability: 'Unità rimaste', rate: 'Tariffa', ratesByGuests: 'Tariffe per ospiti', stopSell: 'Stop sell' },
    ...{ closedToArrival: 'Chiusa all’arrivo', closedToDeparture: 'Chiusa alla partenza' },
    ...{ maxStay: 'Soggiorno massimo', minStayArrival: 'Soggiorno minimo all’arrivo' },
    ...{ minStayThrough: 'Soggiorno minimo con questa notte' },
    ...{ guestsMax: 'Ospiti al massimo', today: 'Prima notte offerta', horizon: 'Ultima notte offerta' },
    ...{ minAdvanceDays: 'Giorni di anticipo, almeno', maxAdvanceDays: 'Giorni di anticipo, al massimo' },
    ...{ field: 'Campo', value: 'Valore', message: 'Messaggio', decides: 'Decide', open: 'Aperta', limit: 'Limite' },
    ...{ accommodation: 'Alloggio', cleaningFee: 'Pulizie', taxes: 'Imposte e servizi', amount: 'Aggiunto' },
    ...{ total: 'Totale', discount: 'Sconto', extraGuests: 'Ospiti extra', price: 'Prezzo' },
    ...{ kind: 'Tipo', logic: 'Calcolo', inclusive: 'Nelle tariffe', included: 'Incluso', locale: 'Lingua' },
    ...{ source: 'Fonte', properties: 'Strutture', newestConfirmed: 'Ultima conferma', ageHours: 'Ore fa' },
    ...{ oldestConfirmed: 'Conferma più vecchia', confirmed: 'Conferma', published: 'Pubblicato', host: 'Host' },
    ...{ received: 'Ricevuto', verdict: 'Esito', changed: 'Cambiate', errors: 'Errori', warnings: 'Avvisi' },
    ...{ feed: 'Feed', nextPoll: 'Prossima lettura', wouldOpen: 'Aprirebbe', wouldClose: 'Chiuderebbe' },
    ...{ from: 'Da', to: 'A', day: 'Giorno', searches: 'Ricerche', looks: 'Consultazioni', quotes: 'Preventivi' },
    ...{ opened: 'Aperti', priceChanged: 'Prezzo cambiato', continued: 'Proseguiti', converted: 'Prenotati' },
    ...{ lookToBook: 'Consultazioni per prenotazione', age: 'Età', compared: 'Confrontati', share: 'Percentuale' },
    ...{ average: 'Variazione media', text: 'Luogo', causes: 'Perché (strutture)', nearest: 'Apertura più vicina' },
    ...{ reason: 'Motivo', setBy: 'Impostato dalla fonte', person: 'Chi', role: 'Ruolo', act: 'Azione', on: 'Su' },
  },

  frame: {
    ...{ console: 'Console Stayport', skip: 'Vai al contenuto', pages: 'Pagine', back: 'Indietro', all: 'Tutto' },
    ...{ sameAs: 'Lo stesso da riga di comando:', next: 'Altri', show: 'Mostra', thereAreMore: 'Ce ne sono altri:' },
    ...{ none: 'Niente.', noneYet: 'Qui non c’è ancora nulla. Così si comincia:' },
    unread: (names) => `Tralasciato, perché non si può usare: ${names}.`,
    leftOut: (count) => (count === 1 ? 'e un altro' : `e altri ${count}`),
  },

  bar: {
    ...{ today: 'Oggi', partners: 'Partner', requests: 'Richieste', properties: 'Strutture', supply: 'Fonti' },
    ...{ funnel: 'Conversioni', demand: 'Domanda', audit: 'Registro' },
  },

  acts: {
    ...{ issue: 'Emetti una credenziale', rotate: 'Rinnova', revoke: 'Revoca per sempre', accept: 'Accetta' },
    ...{ close: 'Chiudi notti', open: 'Apri notti', 'ask-again': 'Chiedi di nuovo come questo partner, ora' },
    ...{ 'sign-in': 'Accedi', 'sign-out': 'Esci' },
  },

  signIn: {
    howTo: 'Si accede con un link valido una sola volta. Si crea sul server; i ruoli sono viewer, operator e admin:',
    ...{ open: 'Hai già effettuato l’accesso? Apri la console', useLink: 'Il pulsante consuma il link.' },
  },

  refused: {
    linkInvalid: 'Questo link è già stato usato, è scaduto o non è completo',
    tooMany: 'Troppi link o sessioni errati dal tuo indirizzo: attendi un minuto',
    role: 'Il tuo ruolo non lo prevede. I link con un altro ruolo si creano sul server',
    stale: 'Un amministratore deve aver fatto l’accesso da meno di 5 minuti. Accedi di nuovo; nulla è cambiato',
    form: 'Il modulo non è di una pagina di questa sessione. Riapri la pagina; nulla è cambiato',
    notFound: 'Questa pagina non esiste',
    unavailable: 'Il database non risponde: riprova tra poco',
    failed: 'Un errore di Stayport: il motivo è nel log. Controlla se la modifica c’è, prima di riprovare',
    act: 'Nulla è cambiato',
  },

  today: {
    allWell: 'Tutto bene: i partner sono serviti e nulla attende un tuo intervento.',
    says: {
      notReady: (_nobody, { reason }) => say`I partner ora non sono serviti: ${reason}`,
      noProperties: () => say`Non c’è ancora nessuna struttura: i partner non trovano nulla.`,
      heldFeed: (property) => say`Un calendario di ${property} è trattenuto: aprirebbe molte notti.`,
      failingFeed: (property, { reason }) => say`Un calendario di ${property} non si può leggere: ${reason}.`,
      silentSource: (source, { since }) => say`La fonte ${source} non conferma nulla dal ${since}.`,
      expiringCredential: (credential, { until }) =>
        say`La credenziale ${credential} scade il ${until} e il suo partner non ne ha una che duri di più.`,
      errorsRose: (partner, { code, count, before }) =>
        say`${partner} ha ricevuto ${count} × ${code} nell’ultima ora e ${before} in quella prima.`,
      unmetDemand: (place, { checkIn, nights: stay, guests: people, count }) =>
        say`${place}, ${checkIn}, ${stay}, ${people}: ${counted(Number(count), 'ricerca', 'ricerche')} senza risultati.`,
    },
  },

  partners: {
    ...{ enabled: 'attivo', disabled: 'disattivato: tutte le sue credenziali sono rifiutate' },
    noOrigins: 'nessuna: possono chiamare solo i server',
    ...{ credentials: 'Credenziali', inForce: 'valida', revoked: 'revocata', expired: 'scaduta', never: 'mai' },
    peak: (peak, quota) => `al massimo ${peak} di ${quota} in un minuto`,
    codes: 'Rifiutate nelle ultime 24 ore, per codice',
    noUse: 'L’attività recente di questo partner ora non è leggibile; il motivo è nel log.',
    ...{ newToken: 'Nuovo token', keep: 'Copia il token adesso: non verrà più mostrato.' },
  },

  requests: {
    ...{ title: 'Richiesta', any: 'qualsiasi', next: 'Richieste precedenti', why: 'Perché' },
    about: 'In memoria: le ultime 4.096 risposte di ogni thread. Salvati: i rifiuti, i preventivi e l’1% del resto.',
    now: 'Valutato in base a ciò che è aperto ora, non al momento della richiesta.',
    says: {
      noSuchProperty: 'Non esiste una struttura con questo id.',
      hiddenProperty: 'La struttura esiste, ma il suo documento non la rende visibile a questo partner.',
      unknownPlace: 'Nessuna struttura risponde a questa città. I nomi compaiono in Domanda dopo tre richieste.',
      undated:
        'Ricerca senza date: il partner non vede strutture di questa città, o nessuna ospita così tante persone.',
    },
    judged: (judged, all) => `${judged} di ${properties(all)} che il partner vede`,
    ...{ passed: 'Il suo arrivo è passato.', opens: 'Ora almeno una struttura può ospitarlo.' },
    none: 'Il partner non vede strutture di questa città.',
    nearest: (opening) => `Apertura più vicina della stessa durata: ${opening}.`,
    againWhy: 'Non usa la quota e non salva nulla. Lingua, paese e dimensione della pagina mancano: chiede senza.',
    curl: 'Lo stesso per una shell, con il token del partner in TOKEN:',
    ...{ same: 'La risposta è la stessa di allora.', other: 'La risposta è diversa da quella di allora.' },
  },

  property: {
    place: (city, country, today, timezone, source) =>
      `${city}, ${country}. Oggi là è il ${today} (${timezone}). Il suo documento è della fonte «${source}».`,
    ...{ explain: 'Spiega un soggiorno', allTypes: 'Tutte le tipologie', undo: 'Annulla' },
    ...{ unchanged: 'nulla è cambiato', closed: 'Chiuse manualmente', sources: 'Fonti' },
    published: 'Calendari pubblicati',
    caption: 'Notti in vendita per tipologia; ogni notte porta a chi ha impostato cosa',
    hint: 'Le frecce cambiano notte, Invio la apre. Spazio o Maiusc+clic sceglie le notti per i moduli.',
  },

  night: {
    letters: { past: '–', closed: 'C', sold: 'E', unpriced: 'P', restricted: 'R', open: 'A' },
    states: {
      ...{ past: 'passata', closed: 'chiusa (stop sell)', sold: 'esaurita (nessuna unità)', open: 'aperta' },
      ...{ unpriced: 'senza prezzo', restricted: 'con restrizioni (arrivo, partenza o durata)' },
    },
    ...{ setBy: 'Chi ha impostato cosa', ifGone: 'Se una fonte non avesse detto nulla' },
    why: 'Decide la fonte più restrittiva. Se nessuna imposta unità, non ce ne sono; «manual» è una persona: nel Registro.',
    ...{ before: 'La notte prima', after: 'La notte dopo' },
  },

  explain: {
    title: 'Soggiorno spiegato',
    ask: (stayMax, guestsMax) =>
      `Scegli un arrivo, una partenza al massimo ${nights(stayMax)} dopo e fino a ${guests(guestsMax)}.`,
    outcomes: {
      priced: 'Verrebbe creato un preventivo.',
      STAY_UNAVAILABLE: 'Nessuna tipologia può ospitare questo soggiorno (STAY_UNAVAILABLE).',
      QUOTE_UNAVAILABLE: 'Il soggiorno è possibile, ma non ha un prezzo (QUOTE_UNAVAILABLE).',
    },
    about: (nightCount, guestCount, first, last) =>
      `${nights(nightCount)}, ${guests(guestCount)}. Si vendono le notti dal ${first} al ${last}.`,
    notQuoting: 'I preventivi sono disattivati nel documento della struttura.',
    ...{ eligible: 'può ospitarlo', notEligible: 'non può ospitarlo' },
    ...{ isQuoted: 'il preventivo sarebbe per questa tipologia', refusals: 'Che cosa lo impedisce' },
    noPrice: 'Una notte non ha tariffa, quindi il soggiorno non ha prezzo.',
  },

  supply: {
    held: 'Calendari trattenuti',
    heldWhy: 'Aprirebbero almeno metà delle notti chiuse. Lo stesso calendario, se arriva di nuovo, viene accettato.',
    ...{ failing: 'Calendari che non si possono leggere', feeds: 'Calendari sottoscritti' },
    ...{ messages: 'Messaggi più recenti', sources: 'Fonti, prima quelle in silenzio da più tempo' },
    freshness: 'Freschezza per struttura',
    verdicts: { applied: 'applicato', partial: 'applicato in parte', refused: 'rifiutato' },
    states: { new: 'non ancora letto', ok: 'in ordine', held: 'trattenuto', failing: 'non riuscito' },
  },

  funnel: {
    ...{ byDay: 'Per giorno (UTC)', byPartner: 'Per partner', noBooking: 'ancora nessuna prenotazione' },
    ratio: (looks) => `${looks} consultazioni per una prenotazione`,
    about:
      'Consultazioni: risposte di disponibilità e preventivi. I preventivi e i loro esiti contano nel loro giorno.',
    drift: 'Prezzi cambiati, per età del preventivo alla prima apertura',
    ages: {
      ...{ '0-1h': 'fino a un’ora', '1-24h': 'da 1 a 24 ore', '1-3d': 'da 1 a 3 giorni', '3-7d': 'da 3 a 7 giorni' },
      '7d+': 'una settimana e più',
    },
    driftWhy: 'Confrontati: i prezzi che allora si potevano ricalcolare. La media è di quelli cambiati; +: più cari.',
  },

  demand: {
    map: 'Quota di ricerche senza risultati, per città e settimana di arrivo',
    of: (empty, searches) => `${empty} su ${searches}`,
    ...{ all: 'Tutte le settimane', otherStays: 'altri soggiorni' },
    unmet: 'Soggiorni senza risultati, prima i più richiesti',
    unmetWhy:
      'Valutati entro mezzo minuto con ciò che è aperto ora. Una struttura conta una volta, col suo primo motivo.',
    nearest: (date, count) => `${date}, in ${properties(count)}`,
    unknown: 'Luoghi che qui nessuno offre',
  },

  unmet: {
    ...{ sold_out: 'esaurita', stop_sell: 'vendita sospesa', closed_to_arrival: 'chiusa all’arrivo' },
    ...{ closed_to_departure: 'chiusa alla partenza', min_stay: 'soggiorno minimo più lungo' },
    ...{ max_stay: 'soggiorno massimo più corto', advance: 'troppo presto o troppo in anticipo' },
    ...{ guests: 'troppo piccola per gli ospiti', beyond_horizon: 'non ancora offerta, o passata' },
  },

  audit: { done: 'fatto', failed: 'non riuscito' },
};
