/** Italian: every sentence of `en-gb.ts`. */
import type { Messages } from './en-gb.ts';

const plural = new Intl.PluralRules('it-IT');
const number = new Intl.NumberFormat('it-IT');

/** The form for the count, with the count in it; no line ends between the two. */
function counted(count: number, one: string, other: string): string {
  return `${number.format(count)}\u00A0${plural.select(count) === 'one' ? one : other}`;
}

const TAX_NAMES: Readonly<Record<string, string>> = {
  vat: 'IVA',
  iva: 'IVA',
  'city-tax': 'Imposta di soggiorno',
  'imposta-di-soggiorno': 'Imposta di soggiorno',
  'contributo-di-soggiorno': 'Contributo di soggiorno',
  'tourist-tax': 'Imposta di soggiorno',
  'service-charge': 'Servizio',
  'guest-pass': 'Tessera ospiti',
  energia: 'Energia',
};

const DISCOUNT_NAMES: Readonly<Record<string, string>> = {
  weekly: 'Sconto settimanale',
  monthly: 'Sconto mensile',
  'long-stay': 'Sconto soggiorno lungo',
  'early-bird': 'Sconto prenota prima',
  'last-minute': 'Sconto last minute',
};

const AMENITY_NAMES: Readonly<Record<string, string>> = {
  wifi: 'Wi-Fi',
  tv: 'Televisione',
  lift: 'Ascensore',
  elevator: 'Ascensore',
  courtyard: 'Cortile',
  bicycles: 'Biciclette',
  sauna: 'Sauna',
  'ski-room': 'Deposito sci',
  restaurant: 'Ristorante',
  bar: 'Bar',
  balcony: 'Balcone',
  gym: 'Palestra',
  spa: 'Spa',
  dryer: 'Asciugatrice',
  dishwasher: 'Lavastoviglie',
  fireplace: 'Camino',
  'pets-allowed': 'Animali ammessi',
  breakfast: 'Colazione',
  kitchen: 'Cucina',
  pool: 'Piscina',
  parking: 'Parcheggio',
  garden: 'Giardino',
  terrace: 'Terrazza',
  washer: 'Lavatrice',
  heating: 'Riscaldamento',
  'air-conditioning': 'Aria condizionata',
};

const PROPERTY_TYPES: Readonly<Record<string, string>> = {
  hotel: 'Hotel',
  inn: 'Locanda',
  'holiday-home': 'Casa vacanze',
  'holiday-house': 'Casa vacanze',
  'vacation-home': 'Casa vacanze',
  'vacation-rental': 'Casa vacanze',
  resort: 'Resort',
  motel: 'Motel',
  aparthotel: 'Aparthotel',
  'serviced-apartment': 'Aparthotel',
  condominium: 'Appartamento',
  flat: 'Appartamento',
  studio: 'Monolocale',
  loft: 'Loft',
  cottage: 'Cottage',
  chalet: 'Chalet',
  cabin: 'Baita',
  bungalow: 'Bungalow',
  townhouse: 'Casa a schiera',
  castle: 'Castello',
  campsite: 'Campeggio',
  camping: 'Campeggio',
  boat: 'Barca',
  room: 'Camera',
  'private-room': 'Camera privata',
  'shared-room': 'Camera condivisa',
  'hotel-room': 'Camera d’albergo',
  'entire-home/apt': 'Alloggio intero',
  apartment: 'Appartamento',
  'bed-and-breakfast': 'Bed and breakfast',
  'guest-house': 'Pensione',
  guesthouse: 'Pensione',
  farmhouse: 'Agriturismo',
  house: 'Casa',
  villa: 'Villa',
  hostel: 'Ostello',
};

export const IT_IT: Messages = {
  locale: 'it-IT',
  skipToStay: 'Vai al tuo soggiorno',

  title: {
    invalid: 'Questo link non apre un soggiorno',
    notFound: 'Qui non c’è nessuna pagina',
    tooMany: 'Un momento, per favore',
    tryLater: 'Riprova tra un momento',
    testEnd: 'Il test finisce qui',
  },
  stayTitle: (propertyName, dates) => `${propertyName}: ${dates}`,
  yourStay: 'Il tuo soggiorno',

  notice: {
    unchanged: {
      heading: 'Il tuo soggiorno è disponibile',
      text: 'Il prezzo è quello che hai visto. Non è ancora prenotato nulla: prosegui quando vuoi.',
    },
    more: (quoted, now, difference) => ({
      heading: 'Il tuo soggiorno è disponibile a un nuovo prezzo',
      text: `Avevi visto ${quoted}. Ora il prezzo è ${now}, cioè ${difference} in più. Non è prenotato nulla: prosegui solo se ti va bene.`,
    }),
    less: (quoted, now, difference) => ({
      heading: 'Il tuo soggiorno è disponibile e costa meno',
      text: `Avevi visto ${quoted}. Ora il prezzo è ${now}, cioè ${difference} in meno. Non è ancora prenotato nulla: prosegui quando vuoi.`,
    }),
    otherCurrency: (quoted, now) => ({
      heading: 'Il tuo soggiorno è disponibile a un nuovo prezzo',
      text: `Avevi visto ${quoted}. Ora il prezzo è ${now}. Non è prenotato nulla: prosegui solo se ti va bene.`,
    }),
    unavailable: {
      heading: 'Queste date non sono più disponibili',
      text: 'Qualcuno è stato più veloce, oppure la struttura ha chiuso queste notti. Non è stato prenotato né pagato nulla.',
    },
    withdrawn: (name) => ({
      heading: `${name ?? 'Questa struttura'} non è più disponibile qui`,
      text: 'La struttura è stata tolta da questo sito dopo che l’hai vista. Non è stato prenotato né pagato nulla. Torna al sito da cui sei partito per trovare un altro alloggio.',
    }),
    expired: (until, quoted) => ({
      heading: 'L’offerta è scaduta, ma le tue date sono ancora disponibili',
      text: `Il prezzo che hai visto, ${quoted}, era valido fino a ${until}. Qui sotto trovi il prezzo attuale dello stesso soggiorno. Non è ancora prenotato nulla.`,
    }),
    expiredAndUnavailable: (until, quoted) => ({
      heading: 'L’offerta è scaduta',
      text: `Il prezzo che hai visto, ${quoted}, era valido fino a ${until}. Queste date non sono più disponibili. Non è stato prenotato né pagato nulla.`,
    }),
    unchecked: {
      heading: 'In questo momento non possiamo verificare il prezzo',
      text: 'Qui sotto trovi il soggiorno con il prezzo che hai visto. Disponibilità e prezzo vengono verificati alla prenotazione.',
    },
    invalid: {
      heading: 'Questo link non apre un soggiorno',
      text: 'Forse ne è andata persa una parte, come succede a volte con i link lunghi. Torna alla pagina da cui sei partito e segui di nuovo il link, oppure cerca di nuovo il tuo soggiorno.',
    },
    notFound: {
      heading: 'Qui non c’è nessuna pagina',
      text: 'Segui il link dal sito in cui hai trovato il tuo soggiorno.',
    },
    tooMany: {
      heading: 'Un momento, per favore',
      text: 'Questa pagina è stata aperta molte volte dalla tua connessione. Aspetta un minuto, poi ricaricala.',
    },
    tryLater: {
      heading: 'Riprova tra un momento',
      text: 'Adesso non possiamo mostrarti il soggiorno. Ricarica questa pagina tra un minuto: il link resta lo stesso.',
    },
    testEnd: {
      heading: 'Il test finisce qui',
      text: 'Con un preventivo vero il viaggiatore sarebbe ora nel sito di prenotazione. Questo è un test e non porta nessuno lì.',
    },
  },

  testBanner: 'Questo è un test. Struttura, date e prezzo sono inventati e non si può prenotare nulla.',
  testEndsHere: 'Qui un preventivo vero ha il pulsante per proseguire. Questo è un test, quindi non c’è.',

  checkIn: 'Arrivo',
  checkOut: 'Partenza',
  lengthOfStay: 'Durata',
  travellers: 'Viaggiatori',
  room: 'Camera',
  nights: (count) => counted(count, 'notte', 'notti'),
  guests: (count) => counted(count, 'ospite', 'ospiti'),

  price: 'Prezzo',
  quotedPrice: 'Il prezzo che hai visto',
  accommodation: (nights) => `Alloggio, ${nights}`,
  discountName: (code) => DISCOUNT_NAMES[code],
  cleaningFee: 'Pulizia finale',
  taxName: (code) => TAX_NAMES[code],
  cityTax: 'Imposta di soggiorno',
  total: 'Totale',
  quotedTotal: 'Avevi visto',
  totalNow: 'Totale ora',
  included: (names) => `Compreso nel prezzo: ${names}.`,
  includedTax: (name, amount) => `${name} ${amount}`,
  taxPerGuestAndNight: (rate, guests, nights) => `${rate} per ospite e notte: ${guests}, ${nights}`,
  taxPerGuest: (rate, guests) => `${rate} per ospite: ${guests}`,
  taxPerNight: (rate, nights) => `${rate} per notte: ${nights}`,
  taxPerStay: 'una volta per soggiorno',
  taxPercent: (percent, amount) => `${percent} di ${amount}`,
  taxCap: (nights) => `si paga per ${nights} al massimo`,
  pricePerNight: 'Prezzo per notte',
  indicative:
    'In questa pagina non prenoti e non paghi nulla. Disponibilità e prezzo vengono verificati ancora una volta alla prenotazione.',

  continue: 'Vai alla prenotazione',
  chooseDates: 'Scegli queste date',
  chosenDates: (dates) => `(${dates})`,
  contactToBook: 'Contattaci per prenotare',
  contactForOtherDates: 'Chiedici altre date',
  contactForHelp: 'Contattaci',
  goBack: 'Per prenotare, torna al sito in cui hai trovato questo soggiorno.',

  totalFor: (nights) => `in tutto, ${nights}`,
  whatNext: (name) =>
    `Il pulsante porta al sito di prenotazione di ${name}, con le tue date già inserite. Lì inserisci i tuoi dati e prenoti.`,

  fromTime: 'dalle',
  untilTime: 'alle',
  byTime: 'entro le',
  pictures: (count) => counted(count, 'immagine', 'immagini'),

  terms: 'Cancellazione e pagamento',
  cancellation: 'Se cancelli',
  freeUntil: 'Cancellazione gratuita fino a',
  refundUntil: (percent) => `Rimborso del ${percent} se cancelli fino a`,
  nothingBack: 'Dopo non c’è più nessun rimborso.',
  nonRefundable: 'Non rimborsabile: se cancelli non c’è nessun rimborso.',
  refundsPassed: 'È tardi per un rimborso: se cancelli questo soggiorno non c’è nessun rimborso.',
  payment: 'Quando paghi',
  payNow: 'Alla prenotazione',
  payOnArrival: 'All’arrivo',
  payOn: 'Entro',
  fullDate: (weekday, date) => `${weekday} ${date}`,

  houseRules: 'Regole della casa',
  sale: 'Chi vende questo soggiorno',
  seller: 'Venduto da',
  sentBy: 'Arrivi da',
  registrationNumber: 'Codice identificativo',
  preview: (place, nights, guests) => `${place}. ${nights}, ${guests}.`,

  otherDates: 'Date disponibili',
  otherDatesIntro: (nights, guests) =>
    `Lo stesso soggiorno di ${nights} per ${guests}, il più vicino possibile alle tue date.`,
  noOtherDates:
    'Vicino a queste date non c’è un soggiorno della stessa durata. Torna al sito da cui sei partito e prova altre date.',

  calendar: 'Le notti intorno al tuo soggiorno',
  calendarCaption: 'Ogni giorno indica la notte che comincia quel giorno.',
  open: 'Disponibile',
  closed: 'Non disponibile',
  yours: 'Il tuo soggiorno',
  yoursClosed: 'Il tuo soggiorno, non disponibile',

  about: 'La struttura',
  amenities: 'Che cosa offre',
  amenityName: (code) => AMENITY_NAMES[code],
  propertyType: (code) => PROPERTY_TYPES[code],
  place: (area, city) => `${area}, ${city}`,
  rating: (score, count) => `Voto ${score} su 5 in ${counted(count, 'recensione', 'recensioni')}`,

  contact: 'Contatti',
  reference: (quoteId) => `Riferimento ${quoteId}`,
};
