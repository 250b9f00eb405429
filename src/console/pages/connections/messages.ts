import { english, inLanguages, italian, type Said, said } from '../../web/messages/said.ts';
import type { ConnectionCondition } from '../../../supply/connections/connection-view.ts';
import type { Explained, Verdict } from '../../../supply/connections/compare-stays.ts';

export const CONNECTION_TEXTS = inLanguages({
  title: said('Connections', 'Connessioni'),
  about: said(
    'A connection reads nights and prices from your own account at a booking system. It stores nothing there.',
    'Una connessione legge notti e prezzi dal tuo account presso un gestionale. Lì non scrive nulla.',
  ),
  connect: said('Connect a booking system', 'Collega un gestionale'),
  connectTo: said(
    (system: string) => `Connect ${system}`,
    (system) => `Collega ${system}`,
  ),
  connection: said(
    (name: string) => `Connection ${name}`,
    (name) => `Connessione ${name}`,
  ),
  readsOf: said('It reads', 'Legge'),
  byHandOf: said('Set by hand here', 'Da impostare qui a mano'),
  notLive: said(
    'Written from its description; never run on a real account. “Compare” shows whether yours is read right.',
    'Scritta dalla sua descrizione; mai provata su un account vero. «Confronta» mostra se il tuo è letto bene.',
  ),
  alreadyConnected: said(
    (count: number) => english.counted(count, 'account is connected', 'accounts are connected'),
    (count: number) => italian.counted(count, 'account collegato', 'account collegati'),
  ),
  keyHelp: said(
    'The key is tried first, and nothing is stored if it fails. It is never shown again, on no page.',
    'La chiave viene provata prima, e se non va non si salva nulla. Non è più mostrata, in nessuna pagina.',
  ),
  whereKey: {
    smoobu: said(
      'At Smoobu: Settings, Advanced, API Keys, a new key. Copy key and secret here.',
      'Su Smoobu: Impostazioni, Avanzate, Chiavi API, una nuova chiave. Copia qui chiave e segreto.',
    ),
    beds24: said(
      'At Beds24: Settings, Marketplace, API. Take a long life token that reads inventory and properties, or an invite code.',
      'Su Beds24: Settings, Marketplace, API. Prendi un long life token che legge inventory e properties, o un invite code.',
    ),
  },
  keyAfterSignIn: said(
    'The fields of the key open after a sign-in of the last 5 minutes.',
    'I campi della chiave si aprono dopo un accesso degli ultimi 5 minuti.',
  ),
  orByLink: said(
    'Or sign in by a new link, and open this page again:',
    'Oppure accedi con un nuovo link e riapri questa pagina:',
  ),
  more: said('More settings', 'Altre impostazioni'),
  base: said('Another address, for tests: base=http://…', 'Un altro indirizzo, per prove: base=http://…'),
  settings: {
    minStay: said('The minimum stay counts', 'Il soggiorno minimo vale'),
    offer: said('Offer whose prices are read', 'Offerta di cui leggere i prezzi'),
    hidden: said('Read hidden rooms too', 'Leggi anche gli alloggi nascosti'),
  },
  settingValues: {
    both: said('for each night of the stay', 'per ogni notte del soggiorno'),
    arrival: said('for the night of arrival', 'per la notte di arrivo'),
    no: said('no', 'no'),
    yes: said('yes', 'sì'),
  },
  works: said(
    'The other system takes longer than a page waits. It goes on behind this page: look again in a few minutes.',
    'L’altro sistema impiega più di quanto una pagina attenda. Il lavoro continua: riguarda tra qualche minuto.',
  ),
  states: {
    refused: said('refused', 'rifiutata'),
    late: said('late', 'in ritardo'),
    failing: said('failing', 'non riuscita'),
    held: said('held back', 'trattenuta'),
    new: said('new', 'nuova'),
    ok: said('in order', 'in ordine'),
  } satisfies Readonly<Record<ConnectionCondition, Said>>,
  todo: {
    refused: said(
      (system: string) =>
        `Look at the key at ${system}, then give “Another key” below; or set the clock of this machine.`,
      (system) =>
        `Controlla la chiave su ${system}, poi dai «Un’altra chiave» qui sotto; o regola l’orologio di questa macchina.`,
    ),
    late: said(
      (system: string) =>
        `${system} has given nothing usable for a while. Nights close if that lasts; “Read now” tries again.`,
      (system) =>
        `${system} non dà nulla di utilizzabile da un po’. Se continua, le notti si chiudono; «Leggi ora» riprova.`,
    ),
    failing: said(
      (_system: string) =>
        'Nights stay as they were. It is tried again by itself; there is nothing to do yet.',
      () => 'Le notti restano com’erano. Si riprova da sé; per ora non c’è nulla da fare.',
    ),
    held: said(
      (system: string) =>
        `Many nights would open, or many prices fall by more than half. Look at ${system}; if it is meant so, accept.`,
      (system) =>
        `Molte notti si aprirebbero, o molti prezzi scenderebbero di oltre la metà. Guarda su ${system}; se è voluto, accetta.`,
    ),
    new: said(
      (_system: string) =>
        'Choose below what each room is here, and save. Then its nights and prices are read.',
      () => 'Scegli qui sotto che cos’è qui ogni alloggio, e salva. Poi si leggono notti e prezzi.',
    ),
    ok: said(
      (system: string) => `Nights and prices are as ${system} says.`,
      (system) => `Notti e prezzi sono come dice ${system}.`,
    ),
  } satisfies Readonly<Record<ConnectionCondition, Said<(system: string) => string>>>,
  unmappedLeft: said(
    (count: number) => `${english.counted(count, 'room is', 'rooms are')} nothing here yet.`,
    (count) => `${italian.counted(count, 'alloggio non è', 'alloggi non sono')} ancora nulla qui.`,
  ),
  rooms: said('Rooms of the account', 'Alloggi dell’account'),
  roomsAbout: said(
    'Choose for each room the one that it is here; suggestions are chosen already. A room that is nothing here is not read.',
    'Per ogni alloggio scegli quello che è qui; i suggerimenti sono già scelti. Un alloggio che qui non è nulla non viene letto.',
  ),
  tooMany: said(
    'There are too many to choose from here: each room offers its own and the suggested one. Others are set on Supply, or by a file with “stayport mapping import”.',
    'Qui sono troppi per scegliere: ogni alloggio offre il suo e quello suggerito. Gli altri si impostano in Forniture, o da file con «stayport mapping import».',
  ),
  typeFor: said(
    (room: string) => `What ${room} is here`,
    (room) => `Che cos’è qui ${room}`,
  ),
  pricesOf: said(
    (room: string) => `Take the prices of ${room}`,
    (room) => `Prendi i prezzi di ${room}`,
  ),
  suggestedIs: said('suggested', 'suggerito'),
  gone: said('not in the account any more', 'non è più nell’account'),
  heldRoom: {
    opens: said('held back: many nights would open', 'trattenuto: molte notti si aprirebbero'),
    cheapens: said(
      'held back: many prices fall by more than half',
      'trattenuto: molti prezzi scenderebbero di oltre la metà',
    ),
  },
  usedBound: said('a price that is never too low is used', 'si usa un prezzo che non è mai troppo basso'),
  missing: said('Make what is missing', 'Crea ciò che manca'),
  missingAbout: said(
    (count: number) =>
      `Makes a property for ${english.counted(count, 'room that has', 'rooms that have')} none here, and maps what is suggested. No partner sees them until you offer them. First you are shown what would change.`,
    (count) =>
      `Crea una struttura per ${italian.counted(count, 'alloggio che qui non ne ha', 'alloggi che qui non ne hanno')}, e abbina ciò che è suggerito. Nessun partner le vede finché non le offri. Prima ti si mostra che cosa cambierebbe.`,
  ),
  suggestedButton: said('Map what is suggested', 'Abbina ciò che è suggerito'),
  showButton: said('Show what would change', 'Mostra che cosa cambierebbe'),
  foreseen: {
    created: said('Properties and types to be made', 'Strutture e tipi da creare'),
    mapped: said('Rooms mapped to what is there', 'Alloggi abbinati a ciò che c’è'),
    refused: said('Rooms that cannot be', 'Alloggi per cui non si può'),
    closes: said('Nights that close', 'Notti che si chiudono'),
    prices: said('Nights that get a price', 'Notti che avranno un prezzo'),
    unpriced: said('Nights that stay without a price', 'Notti che restano senza prezzo'),
  },
  outcomes: {
    created: said('new', 'nuova'),
    mapped: said('mapped', 'abbinato'),
    refused: said('not possible', 'non si può'),
  },
  offerAbout: said(
    'What was made here is shown to no partner yet.',
    'Ciò che è stato creato qui non è ancora mostrato a nessun partner.',
  ),
  comparison: said('Comparison', 'Confronto'),
  comparisonAbout: said(
    (system: string) =>
      `Asks ${system} for 20 stays, and prices the same ones here: the difference is the truth of your account.`,
    (system) =>
      `Chiede a ${system} 20 soggiorni e ne calcola qui il prezzo: la differenza è la verità del tuo account.`,
  ),
  comparing: said(
    'A comparison is being made behind this page. It may wait some minutes for the other system; the page shows it when it is done.',
    'Un confronto è in corso dietro questa pagina. Può attendere alcuni minuti l’altro sistema; la pagina lo mostra quando è fatto.',
  ),
  compareFailed: said('The last one came to nothing:', 'L’ultimo non è riuscito:'),
  comparedAt: said('The last one, worst first:', 'L’ultimo, prima i peggiori:'),
  verdicts: {
    unexplained: said('not explained', 'senza spiegazione'),
    explained: said('explained', 'spiegato'),
    not_comparable: said('not comparable', 'non confrontabile'),
    equal: said('the same', 'uguale'),
  } satisfies Readonly<Record<Verdict, Said>>,
  explains: {
    fee: said('fee', 'costo'),
    tax: said('tax', 'imposta'),
    deposit: said('deposit', 'cauzione'),
    discount: said('discount', 'sconto'),
    source: said('another source closes it here', 'un’altra fonte lo chiude qui'),
  } satisfies Readonly<Record<Explained['what'], Said>>,
  free: said('free', 'libero'),
  closed: said('closed', 'chiuso'),
  stayReasons: {
    guests: said('guests', 'ospiti'),
    min_stay: said('minimum stay', 'soggiorno minimo'),
    arrival_day: said('day of arrival', 'giorno di arrivo'),
    lead_time: said('days ahead', 'anticipo'),
    gap: said('gap between stays', 'intervallo tra soggiorni'),
    other: said('another rule', 'un’altra regola'),
  },
  /** Why open nights have no price. */
  unpricedReasons: {
    no_price: said('no price is set', 'nessun prezzo impostato'),
    no_rule: said('no price rule for direct guests', 'nessuna regola di prezzo per ospiti diretti'),
    no_capacity: said('the number of guests is not said', 'non è detto quanti ospiti'),
    units_by_guest: said('each guest takes a unit', 'ogni ospite occupa un’unità'),
    fixed_price: said('a fixed price covers the night', 'un prezzo fisso copre la notte'),
    linked_price: said('its price is linked to another one', 'il prezzo dipende da un altro'),
    conditional_rule: said('a rule counts for some stays only', 'una regola vale solo per alcuni soggiorni'),
    price_rule: said('a price rule is not understood', 'una regola di prezzo non è compresa'),
    multiplier: said('the night has a multiplier', 'la notte ha un moltiplicatore'),
    booking_page_multiplier: said(
      'the booking page has a multiplier',
      'la pagina di prenotazione ha un moltiplicatore',
    ),
    price_rounding: said('prices are rounded there', 'lì i prezzi sono arrotondati'),
    min_price: said('there is a lowest price', 'c’è un prezzo minimo'),
    block_after_check_out: said('days are blocked after check-out', 'giorni bloccati dopo la partenza'),
  },
  /** Terms that a system does not tell. */
  termsByHand: {
    includedGuests: said('guests in the price', 'ospiti compresi nel prezzo'),
    extraGuestRate: said('price of further guests', 'prezzo degli altri ospiti'),
    cleaningFee: said('cleaning fee', 'pulizie'),
    taxes: said('taxes', 'imposte'),
    discounts: said('discounts', 'sconti'),
    minAdvanceDays: said('days ahead', 'anticipo'),
    maxStay: said('maximum stay', 'soggiorno massimo'),
    closedToArrival: said('days of arrival', 'giorni di arrivo'),
    ageBands: said('prices of children', 'prezzi dei bambini'),
  },
  removeAbout: said(
    'Ends all its mappings and deletes its key. Its nights are then what other sources say; first you are shown the numbers.',
    'Termina tutti gli abbinamenti e cancella la chiave. Le notti saranno poi come dicono le altre fonti; prima ti si mostrano i numeri.',
  ),
  removed: {
    types: said('Types that it keeps no longer', 'Tipi che non tiene più'),
    closedNights: said('Nights that it closes now', 'Notti che ora chiude'),
  },
});
