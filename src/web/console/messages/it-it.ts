/** Italian: every sentence of `en-gb.ts`. */
import { makeCounted } from '../../kit/formats.ts';
import { html as say } from '../../kit/html.ts';
import type { Messages } from './en-gb.ts';

const counted = makeCounted('it-IT');
const nights = (count: number) => counted(count, 'notte', 'notti');
const guests = (count: number) => counted(count, 'ospite', 'ospiti');
const days = (count: number) => counted(count, 'giorno', 'giorni');
const properties = (count: number) => counted(count, 'struttura', 'strutture');

export const IT_IT: Messages = {
  locale: 'it-IT',
  nights,
  guests,
  decimal: (text) => text.replace('.', ','),

  words: {
    ...{ partner: 'Partner', name: 'Nome', origins: 'Origini del browser', state: 'Stato', yes: 'sì', no: 'no' },
    ...{ credential: 'Credenziale', quota: 'Quota', scopes: 'Ambiti', use: 'Ultima ora', lastUse: 'Ultimo uso' },
    ...{ issued: 'Creata', expires: 'Scade', changes: 'Modifica', overlap: 'Il vecchio token vale per' },
    ...{ quotaAsked: 'Richieste in 60 s', expiresAsked: 'Scade (vuoto: mai)', asTest: 'Per la sandbox' },
    ...{ at: 'Quando', operation: 'Operazione', answer: 'Risposta', asked: 'Che cosa', found: 'Trovate' },
    ...{ duration: 'Durata', code: 'Codice', answers: 'Risposte', correlation: 'Id di correlazione' },
    ...{ quote: 'Preventivo', before: 'Allora', status: 'Stato (404 o 4xx)' },
    ...{ since: 'Da (per esempio 1h)', search: 'L’id o il nome inizia con' },
    ...{ property: 'Struttura', city: 'Città', country: 'Paese', type: 'Tipologia' },
    ...{ stay: 'Soggiorno', checkIn: 'Arrivo', checkOut: 'Partenza', guests: 'Ospiti', arrival: 'Arrivo' },
    ...{ night: 'Notte', nights: 'Notti', firstNight: 'Prima notte', lastNight: 'Ultima notte', takeBack: 'Riapri' },
    ...{ availability: 'Unità rimaste', rate: 'Tariffa', ratesByGuests: 'Tariffe per ospiti', stopSell: 'Stop sell' },
    ...{ closedToArrival: 'Chiusa all’arrivo', closedToDeparture: 'Chiusa alla partenza' },
    ...{ maxStay: 'Soggiorno massimo', minStayArrival: 'Soggiorno minimo all’arrivo' },
    ...{ minStayThrough: 'Soggiorno minimo con questa notte' },
    ...{ field: 'Campo', value: 'Valore', setAt: 'Da quando', message: 'Messaggio', decides: 'Decide', open: 'Aperta' },
    ...{ without: 'Senza', stateThen: 'La notte sarebbe', changesThen: 'Che cosa cambierebbe' },
    ...{ accommodation: 'Alloggio', cleaningFee: 'Pulizie', taxes: 'Imposte e servizi', total: 'Totale' },
    ...{ discount: 'Sconto', extraGuests: 'Ospiti extra', price: 'Prezzo', part: 'Parte', amount: 'Importo' },
    ...{ kind: 'Tipo', logic: 'Calcolo', inclusive: 'Nelle tariffe', added: 'Aggiunto', included: 'Incluso' },
    ...{ quoted: 'Creato', locale: 'Lingua', test: 'Test', rule: 'Regola' },
    ...{ source: 'Fonte', newest: 'Ultima conferma', oldest: 'Conferma più vecchia', properties: 'Strutture' },
    ...{ received: 'Ricevuto', verdict: 'Esito', changed: 'Cambiate', errors: 'Errori', warnings: 'Avvisi' },
    ...{ confirmed: 'Confermato', hours: 'Ore fa', calendarConfirmed: 'Ultima conferma del calendario' },
    ...{ feed: 'Feed', from: 'Da', closedNights: 'Notti chiuse', next: 'Prossima lettura', published: 'Pubblicato' },
    ...{ wouldOpen: 'Aprirebbe', wouldClose: 'Chiuderebbe' },
    ...{ fromDay: 'Dal', toDay: 'Al', day: 'Giorno', searches: 'Ricerche', looks: 'Consultazioni' },
    ...{ quotes: 'Preventivi', opened: 'Aperti', priceChanged: 'Prezzo cambiato', continued: 'Proseguiti' },
    ...{ converted: 'Prenotati', lookToBook: 'Consultazioni per prenotazione', age: 'Età' },
    ...{ compared: 'Confrontati', share: 'Percentuale', average: 'Variazione media' },
    ...{ causes: 'Perché (strutture)', nearest: 'Apertura più vicina', place: 'Luogo' },
    ...{
      reason: 'Motivo',
      setBy: 'Impostato dalla fonte',
      person: 'Chi',
      role: 'Ruolo',
      act: 'Azione',
      on: 'Su',
      to: 'A',
    },
  },

  frame: {
    ...{ console: 'Console Stayport', skip: 'Vai al contenuto', pages: 'Pagine', signOut: 'Esci' },
    ...{ sameAs: 'Lo stesso da riga di comando:', next: 'Altri', show: 'Mostra', thereAreMore: 'Ce ne sono altri:' },
  },

  bar: {
    ...{ today: 'Oggi', partners: 'Partner', requests: 'Richieste', properties: 'Strutture', supply: 'Fonti' },
    ...{ funnel: 'Conversioni', demand: 'Domanda', audit: 'Registro' },
  },

  signIn: {
    title: 'Accedi',
    howTo:
      'Si accede con un link valido una sola volta. Lo crea sul server chi gestisce Stayport; i ruoli sono viewer, operator e admin:',
    open: 'Hai già effettuato l’accesso? Apri la console',
    useLink: 'Questo link consente un solo accesso. Premi il pulsante per usarlo.',
  },

  refused: {
    back: 'Alla console',
    titles: {
      ...{ linkInvalid: 'Questo link non funziona', tooMany: 'Troppi tentativi', role: 'Non puoi farlo' },
      ...{ stale: 'Accedi di nuovo', form: 'Il modulo non è stato accettato', notFound: 'Questa pagina non esiste' },
      ...{ unavailable: 'Non disponibile al momento', failed: 'Non ha funzionato', act: 'Nulla è cambiato' },
    },
    texts: {
      linkInvalid: 'È già stato usato, è scaduto o non è completo. Creane uno nuovo:',
      tooMany: 'Dal tuo indirizzo sono arrivati troppi link o sessioni errati. Attendi un minuto e riprova.',
      role: 'Il tuo ruolo non lo prevede. Un link con un altro ruolo si crea così:',
      stale:
        'Ciò che può fare solo un amministratore richiede un accesso degli ultimi 5 minuti. Nulla è cambiato. Crea un nuovo link:',
      form: 'Non proviene da una pagina di questa sessione. Nulla è cambiato: riapri la pagina.',
      notFound: 'L’indirizzo è errato, oppure ciò che indica non è qui.',
      unavailable: 'Il database non risponde. Riprova tra poco; il motivo è nel log.',
      failed:
        'Un errore di Stayport: il motivo è nel log. Le modifiche potrebbero mancare; controlla prima di riprovare.',
    },
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
    acts: {
      ...{ notReady: 'Richieste non riuscite', noProperties: 'Come si importano', heldFeed: 'Guarda e accetta' },
      ...{ failingFeed: 'Guarda il calendario', silentSource: 'Guarda le fonti' },
      ...{ expiringCredential: 'Rinnovala', errorsRose: 'Guarda le richieste' },
      unmetDemand: 'Vedi perché',
    },
  },

  partners: { enabled: 'attivo', disabled: 'disattivato', empty: 'Non ci sono ancora partner. Così se ne crea uno:' },

  partner: {
    noOrigins: 'nessuna: possono chiamare solo i server',
    disabled: 'disattivato: tutte le sue credenziali sono rifiutate',
    credentials: 'Credenziali',
    noCredentials:
      'Questo partner non ha ancora credenziali e quindi non può chiamare. Un amministratore ne emette una qui sotto, oppure:',
    ...{ inForce: 'valida', revoked: 'revocata', expired: 'scaduta', never: 'mai', test: 'sandbox' },
    peak: (peak, quota) => `al massimo ${peak} di ${quota} in un minuto`,
    leftOut: (count) =>
      `Qui ${counted(count, 'credenziale non è mostrata', 'credenziali non sono mostrate')}. Il comando le elenca tutte.`,
    codes: {
      caption: 'Rifiutate nelle ultime 24 ore, per codice',
      empty: 'Nulla è stato rifiutato nelle ultime 24 ore.',
    },
    noUse: 'L’attività recente di questo partner ora non è leggibile; il motivo è nel log.',
    ...{ rotate: 'Rinnova', revoke: 'Revoca per sempre', issue: 'Emetti una credenziale' },
    issued: { title: 'Nuovo token', keep: 'Copia il token adesso: non verrà più mostrato.', back: 'Torna al partner' },
  },

  quote: {
    stay: (checkIn, checkOut, guestCount) => `dal ${checkIn} al ${checkOut}, ${guests(guestCount)}`,
    ...{ sandbox: 'della sandbox', noTaxes: 'La struttura non ha regole fiscali.' },
  },

  requests: {
    ...{ any: 'qualsiasi', all: 'Tutte le richieste', next: 'Richieste precedenti' },
    unread: (names) => `Tralasciato, perché non si capisce: ${names}.`,
    empty: 'Nessun partner ha ancora chiesto qualcosa. Crea un token e fai cercare il partner:',
    nothing:
      'Nessuna richiesta corrisponde. Prova con meno condizioni; l’id di correlazione è l’intestazione X-Correlation-ID di una risposta.',
    about:
      'In memoria ci sono le ultime 4.096 risposte di ogni thread di questa macchina. Restano salvati i rifiuti (tranne quelli dei limiti), i preventivi e l’1% del resto.',
  },

  request: {
    ...{ title: 'Richiesta', why: 'Perché' },
    now: 'Valutato in base a ciò che è aperto ora, non al momento della richiesta.',
    says: {
      noSuchProperty: 'Non esiste una struttura con questo id.',
      hiddenProperty: 'La struttura esiste, ma il suo documento non la rende visibile a questo partner.',
      unknownPlace: 'Nessuna struttura risponde a questa città. I nomi compaiono in Domanda dopo tre richieste.',
      undated:
        'La ricerca era senza date: nessuna struttura di questa città è visibile al partner, o nessuna ospita così tante persone.',
    },
    someJudged: (judged, all) => `${judged} di ${properties(all)} che il partner vede`,
    passed: 'Il suo arrivo è passato.',
    opens: 'Ora almeno una struttura può ospitarlo.',
    none: 'Il partner non vede strutture di questa città.',
    nearest: (opening) => `Apertura più vicina della stessa durata: ${opening}.`,
    explain: 'Tutte le regole, le notti e i prezzi di questo soggiorno',
    again: 'Chiedi di nuovo come questo partner, ora',
    againWhy:
      'Non usa la quota e non salva nulla. Lingua, paese e dimensione della pagina non si conservano: chiede senza.',
    curl: 'Lo stesso per una shell, con il token del partner in TOKEN:',
    askedAgain: 'Chiesto di nuovo',
    same: 'La risposta è la stessa di allora.',
    other: 'La risposta è diversa da quella di allora.',
    cut: 'Il resto della risposta è omesso.',
  },

  properties: {
    ...{ button: 'Cerca', first: 'Tutte le strutture' },
    empty: 'Non ci sono ancora strutture. Così si leggono da un file:',
    nothing: 'Nessuna struttura ha un id o un nome che inizia così. Prova con meno lettere.',
  },

  property: {
    place: (city, country, today, timezone) => `${city}, ${country}. Oggi là è il ${today} (${timezone}).`,
    source: (name) => `Il documento è della fonte «${name}».`,
    stay: 'Perché un soggiorno è possibile, o no?',
    ...{ explain: 'Spiega', allTypes: 'Tutte le tipologie' },
    acts: { close: 'Chiudi notti', open: 'Apri notti' },
    did: { close: 'Chiuse manualmente:', open: 'Non più chiuse manualmente:' },
    unchanged: {
      close: 'Queste notti erano già chiuse manualmente.',
      open: 'Nessuna di queste notti era chiusa manualmente. Una notte che resta chiusa dice quale fonte la chiude.',
    },
    undo: 'Annulla',
    closed: { caption: 'Chiuse manualmente', empty: 'Da oggi in poi nessuna notte è chiusa manualmente.' },
    confirmed: { caption: 'Fonti', empty: 'Nessuna fonte ha ancora confermato il calendario.' },
    published: 'Calendari pubblicati',
    notPublished: 'Nessun calendario di questa struttura è pubblicato. Così si crea un URL per altre piattaforme:',
  },

  heatMap: {
    caption: 'Notti in vendita per tipologia; ogni notte porta a chi ha impostato cosa',
    hint: 'Le frecce passano da una notte all’altra, Invio la apre. Spazio o Maiusc+clic sceglie la prima e l’ultima notte per i moduli.',
  },

  night: {
    letters: { past: '–', closed: 'C', sold: 'E', unpriced: 'P', restricted: 'R', open: 'A' },
    states: {
      ...{ past: 'passata', closed: 'chiusa (stop sell)', sold: 'esaurita (nessuna unità)' },
      unpriced: 'senza prezzo',
      restricted: 'con restrizioni (arrivo, partenza o durata)',
      open: 'aperta',
    },
    whys: {
      past: 'È prima di oggi presso la struttura.',
      closed: 'Una fonte ha lo stop sell: ne basta una.',
      sold: 'Di tutte le fonti conta il numero di unità più basso. Se nessuna l’ha mai impostato, non ce ne sono.',
      unpriced: 'Sarebbe in vendita, ma la fonte dei prezzi non ha impostato una tariffa.',
      restricted: 'È in vendita, ma non per ogni soggiorno.',
      open: 'È in vendita per ogni soggiorno che la tipologia può ospitare.',
    },
    is: 'Questa notte è',
    settings: {
      caption: 'Chi ha impostato cosa',
      empty: 'Nessuna fonte ha impostato qualcosa per questa notte, quindi non c’è nulla da vendere.',
    },
    stricter: 'no, un’altra fonte è più restrittiva',
    byHand: 'La fonte «manual» è una persona: il registro dice chi.',
    ifGone: 'Se una fonte non avesse detto nulla',
    ...{ noChange: 'nulla', notSet: 'non impostato', before: 'La notte prima', after: 'La notte dopo' },
    stay: 'Spiega un soggiorno in questa notte',
  },

  explain: {
    ...{ title: 'Soggiorno spiegato', back: 'Alla struttura' },
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
    isQuoted: 'il preventivo sarebbe per questa tipologia',
    refusals: 'Che cosa lo impedisce',
    rules: {
      guestsMax: (value) => `ospita al massimo ${counted(Number(value), 'persona', 'persone')}`,
      today: (value) => `prima di oggi, ${value}, presso la struttura`,
      horizon: (value) => `oltre l’ultima notte offerta, ${value}`,
      minAdvanceDays: (value) => `l’arrivo richiede almeno ${days(Number(value))} di anticipo`,
      maxAdvanceDays: (value) => `l’arrivo richiede al massimo ${days(Number(value))} di anticipo`,
      availability: () => 'nessuna unità rimasta',
      stopSell: () => 'vendita sospesa',
      closedToArrival: () => 'chiusa all’arrivo',
      closedToDeparture: () => 'chiusa alla partenza',
      minStayArrival: (value) => `l’arrivo richiede almeno ${nights(Number(value))}`,
      minStayThrough: (value) => `il soggiorno richiede almeno ${nights(Number(value))}`,
      maxStay: (value) => `l’arrivo consente al massimo ${nights(Number(value))}`,
    },
    noPrice: 'Una notte non ha tariffa, quindi il soggiorno non ha prezzo.',
    discount: (code, percent) => `Sconto ${code}, ${percent.replace('.', ',')}%, già detratto`,
  },

  supply: {
    held: 'Calendari trattenuti',
    heldWhy:
      'Aprirebbero almeno la metà delle notti che hanno chiuso. Accettane uno se è giusto; se arriva uguale una seconda volta, viene accettato automaticamente.',
    leftOut: (count) => (count === 1 ? 'e un altro' : `e altri ${count}`),
    accept: 'Accetta',
    failing: 'Calendari che non si possono leggere',
    sources: 'Fonti, prima quelle in silenzio da più tempo',
    noSources: 'Nessuna fonte ha ancora confermato qualcosa. Così si legge un file:',
    messages: 'Messaggi più recenti',
    verdicts: { applied: 'applicato', partial: 'applicato in parte', refused: 'rifiutato' },
    noMessages: 'Non è arrivato alcun messaggio. I sistemi li inviano al listener dell’operatore:',
    freshness: 'Freschezza per struttura',
    moreFreshness: 'Ce ne sono altre; le più vecchie si elencano con',
  },

  feeds: {
    caption: 'Calendari sottoscritti',
    states: { new: 'non ancora letto', ok: 'in ordine', held: 'trattenuto', failing: 'non riuscito' },
    empty: 'Nessun calendario è sottoscritto. Così se ne sottoscrive uno:',
  },

  funnel: {
    ...{ byDay: 'Per giorno (UTC)', byPartner: 'Per partner' },
    ratio: (looks) => `${looks} consultazioni per una prenotazione`,
    noBooking: 'ancora nessuna prenotazione',
    drift: {
      caption: 'Prezzi cambiati, per età del preventivo alla prima apertura',
      ages: {
        ...{ '0-1h': 'fino a un’ora', '1-24h': 'da 1 a 24 ore', '1-3d': 'da 1 a 3 giorni' },
        ...{ '3-7d': 'da 3 a 7 giorni', '7d+': 'una settimana e più' },
      },
      about:
        'Confrontati sono i preventivi il cui prezzo si poteva ricalcolare in quel momento. La media è di quelli cambiati; con il più sono diventati più cari.',
    },
    about:
      'Le ricerche hanno date; le consultazioni sono risposte di disponibilità e preventivi. I preventivi e ciò che ne è seguito contano nel giorno del preventivo.',
    empty: 'In questi giorni nessuno ha chiesto nulla. Scegli altri giorni, o crea un token:',
    more: 'Ci sono altri partner; il comando li elenca tutti.',
  },

  demand: {
    map: 'Quota di ricerche senza risultati, per città e settimana di arrivo',
    mapWhy: 'In percentuale, e sotto quante ricerche su quante. Più il colore è intenso, più resta insoddisfatto.',
    of: (empty, searches) => `${empty} su ${searches}`,
    all: 'Tutte le settimane',
    leftOut: (cities, weeks) =>
      `Omesse: ${counted(cities, 'città', 'città')} e ${counted(weeks, 'settimana', 'settimane')}. Il comando elenca tutto.`,
    noSearches: 'Nessuno ha cercato con date in questi giorni. Scegli altri giorni, o fai cercare un partner.',
    unmet: {
      caption: 'Soggiorni senza risultati, prima i più richiesti',
      empty: 'Nessun soggiorno futuro è stato cercato invano, o non è ancora valutato: serve fino a mezzo minuto.',
    },
    unmetWhy: 'Valutati in base a ciò che è aperto ora. Una struttura conta una volta, con il suo primo motivo.',
    nearest: (date, count) => `${date}, in ${properties(count)}`,
    otherStays: 'altri soggiorni',
    unknown: {
      caption: 'Luoghi che qui nessuno offre',
      empty: 'Nessun luogo sconosciuto è stato cercato tre volte in questi giorni.',
    },
  },

  unmet: {
    ...{ sold_out: 'esaurita', stop_sell: 'vendita sospesa', closed_to_arrival: 'chiusa all’arrivo' },
    closed_to_departure: 'chiusa alla partenza',
    ...{ min_stay: 'soggiorno minimo più lungo', max_stay: 'soggiorno massimo più corto' },
    advance: 'troppo presto o troppo in anticipo',
    guests: 'troppo piccola per gli ospiti',
    beyond_horizon: 'non ancora offerta, o passata',
  },

  audit: {
    ...{ done: 'fatto', failed: 'non riuscito' },
    empty: 'In questi giorni nulla è cambiato. Qui appare ciò che persone e comandi modificano.',
  },
};
