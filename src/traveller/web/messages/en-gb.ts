/**
 * Every sentence of the traveller's page in British English; `Messages` is the type of this table, so every language
 * has all of them. A message takes formatted values (amounts, dates and instants in the same locale) and places them;
 * `Intl.PluralRules` chooses plural forms.
 */
import type { Locale } from '../../../domain/property.ts';
import { CHARGE_NAMES } from '../../../domain/charges.ts';
import { makeCounted } from '../../../http/html/formats.ts';

/** The outcome of a stay, and the traveller's next step. */
export interface Notice {
  readonly heading: string;
  readonly text: string;
}

/** The quoted room and the one offered instead. */
export interface Rooms {
  readonly quoted: string | undefined;
  readonly quotedTotal: string;
  readonly now: string;
  readonly totalNow: string;
}

export type Messages = typeof EN_GB;

/** A page without a stay. */
export type PageTitle = keyof Messages['title'];

const counted = makeCounted('en-GB');

const DISCOUNT_NAMES: Readonly<Record<string, string>> = {
  weekly: 'Weekly discount',
  monthly: 'Monthly discount',
  'long-stay': 'Long-stay discount',
  'early-bird': 'Early booking discount',
  'last-minute': 'Last-minute discount',
};

const AMENITY_NAMES: Readonly<Record<string, string>> = {
  wifi: 'Wi-Fi',
  tv: 'Television',
  'air-conditioning': 'Air conditioning',
};

const PROPERTY_TYPES: Readonly<Record<string, string>> = {
  hotel: 'Hotel',
  inn: 'Inn',
  'holiday-home': 'Holiday home',
  apartment: 'Apartment',
  'bed-and-breakfast': 'Bed and breakfast',
  'guest-house': 'Guest house',
  guesthouse: 'Guest house',
  farmhouse: 'Farmhouse',
  house: 'House',
  villa: 'Villa',
  hostel: 'Hostel',
};

export const EN_GB = {
  locale: 'en-GB' as Locale,
  skipToStay: 'Skip to your stay',

  title: {
    invalid: 'This link does not open a stay',
    notFound: 'There is no page here',
    tooMany: 'One moment, please',
    tryLater: 'Please try again in a moment',
    testEnd: 'The test ends here',
  },
  /** Title of a page about a stay: `Bridge Hotel: Friday 4 to Monday 7 December 2026`. */
  stayTitle: (propertyName: string, dates: string) => `${propertyName}: ${dates}`,
  yourStay: 'Your stay',

  notice: {
    unchanged: {
      heading: 'Your stay is available',
      text: 'The price is the one that you were shown. Nothing is booked yet: you can go on when you are ready.',
    },
    more: (quoted: string, now: string, difference: string): Notice => ({
      heading: 'Your stay is available, at a new price',
      text: `You were shown ${quoted}. The price is now ${now}, which is ${difference} more. Nothing is booked: go on only if it suits you.`,
    }),
    less: (quoted: string, now: string, difference: string): Notice => ({
      heading: 'Your stay is available, and costs less',
      text: `You were shown ${quoted}. The price is now ${now}, which is ${difference} less. Nothing is booked yet: you can go on when you are ready.`,
    }),
    /** The operator changed the currency, so there is no difference to show. */
    otherCurrency: (quoted: string, now: string): Notice => ({
      heading: 'Your stay is available, at a new price',
      text: `You were shown ${quoted}. The price is now ${now}. Nothing is booked: go on only if it suits you.`,
    }),
    /** Names and totals are formatted; `quoted` is undefined when the room has lost its name. */
    roomGone: ({ quoted, quotedTotal, now, totalNow }: Rooms): Notice => ({
      heading: 'The room that you were quoted is gone; another is free',
      text: `You were quoted ${quoted === undefined ? 'another room' : `“${quoted}”`} for ${quotedTotal}. “${now}” is free for the same dates, for ${totalNow}. Nothing is booked: go on only if it suits you.`,
    }),
    cheaperRoom: ({ quoted, quotedTotal, now, totalNow }: Rooms): Notice => ({
      heading: 'Another room is the cheapest for your stay now',
      text: `You were quoted ${quoted === undefined ? 'another room' : `“${quoted}”`} for ${quotedTotal}. The cheapest room is now “${now}”, for ${totalNow}. Nothing is booked: go on only if it suits you.`,
    }),
    /** Precedes one of these two. */
    quoteEnded: (until: string) => `The offer was valid until ${until}.`,
    unavailable: {
      heading: 'These dates are no longer available',
      text: 'Someone else was quicker, or the host has closed these nights. Nothing was booked, and you have paid nothing.',
    },
    withdrawn: (name: string | undefined): Notice => ({
      heading: `${name ?? 'This property'} is no longer offered here`,
      text: 'The property was taken off this site after you saw it. Nothing was booked, and you have paid nothing. Go back to the site that you came from to find another place.',
    }),
    expired: (until: string, quoted: string): Notice => ({
      heading: 'This offer has expired, and your dates are still available',
      text: `The price that you were shown, ${quoted}, was valid until ${until}. Below is the price of the same stay now. Nothing is booked yet.`,
    }),
    expiredAndUnavailable: (until: string, quoted: string): Notice => ({
      heading: 'This offer has expired',
      text: `The price that you were shown, ${quoted}, was valid until ${until}. These dates are no longer available. Nothing was booked, and you have paid nothing.`,
    }),
    unchecked: {
      heading: 'We cannot check the price at this moment',
      text: 'Below is the stay with the price that you were shown. Availability and price are checked when you book.',
    },
    invalid: {
      heading: 'This link does not open a stay',
      text: 'It may have lost a part on its way, as long links sometimes do. Go back to the page that you came from and follow the link again, or search for your stay once more.',
    },
    notFound: {
      heading: 'There is no page here',
      text: 'Follow the link from the site where you found your stay.',
    },
    tooMany: {
      heading: 'One moment, please',
      text: 'This page was opened very often from your connection. Wait a minute, then load it again.',
    },
    tryLater: {
      heading: 'Please try again in a moment',
      text: 'We cannot show your stay right now. Load this page again in a minute: your link stays the same.',
    },
    testEnd: {
      heading: 'The test ends here',
      text: 'With a real quote the traveller is on the booking site now. This quote is a test, so nobody is sent there.',
    },
  },

  testBanner: 'This is a test. Property, dates and price are made up, and nothing can be booked.',
  previewBanner: 'This is a preview for you. Travellers see it so once you have saved.',
  previewEndsHere: 'Here travellers have the button that leads on.',
  testEndsHere: 'Here a real quote has the button that leads on. This is a test, so there is none.',

  checkIn: 'Check-in',
  checkOut: 'Check-out',
  lengthOfStay: 'Length of stay',
  travellers: 'Travellers',
  room: 'Room',
  roomFor: (count: number) => `for up to ${counted(count, 'guest', 'guests')}`,
  nights: (count: number) => counted(count, 'night', 'nights'),
  days: (count: number) => counted(count, 'day', 'days'),
  /** At the end of a list of dates. */
  moreNights: (count: number) => counted(count, 'more night', 'more nights'),
  guests: (count: number) => counted(count, 'guest', 'guests'),
  adults: (count: number) => counted(count, 'adult', 'adults'),
  children: (count: number) => counted(count, 'child', 'children'),
  /** Whole years. */
  age: (age: number) => (age === 0 ? 'under 1' : String(age)),
  withChildren: 'Travelling with children?',
  childAges: 'Ages of the children',
  childAgesHelp: 'On the day of arrival, such as 4, 9. The total may be lower with them.',
  childAgesWrong: (most: number) =>
    `Write whole years from 0 to 17 with commas between them, for at most ${counted(most, 'child', 'children')}.`,
  seeTotal: 'See the total with them',
  totalOfFamily: (who: string) => `Total for ${who}`,
  notForFamily: (who: string) => `There is no price for ${who} on these dates.`,

  price: 'Price',
  quotedPrice: 'Price that you were shown',
  accommodation: (nights: string) => `Accommodation, ${nights}`,
  discountName: (code: string) => DISCOUNT_NAMES[code],
  cleaningFee: CHARGE_NAMES['en-GB'].cleaningFee,
  total: 'Total',
  quotedTotal: 'You were shown',
  totalNow: 'Total now',
  included: (names: string) => `Included in the price: ${names}.`,
  includedTax: (name: string, amount: string) => `${name} ${amount}`,
  /** Explains a tax after its name. */
  taxPerGuestAndNight: (rate: string, guests: string, nights: string) =>
    `${rate} per guest and night: ${guests}, ${nights}`,
  taxByPrice: (guests: string, nights: string) => `per guest and night, by its price: ${guests}, ${nights}`,
  taxLimit: (amount: string) => `at most ${amount} per guest and night`,
  taxPerGuest: (rate: string, guests: string) => `${rate} per guest: ${guests}`,
  taxPerNight: (rate: string, nights: string) => `${rate} per night: ${nights}`,
  taxOfNights: (nights: string, who: string) => `${nights}: ${who}`,
  taxPaidBy: (who: string) => `paid by ${who}`,
  taxOf: (who: string, amount: string) => `${who} at ${amount}`,
  taxFree: (count: number) => `${count} free`,
  taxPerStay: 'once for the stay',
  taxAtArrival: 'paid at the property',
  taxPercent: (percent: string, amount: string) => `${percent} of ${amount}`,
  taxCap: (nights: string) => `charged for at most ${nights}`,
  pricePerNight: 'Price per night',
  indicative:
    'Nothing is booked or paid on this page. Availability and price are checked once more when you book.',

  continue: 'Continue to booking',
  chooseDates: 'Choose these dates',
  /** Follows the button's text for screen readers: there are several such buttons. */
  chosenDates: (dates: string) => `(${dates})`,
  contactToBook: 'Contact us to book',
  contactForOtherDates: 'Ask us about other dates',
  contactForHelp: 'Contact us',
  goBack: 'To book, go back to the site where you found this stay.',

  totalFor: (nights: string) => `in total, ${nights}`,
  whatNext: (name: string) =>
    `The button leads to the booking site of ${name}, with your dates filled in. You give your details and book there.`,

  fromTime: 'from',
  untilTime: 'to',
  byTime: 'by',
  pictures: (count: number) => counted(count, 'picture', 'pictures'),
  noPictures: 'There are no pictures of this property here.',

  terms: 'Cancellation and payment',
  cancellation: 'If you cancel',
  noTerms: 'How to cancel and when to pay is not given here. Read it before you book.',
  noCancellation: 'No cancellation terms are given here. Read them before you book.',
  noPayment: 'When you pay is not given here. Read it before you book.',
  freeUntil: 'Free cancellation until',
  refundUntil: (percent: string) => `${percent} back if you cancel by`,
  nothingBack: 'After that, nothing is refunded.',
  nonRefundable: 'Non-refundable: nothing is refunded if you cancel.',
  refundsPassed: 'It is too late for a refund: nothing is refunded if you cancel this stay.',
  payment: 'When you pay',
  payNow: 'When you book',
  payOnArrival: 'On arrival',
  payChargesOnArrival: 'At the property, for the taxes and fees that are paid there',
  payOn: 'By',
  fullDate: (weekday: string, date: string) => `${weekday}, ${date}`,
  endOfDay: (date: string, zone: string) => `${date}, 23:59 (${zone})`,

  houseRules: 'House rules',
  sale: 'Who sells this stay',
  seller: 'Sold by',
  sentBy: 'You came from',
  registrationNumber: 'Registration number',
  /** Preview text of the link: place, dates, guests. */
  preview: (place: string, nights: string, guests: string) => `${place}. ${nights}, ${guests}.`,

  otherDates: 'Other dates',
  otherDatesIntro: (nights: string, guests: string) =>
    `Stays of ${nights} for ${guests} as near to your dates as possible, or from your arrival date another length.`,
  /** Beside a room, compared with the quoted total. */
  samePrice: 'the price that you were shown',
  costsMore: (amount: string) => `${amount} more than you were shown`,
  costsLess: (amount: string) => `${amount} less than you were shown`,
  noOtherDates:
    'There is no stay near these dates. Go back to the site that you came from and try other dates.',

  calendar: 'Nights around your stay',
  calendarCaption: 'Each day stands for the night that begins on it.',
  open: 'Available',
  closed: 'Not available',
  yours: 'Your stay',
  yoursClosed: 'Your stay, not available',

  about: 'About the property',
  amenities: 'What it offers',
  amenityName: (code: string) => AMENITY_NAMES[code],
  propertyType: (code: string) => PROPERTY_TYPES[code],
  place: (area: string, city: string) => `${area}, ${city}`,
  rating: (score: string, count: number) =>
    `Rated ${score} out of 5 in ${counted(count, 'review', 'reviews')}`,

  contact: 'Contact',
  legal: {
    imprint: 'Legal notice',
    privacy: 'Privacy',
    terms: 'Terms',
    accessibility: 'Accessibility',
  },
  reference: (quoteId: string) => `Reference ${quoteId}`,
};
