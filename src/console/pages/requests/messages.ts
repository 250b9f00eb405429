import type { OperationId } from '../../../contract/partner/operations.ts';
import { type Content, html as say } from '../../../http/html/html.ts';
import { english, inLanguages, italian, type Said, said } from '../../web/messages/said.ts';

export const REQUEST_TEXTS = inLanguages({
  any: said('any', 'qualsiasi'),
  nobodyAsked: said(
    (partners: Content) => say`No partner has asked anything yet. A partner needs a credential: ${partners}.`,
    (partners) =>
      say`Nessun partner ha ancora chiesto nulla. A un partner serve una credenziale: ${partners}.`,
  ),
  filter: said('Filter', 'Filtra'),
  verbs: {
    listPartnerProperties: said('searched', 'ha cercato'),
    getPartnerProperty: said('read a property', 'ha letto una struttura'),
    getPartnerPropertyAvailability: said('checked a stay', 'ha verificato un soggiorno'),
    createPartnerQuote: said('quoted', 'ha chiesto un preventivo'),
    searchStayPrices: said('searched with totals', 'ha cercato con i totali'),
    searchFlexibleStays: said('searched any dates', 'ha cercato date qualsiasi'),
    listPriceDays: said('read the prices of a city', 'ha letto i prezzi di una città'),
    priceStays: said('priced a list', 'ha chiesto i prezzi di un elenco'),
    getPriceCalendar: said('read a price calendar', 'ha letto un calendario dei prezzi'),
    createStayQuote: said('quoted for a family', 'ha chiesto un preventivo per una famiglia'),
    getStayOffer: said('read a stay with its terms', 'ha letto un soggiorno con le condizioni'),
    suggestCities: said('looked for a city', 'ha cercato una città'),
    listPropertyContent: said('read texts of a city', 'ha letto i testi di una città'),
    getPropertyContent: said('read texts of a property', 'ha letto i testi di una struttura'),
    listChanges: said('asked for changes', 'ha chiesto le modifiche'),
  } satisfies Readonly<Record<OperationId, Said>>,
  statuses: {
    '2xx': said('answered (2xx)', 'risposte (2xx)'),
    '4xx': said('refused (4xx)', 'rifiutate (4xx)'),
    '5xx': said('not served (5xx)', 'non servite (5xx)'),
  },
  ages: {
    '15m': said('15 minutes', '15 minuti'),
    '1h': said('an hour', 'un’ora'),
    '24h': said('a day', 'un giorno'),
    '7d': said('a week', 'una settimana'),
  },
  next: said('Older requests', 'Richieste precedenti'),
  why: said('Why', 'Perché'),
  about: said(
    'In memory are the last 4,096 answers of each thread; stored are refusals, quotes, and 1% of the rest.',
    'In memoria: le ultime 4.096 risposte di ogni thread. Salvati: i rifiuti, i preventivi e l’1% del resto.',
  ),
  now: said(
    'Judged by what is open now, not by what was when it was asked.',
    'Valutato in base a ciò che è aperto ora, non al momento della richiesta.',
  ),
  says: {
    noSuchProperty: said('There is no property with this id.', 'Non esiste una struttura con questo id.'),
    hiddenProperty: said(
      'The property exists, but its document does not make it visible to this partner.',
      'La struttura esiste, ma il suo documento non la rende visibile a questo partner.',
    ),
    unknownPlace: said(
      'No property answers to this city. Names that were asked for three times are under Demand.',
      'Nessuna struttura risponde a questa città. I nomi compaiono in Domanda dopo tre richieste.',
    ),
    undated: said(
      'The search had no dates: the partner sees no property of this city, or none hosts so many guests.',
      'Ricerca senza date: il partner non vede strutture di questa città, o nessuna ospita così tante persone.',
    ),
  },
  judged: said(
    (judged: number, all: number) => `Judged: ${judged} of ${english.properties(all)} that the partner sees.`,
    (judged, all) => `Valutate: ${judged} di ${italian.properties(all)} che il partner vede.`,
  ),
  passed: said('Its check-in has passed.', 'Il suo arrivo è passato.'),
  opens: said('By now at least one property can host it.', 'Ora almeno una struttura può ospitarlo.'),
  none: said('The partner sees no property of this city.', 'Il partner non vede strutture di questa città.'),
  nearest: said(
    (opening: string) => `Nearest opening of the same length: ${opening}.`,
    (opening) => `Apertura più vicina della stessa durata: ${opening}.`,
  ),
  againWhy: said(
    'Uses no quota and stores nothing. Language, country and page size are not kept: it asks without them.',
    'Non usa la quota e non salva nulla. Lingua, paese e dimensione della pagina mancano: chiede senza.',
  ),
  curl: said(
    'The request as a shell command, with the partner’s token in TOKEN:',
    'La richiesta come comando di shell, con il token del partner in TOKEN:',
  ),
  same: said('The answer is the same as then.', 'La risposta è la stessa di allora.'),
  sameCount: said(
    'As many properties as then. Which ones they were is not kept, so they are not compared.',
    'Tante strutture quante allora. Quali fossero non è conservato: non sono confrontate.',
  ),
  sameStatus: said(
    'The status is the same as then. What the answer said is not kept, so it is not compared.',
    'Lo stato è lo stesso di allora. Il contenuto di allora non è conservato, quindi non è confrontato.',
  ),
  other: said('The answer differs from the one then.', 'La risposta è diversa da quella di allora.'),
  thenNow: said(
    (before: number, now: number) => `then ${before}, now ${now}`,
    (before, now) => `allora ${before}, ora ${now}`,
  ),
  body: said('The answer as JSON', 'La risposta in JSON'),
});
