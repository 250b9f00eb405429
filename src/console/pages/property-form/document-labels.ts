/** Labels of the property document's fields in its form, by path. A new field needs its row here. */
import type { Locale } from '../../../domain/property.ts';
import { type Said, said } from '../../web/messages/said.ts';

const CODE = said('Code', 'Codice');
const PERCENT = said('Per cent', 'Percentuale');
const MIN_ADVANCE = said('Days ahead at least', 'Giorni di anticipo minimi');
const MAX_ADVANCE = said('Days ahead at most', 'Giorni di anticipo massimi');
const NAME = said('Name', 'Nome');
const DAYS_BEFORE = said('Days before check-in', 'Giorni prima dell’arrivo');

const UNTIL_AGE = said('Up to and including age', 'Fino a (età compresa)');

export const DOCUMENT_LABELS: Readonly<Record<string, Said>> = {
  propertyId: said('Property id', 'Id della struttura'),
  name: NAME,
  description: said('Description', 'Descrizione'),
  propertyType: said('Kind of property', 'Tipo di struttura'),
  location: said('Place', 'Luogo'),
  'location.city': said('City', 'Città'),
  'location.country': said('Country', 'Paese'),
  'location.area': said('Area', 'Zona'),
  cityAliases: said('Other names of the city, one a line', 'Altri nomi della città, uno per riga'),
  bathrooms: said('Bathrooms', 'Bagni'),
  amenities: said('Amenities', 'Servizi'),
  rating: said('Rating', 'Valutazione'),
  'rating.score': said('Score', 'Punteggio'),
  'rating.count': said('Number of ratings', 'Numero di valutazioni'),
  currency: said('Currency', 'Valuta'),
  timezone: said('Time zone', 'Fuso orario'),
  visibleTo: said(
    'Visible to: all, or ids of partners, one a line',
    'Visibile a: all, o id di partner, uno per riga',
  ),
  quoting: said('Can be quoted', 'Si può quotare'),
  cleaningFee: said('Cleaning fee', 'Pulizie'),
  taxes: said('Taxes and fees', 'Tasse e costi'),
  'taxes[].code': CODE,
  'taxes[].kind': said('Kind', 'Tipo'),
  'taxes[].logic': said('Logic', 'Logica'),
  'taxes[].amount': said('Amount', 'Importo'),
  'taxes[].percent': PERCENT,
  'taxes[].tiers': said('Amounts by price, one a line', 'Importi per prezzo, uno per riga'),
  'taxes[].capPerGuestNight': said('At most per guest and night', 'Al massimo per ospite e notte'),
  'taxes[].exemptUntilAge': said('Free up to and including age', 'Gratis fino a (età compresa)'),
  'taxes[].ages': said('Amounts by age, one a line', 'Importi per età, uno per riga'),
  'taxes[].maxNights': said('Nights that count at most', 'Notti che contano al massimo'),
  'taxes[].skipNights': said('Nights that do not count at first', 'Prime notti che non contano'),
  'taxes[].minStay': said('From nights of stay', 'Da notti di soggiorno'),
  'taxes[].maxStay': said('Up to nights of stay', 'Fino a notti di soggiorno'),
  'taxes[].validFrom': said('First night', 'Prima notte'),
  'taxes[].validTo': said('Last night', 'Ultima notte'),
  'taxes[].inclusive': said('In the price already', 'Già nel prezzo'),
  'taxes[].due': said('Paid at booking, or at arrival', 'Si paga alla prenotazione o all’arrivo'),
  'taxes[].base': said('Taken of, one a line', 'Calcolata su, uno per riga'),
  'taxes[].order': said('Order', 'Ordine'),
  discounts: said('Discounts', 'Sconti'),
  'discounts[].code': CODE,
  'discounts[].name': NAME,
  'discounts[].percent': PERCENT,
  'discounts[].minNights': said('Nights at least', 'Notti minime'),
  'discounts[].maxNights': said('Nights at most', 'Notti massime'),
  'discounts[].minAdvanceDays': MIN_ADVANCE,
  'discounts[].maxAdvanceDays': MAX_ADVANCE,
  'discounts[].stayFrom': said('First check-in', 'Primo arrivo'),
  'discounts[].stayTo': said('Last check-in', 'Ultimo arrivo'),
  'discounts[].bookFrom': said('First day of quotes', 'Primo giorno dei preventivi'),
  'discounts[].bookTo': said('Last day of quotes', 'Ultimo giorno dei preventivi'),
  'discounts[].inventoryTypeIds': said('Room types, one id a line', 'Tipi di camera, un id per riga'),
  ageBands: said('Children', 'Bambini'),
  'ageBands[].untilAge': UNTIL_AGE,
  'ageBands[].occupies': said('Takes a place', 'Occupa un posto'),
  'ageBands[].rate': said('Per child and night', 'Per bambino e notte'),
  'ageBands[].max': said('Cots', 'Culle'),
  maxSupplyAgeHours: said('Closes when unconfirmed for hours', 'Chiude se non confermata da ore'),
  inventoryTypes: said('Room types', 'Tipi di camera'),
  'inventoryTypes[].inventoryTypeId': said('Id of the type', 'Id del tipo'),
  'inventoryTypes[].name': NAME,
  'inventoryTypes[].guestsMax': said('Guests at most', 'Ospiti massimi'),
  'inventoryTypes[].includedGuests': said('Guests in the rate', 'Ospiti nella tariffa'),
  'inventoryTypes[].extraGuestRate': said('Rate of a further guest', 'Tariffa di un ospite in più'),
  'inventoryTypes[].ageBands': said('Children, one age a line', 'Bambini, un’età per riga'),
  'inventoryTypes[].minAdvanceDays': MIN_ADVANCE,
  'inventoryTypes[].maxAdvanceDays': MAX_ADVANCE,
  'inventoryTypes[].priceSource': said('Source of its prices', 'Fonte dei prezzi'),
  images: said('Pictures', 'Immagini'),
  'images[].src': said('File or address', 'File o indirizzo'),
  'images[].alt': said('What it shows', 'Che cosa mostra'),
  'images[].width': said('Width', 'Larghezza'),
  'images[].height': said('Height', 'Altezza'),
  checkIn: said('Check-in', 'Arrivo'),
  'checkIn.from': said('From', 'Dalle'),
  'checkIn.until': said('Until', 'Alle'),
  checkOut: said('Check-out', 'Partenza'),
  'checkOut.until': said('Until', 'Entro le'),
  cancellation: said('Cancellation', 'Cancellazione'),
  'cancellation[].daysBefore': DAYS_BEFORE,
  'cancellation[].refundPercent': said('Refund in per cent', 'Rimborso in percentuale'),
  payment: said('Payment', 'Pagamento'),
  'payment[].due': said('Due', 'Scadenza'),
  'payment[].daysBefore': DAYS_BEFORE,
  'payment[].percent': said('Per cent of the total', 'Percentuale del totale'),
  houseRules: said('House rules', 'Regole della casa'),
  registrationNumber: said('Registration number', 'Codice identificativo (CIN)'),
  seller: said('Seller', 'Venditore'),
  bookingUrl: said('Own booking site', 'Sito di prenotazione proprio'),
};

const PER_STAY = said('Such as 40.00, once per stay.', 'Ad esempio 40.00, una volta per soggiorno.');
const AHEAD = said('Between today and the check-in.', 'Tra oggi e l’arrivo.');

/** Below a field, where its label does not say enough. */
export const DOCUMENT_HINTS: Readonly<Record<string, Said>> = {
  propertyId: said(
    'Yours, such as casa-verde: letters, digits, . _ ~ and -. It stays as it is.',
    'Scelto da te, ad esempio casa-verde: lettere, cifre, . _ ~ e -. Resta com’è.',
  ),
  propertyType: said('Choose one, or write your own.', 'Scegline uno, o scrivi il tuo.'),
  'location.country': said('The name, or two letters such as IT.', 'Il nome, o due lettere come IT.'),
  'location.area': said('Such as a quarter; never an address.', 'Ad esempio un quartiere; mai un indirizzo.'),
  bathrooms: said('1.5 is allowed.', 'Anche 1.5.'),
  amenities: said('One a line, in your own words.', 'Uno per riga, con parole tue.'),
  currency: said('The name, or three letters such as EUR.', 'Il nome, o tre lettere come EUR.'),
  timezone: said('Such as Europe/Rome.', 'Ad esempio Europe/Rome.'),
  quoting: said('No: partners see it and get no price.', 'No: i partner la vedono, ma senza prezzo.'),
  cleaningFee: PER_STAY,
  'taxes[].code': said('Your own name for it, such as vat.', 'Un nome tuo, ad esempio iva.'),
  'taxes[].amount': said('Such as 4.00; not for a percentage.', 'Ad esempio 4.00; non per una percentuale.'),
  'taxes[].percent': said('Such as 10; only for a percentage.', 'Ad esempio 10; solo per una percentuale.'),
  'taxes[].tiers': said(
    'In place of one amount, by the price of the night for each guest: from=50.00;amount=2.00.',
    'Al posto di un importo, secondo il prezzo della notte per ospite: from=50.00;amount=2.00.',
  ),
  'taxes[].capPerGuestNight': said(
    'Such as 4.60; only for a percentage.',
    'Ad esempio 4.60; solo per una percentuale.',
  ),
  'taxes[].base': said(
    'Of a percentage: accommodation, cleaningFee, or the code of an earlier one.',
    'Di una percentuale: accommodation, cleaningFee o il codice di una precedente.',
  ),
  'taxes[].order': said('Lower ones are computed first.', 'I numeri più bassi si calcolano prima.'),
  'taxes[].exemptUntilAge': said(
    'Under 14 is free: up to and including 13.',
    'Gratis sotto i 14 anni: fino a 13 compresi.',
  ),
  'taxes[].ages': said(
    'Above the age that is free; half from 14 to under 16: untilAge=15;amount=1.75.',
    'Oltre l’età gratuita; metà da 14 a meno di 16 anni: untilAge=15;amount=1.75.',
  ),
  ageBands: said(
    'Children by age, rising; under 3 is up to and including 2. Older ones count as adults.',
    'Bambini per età crescente; sotto i 3 anni è fino a 2 compresi. I più grandi contano come adulti.',
  ),
  'ageBands[].occupies': said('No: sleeps in a cot.', 'No: dorme in culla.'),
  'ageBands[].rate': said(
    'Such as 15.00; empty: pays as an adult, in a cot nothing.',
    'Ad esempio 15.00; vuoto: paga come un adulto, in culla nulla.',
  ),
  'ageBands[].max': said('Only in cots; empty: 1 a stay.', 'Solo per le culle; vuoto: 1 per soggiorno.'),
  'inventoryTypes[].ageBands': said(
    'In place of those of the property: untilAge=2;occupies=false, then untilAge=12;rate=15.00.',
    'Al posto di quelli della struttura: untilAge=2;occupies=false, poi untilAge=12;rate=15.00.',
  ),
  discounts: said(
    'Off the nights of a stay. If several apply, the highest counts.',
    'Sulle notti di un soggiorno. Se ne valgono più d’uno, conta il più alto.',
  ),
  'discounts[].name': said('Travellers read it.', 'Lo leggono i viaggiatori.'),
  'discounts[].minAdvanceDays': AHEAD,
  'discounts[].maxAdvanceDays': AHEAD,
  'discounts[].inventoryTypeIds': said('Empty: all of them.', 'Vuoto: tutti.'),
  maxSupplyAgeHours: said(
    'Only for properties that another system keeps up to date.',
    'Solo per strutture che un altro sistema tiene aggiornate.',
  ),
  inventoryTypes: said(
    'A flat has one; a hotel one for each kind of room.',
    'Un appartamento ne ha uno; un hotel uno per ogni tipo di camera.',
  ),
  'inventoryTypes[].inventoryTypeId': said(
    'Yours, such as whole or double.',
    'Scelto da te, ad esempio whole o double.',
  ),
  'inventoryTypes[].includedGuests': said('Empty: all of them.', 'Vuoto: tutti.'),
  'inventoryTypes[].extraGuestRate': said('Per night, such as 15.00.', 'Per notte, ad esempio 15.00.'),
  'inventoryTypes[].minAdvanceDays': AHEAD,
  'inventoryTypes[].maxAdvanceDays': AHEAD,
  'inventoryTypes[].priceSource': said(
    'Empty: what brings the property. While that has set no price, those that you set in the console count.',
    'Vuoto: quella della struttura. Finché non ha impostato prezzi, contano quelli che imposti nella console.',
  ),
  images: said('The first one is the cover.', 'La prima è la copertina.'),
  'images[].alt': said('For those who cannot see it.', 'Per chi non la può vedere.'),
  'images[].width': said('In pixels.', 'In pixel.'),
  'images[].height': said('In pixels.', 'In pixel.'),
  checkIn: said('In local time.', 'Ora locale.'),
  checkOut: said('In local time.', 'Ora locale.'),
  cancellation: said(
    'A step for each refund, the earliest first; after the last one nothing is refunded.',
    'Un passo per ogni rimborso, dal più lontano; dopo l’ultimo non si rimborsa nulla.',
  ),
  payment: said('All steps are 100 per cent together.', 'Tutti i passi insieme fanno il 100 per cento.'),
  seller: said('Who sells the stay; empty: you.', 'Chi vende il soggiorno; vuoto: tu.'),
  bookingUrl: said(
    'An https address with {propertyId}, {checkIn}, {checkOut} and {guests}; BOOKING_ORIGINS must list its site.',
    'Un indirizzo https con {propertyId}, {checkIn}, {checkOut} e {guests}; il sito deve essere tra i BOOKING_ORIGINS.',
  ),
};

/** Values of a choice, by the path of its field. */
export const CHOICE_LABELS: Readonly<Record<string, Readonly<Record<string, Said>>>> = {
  'taxes[].kind': {
    tax: said('Tax', 'Imposta'),
    fee: said('Fee', 'Costo'),
    city_tax: said('City tax', 'Tassa di soggiorno'),
  },
  'taxes[].logic': {
    percent: said('Per cent', 'Percentuale'),
    cumulative_percent: said('Per cent, of earlier ones too', 'Percentuale, anche sulle precedenti'),
    per_booking: said('Per stay', 'Per soggiorno'),
    per_night: said('Per night', 'Per notte'),
    per_room: said('Per room', 'Per camera'),
    per_room_per_night: said('Per room and night', 'Per camera e notte'),
    per_person: said('Per guest', 'Per ospite'),
    per_person_per_night: said('Per guest and night', 'Per ospite e notte'),
  },
  'payment[].due': {
    booking: said('At booking', 'Alla prenotazione'),
    daysBefore: said('Days before check-in', 'Giorni prima dell’arrivo'),
    arrival: said('At arrival', 'All’arrivo'),
  },
};

/** One row of a list. */
export const ROW_LABELS: Readonly<Record<string, Said>> = {
  taxes: said('Tax or fee', 'Tassa o costo'),
  discounts: said('Discount', 'Sconto'),
  inventoryTypes: said('Room type', 'Tipo di camera'),
  images: said('Picture', 'Immagine'),
  cancellation: said('Step', 'Passo'),
  payment: said('Step', 'Passo'),
};

/** The languages of texts, in each of them. */
export const TEXT_LANGUAGES: Readonly<Record<Locale, Said>> = {
  'en-GB': said('English', 'inglese'),
  'it-IT': said('Italian', 'italiano'),
};
