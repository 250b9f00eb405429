import type { NightState } from '../../../domain/night-state.ts';
import { type Content, html as say } from '../../../http/html/html.ts';
import { inLanguages, type Said, said } from '../../web/messages/said.ts';

export const PROPERTIES_TEXTS = inLanguages({
  count: said(
    (count: number, text: string) => `${text} ${count === 1 ? 'property' : 'properties'}.`,
    (count, text) => `${text} ${count === 1 ? 'struttura' : 'strutture'}.`,
  ),
  about: said(
    (nightCount: number) =>
      `Nights open: share of the next ${nightCount} nights that some type sells. The price is the lowest of that night.`,
    (nightCount) =>
      `Notti aperte: quota delle prossime ${nightCount} notti in vendita in almeno una tipologia. Il prezzo è il più basso.`,
  ),
  tooMany: said(
    'There are 10,000 properties or more: search for a name. They are not counted, and not sorted but by id.',
    'Ci sono almeno 10.000 strutture: cerca un nome. Non sono contate, e sono ordinate solo per id.',
  ),
  noNight: said('none', 'nessuna'),
  start: said(
    (form: Content, file: Content) => say`Nothing is here yet. Begin with ${form}, or ${file}.`,
    (form, file) => say`Qui non c’è ancora nulla. Comincia con ${form}, o ${file}.`,
  ),
  byId: said('Id', 'Id'),
  byMatch: said('What matches', 'Testo trovato'),
  rising: said('ascending', 'crescente'),
  falling: said('descending', 'decrescente'),
});

export const PROPERTY_TEXTS = inLanguages({
  place: said(
    (city: string, country: string, today: string, timezone: string, source: string) =>
      `${city}, ${country}. It is now ${today} (${timezone}). Its document is from the source “${source}”.`,
    (city, country, today, timezone, source) =>
      `${city}, ${country}. Lì oggi è ${today} (${timezone}). Il suo documento è della fonte «${source}».`,
  ),
  toNights: said('To the nights', 'Alle notti'),
  explain: said('Explain a stay', 'Spiega un soggiorno'),
  allTypes: said('All types', 'Tutte le tipologie'),
  did: {
    close: said('Closed', 'Chiuse'),
    open: said('Opened', 'Aperte'),
    'nights-save': said('Set', 'Impostato'),
  },
  undo: said('Undo', 'Annulla'),
  sellsForNothing: said(
    'The rate is 0.00: these nights sell for nothing.',
    'La tariffa è 0,00: queste notti si vendono gratis.',
  ),
  lacksUnits: said(
    'No source has set units of some of these nights: without units nothing is sold.',
    'Nessuna fonte ha impostato le unità di alcune di queste notti: senza unità nulla si vende.',
  ),
  setOneUnit: said('Set 1 unit', 'Imposta 1 unità'),
  unchanged: said('nothing was changed', 'nulla è cambiato'),
  closed: said('Closed manually', 'Chiuse manualmente'),
  sources: said('Sources', 'Fonti'),
  published: said('Published calendars', 'Calendari pubblicati'),
  caption: said(
    'Nights for sale by room type; each night leads to who set what.',
    'Notti in vendita per tipologia; ogni notte porta a chi ha impostato cosa.',
  ),
  hint: said(
    'Arrows go from night to night, Enter opens one. Space or Shift+click chooses the first and the last night.',
    'Le frecce cambiano notte, Invio la apre. Spazio o Maiusc+clic sceglie la prima e l’ultima notte.',
  ),
  monthHint: said(
    'A click or Space chooses the first and the last night. Arrows go from night to night, Enter opens one.',
    'Un clic o Spazio sceglie la prima e l’ultima notte. Le frecce cambiano notte, Invio la apre.',
  ),
  earlierMonths: said('Earlier months', 'Mesi precedenti'),
  laterMonths: said('Later months', 'Mesi successivi'),
  sourcesAndCalendars: said('Closings, sources and calendars', 'Chiusure, fonti e calendari'),
  tapHint: said('Tap the first night, then the last one.', 'Tocca la prima notte, poi l’ultima.'),
  showInCells: said('In the cells', 'Nelle caselle'),
  figures: {
    state: said('State', 'Stato'),
    price: said('Price', 'Prezzo'),
    units: said('Units left', 'Unità libere'),
  },
  figureNote: {
    price: said(
      (currency: string) => `Price per night in ${currency}, rounded up; by guests, the lowest.`,
      (currency) => `Prezzo per notte in ${currency}, arrotondato per eccesso; per ospiti, il più basso.`,
    ),
    units: said(
      (_currency: string) => 'Units left to sell.',
      () => 'Unità ancora in vendita.',
    ),
  },
  chosen: said('The chosen nights', 'Le notti scelte'),
  chooseFirst: said(
    'Choose nights in the calendar, or type their dates.',
    'Scegli le notti nel calendario, o scrivi le date.',
  ),
  save: said('Save', 'Salva'),
  wholeYear: said('The year, all types', 'L’anno, tutte le tipologie'),
  openNight: said('Open the night', 'Apri la notte'),
  priceAndExplain: said('Price and explain', 'Prezzo e spiegazione'),
  otherSource: said(
    (sources: string) => `Still closed by ${sources}: only that source can open these nights.`,
    (sources) => `Ancora chiuse da ${sources}: solo quella fonte può riaprire queste notti.`,
  ),
});

/** The nights of one type by month. */
export const MONTH_TEXTS = inLanguages({
  minimum: said(
    (nights: string, stretch: string) => `At least ${nights}: ${stretch}.`,
    (nights, stretch) => `Almeno ${nights}: ${stretch}.`,
  ),
  more: said(
    (count: number) => `And ${count} more minimum stays.`,
    (count) => `E altri ${count} soggiorni minimi.`,
  ),
  /** In the cell of a night, in place of a price. */
  words: {
    past: said('', ''),
    closed: said('closed', 'chiusa'),
    not_set_up: said('–', '–'),
    sold: said('sold', 'piena'),
    unpriced: said('price?', 'prezzo?'),
    restricted: said('–', '–'),
    open: said('–', '–'),
  } satisfies Readonly<Record<NightState, Said>>,
});

/** The states of a night, in the heat map and on the page of the night. */
export const NIGHT_STATE_TEXTS = inLanguages({
  /** Letters in the cells of the heat map, all different. */
  letters: {
    past: said('–', '–'),
    closed: said('C', 'C'),
    not_set_up: said('N', 'N'),
    sold: said('S', 'E'),
    unpriced: said('P', 'P'),
    restricted: said('R', 'R'),
    open: said('O', 'A'),
  } satisfies Readonly<Record<NightState, Said>>,
  states: {
    past: said('past', 'passata'),
    closed: said('closed (stop-sell)', 'chiusa (stop sell)'),
    not_set_up: said('not set up (no units were ever set)', 'non impostata (unità mai indicate)'),
    sold: said('sold out (no unit left)', 'esaurita (nessuna unità libera)'),
    unpriced: said('without a price', 'senza prezzo'),
    restricted: said(
      'restricted (arrival, departure or length of stay)',
      'con restrizioni (arrivo, partenza o durata)',
    ),
    open: said('open', 'aperta'),
  } satisfies Readonly<Record<NightState, Said>>,
});
