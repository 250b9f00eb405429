/** Labels of the property document's fields in its form, by path. A new field needs its row here. */
import type { Locale } from '../../../domain/property.ts';

type Label = Readonly<Record<Locale, string>>;

const said = (english: string, italian: string): Label => ({ 'en-GB': english, 'it-IT': italian });

const CODE = said('Code', 'Codice');
const PERCENT = said('Per cent', 'Percentuale');
const MIN_ADVANCE = said('Days ahead at least', 'Giorni di anticipo minimi');
const MAX_ADVANCE = said('Days ahead at most', 'Giorni di anticipo massimi');
const NAME = said('Name', 'Nome');
const DAYS_BEFORE = said('Days before check-in', 'Giorni prima dell’arrivo');

export const DOCUMENT_LABELS: Readonly<Record<string, Label>> = {
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
  amenities: said('Amenities, one a line', 'Servizi, uno per riga'),
  rating: said('Rating', 'Valutazione'),
  'rating.score': said('Score', 'Punteggio'),
  'rating.count': said('Number of ratings', 'Numero di valutazioni'),
  currency: said('Currency', 'Valuta'),
  timezone: said('Time zone', 'Fuso orario'),
  visibleTo: said('Visible to: all, or ids of partners, one a line', 'Visibile a: all, o id di partner, uno per riga'),
  quoting: said('Can be quoted', 'Si può quotare'),
  cleaningFee: said('Cleaning fee', 'Pulizie'),
  taxes: said('Taxes and fees', 'Tasse e costi'),
  'taxes[].code': CODE,
  'taxes[].kind': said('Kind', 'Tipo'),
  'taxes[].logic': said('Logic', 'Logica'),
  'taxes[].amount': said('Amount', 'Importo'),
  'taxes[].percent': PERCENT,
  'taxes[].maxNights': said('Nights that count at most', 'Notti che contano al massimo'),
  'taxes[].skipNights': said('Nights that do not count at first', 'Prime notti che non contano'),
  'taxes[].validFrom': said('First night', 'Prima notte'),
  'taxes[].validTo': said('Last night', 'Ultima notte'),
  'taxes[].inclusive': said('In the price already', 'Già nel prezzo'),
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
  maxSupplyAgeHours: said('Closes when unconfirmed for hours', 'Chiude se non confermata da ore'),
  inventoryTypes: said('Room types', 'Tipi di camera'),
  'inventoryTypes[].inventoryTypeId': said('Id of the type', 'Id del tipo'),
  'inventoryTypes[].name': NAME,
  'inventoryTypes[].guestsMax': said('Guests at most', 'Ospiti massimi'),
  'inventoryTypes[].includedGuests': said('Guests in the rate', 'Ospiti nella tariffa'),
  'inventoryTypes[].extraGuestRate': said('Rate of a further guest', 'Tariffa di un ospite in più'),
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

/** The languages of texts, in each of them. */
export const TEXT_LANGUAGES: Readonly<Record<Locale, Label>> = {
  'en-GB': said('English', 'inglese'),
  'it-IT': said('Italian', 'italiano'),
};
