/** Examples of the prices family, about the property that the other examples are about. */
import { dateAfter, type ExampleDates, STAY_NIGHTS } from './example-dates.ts';
import {
  EXAMPLE_CITY,
  EXAMPLE_INN,
  EXAMPLE_PROPERTY_ID,
  type OperationExamples,
  queryText,
  quoteExamples,
} from './examples.ts';
import type { CreatePartnerQuoteRequest, PartnerQuote } from './quote-schemas.ts';
import type {
  FlexibleStayList,
  PriceCalendar,
  PriceDays,
  StayPriceList,
  StayPrices,
  StayQuote,
} from './price-schemas.ts';

const GUESTS = 2;
const PRICING = {
  accommodation: '318.60',
  cleaningFee: '20.00',
  taxes: '32.46',
  total: '371.06',
  discount: { percent: '10', amount: '35.40' },
};

export function priceListExamples({ stay }: ExampleDates): OperationExamples {
  const parameters = { city: EXAMPLE_CITY, ...stay, guests: GUESTS, sort: 'total', locale: 'en-GB' };
  const list: StayPriceList = {
    items: [{ ...EXAMPLE_INN, pricing: PRICING }],
    pagination: { page: 1, pageSize: 20, total: 1, hasMore: false },
  };
  return {
    target: `/prices/v1/stays?${queryText(parameters)}`,
    parameters,
    successes: { cheapest: { summary: 'The cheapest first', value: list } },
    faulty: { query: `city=${EXAMPLE_CITY}&checkIn=${stay.checkIn}&sort=price` },
  };
}

export function flexibleExamples({ stay }: ExampleDates): OperationExamples {
  const parameters = {
    city: EXAMPLE_CITY,
    checkInFrom: dateAfter(stay.checkIn, -2),
    checkInUntil: dateAfter(stay.checkIn, 12),
    nights: 3,
    guests: GUESTS,
    amenities: ['wifi', 'courtyard'],
    locale: 'en-GB',
  };
  const item = {
    ...EXAMPLE_INN,
    stay: { ...stay, nights: 3, guests: GUESTS, timezone: EXAMPLE_INN.timezone },
    pricing: PRICING,
    checkIns: 15,
  };
  const list: FlexibleStayList = {
    items: [item],
    pagination: { page: 1, pageSize: 20, total: 1, hasMore: false },
  };
  return {
    target: `/prices/v1/flexible-stays?${queryText(parameters)}`,
    parameters,
    successes: { cheapest: { summary: 'The cheapest three nights', value: list } },
    faulty: { query: `city=${EXAMPLE_CITY}&checkInFrom=${stay.checkIn}&nights=3&maxNights=10` },
  };
}

export function priceDaysExamples({ stay }: ExampleDates): OperationExamples {
  const query = {
    city: EXAMPLE_CITY,
    from: stay.checkIn,
    until: dateAfter(stay.checkIn, 2),
    nights: 2,
    guests: GUESTS,
  };
  const lowest = [{ currency: 'EUR', total: '256.00', propertyId: EXAMPLE_PROPERTY_ID }];
  const days: PriceDays = {
    nights: 2,
    guests: GUESTS,
    days: [
      { checkIn: stay.checkIn, properties: 1, lowest },
      { checkIn: dateAfter(stay.checkIn, 1), properties: 0, lowest: [] },
    ],
  };
  return {
    target: `/prices/v1/days?${queryText(query)}`,
    parameters: query,
    successes: { days: { summary: 'Two check-in dates', value: days } },
    faulty: { query: `city=${EXAMPLE_CITY}&nights=31` },
  };
}

export function priceStaysExamples({ stay }: ExampleDates): OperationExamples {
  const body = { propertyIds: [EXAMPLE_PROPERTY_ID, 'nobody-knows-this'], stay: { ...stay, guests: GUESTS } };
  const unknown = {
    propertyId: 'nobody-knows-this',
    code: 'PROPERTY_NOT_FOUND',
    currency: null,
    pricing: null,
  } as const;
  const prices: StayPrices = {
    items: [{ propertyId: EXAMPLE_PROPERTY_ID, code: null, currency: 'EUR', pricing: PRICING }, unknown],
  };
  const other = { checkIn: dateAfter(stay.checkIn, 1), checkOut: dateAfter(stay.checkOut, 1) };
  const whyNot: StayPrices = {
    items: [
      {
        propertyId: EXAMPLE_PROPERTY_ID,
        code: 'STAY_UNAVAILABLE',
        currency: 'EUR',
        pricing: null,
        reasons: [{ code: 'CLOSED_TO_ARRIVAL', date: stay.checkIn }],
        instead: [{ ...other, nights: STAY_NIGHTS, total: PRICING.total }],
      },
      { ...unknown, reasons: [], instead: [] },
    ],
  };
  return {
    target: '/prices/v1/stays',
    parameters: {},
    body,
    successes: {
      prices: { summary: 'One price, and one unknown property', value: prices },
      whyNot: { summary: 'With `why`: no stay begins on this date', value: whyNot },
    },
    faulty: { query: '', body: { ...body, propertyIds: [] } },
  };
}

export function priceCalendarExamples({ stay }: ExampleDates): OperationExamples {
  const range = { from: stay.checkIn, until: dateAfter(stay.checkIn, 2) };
  const calendar: PriceCalendar = {
    propertyId: EXAMPLE_PROPERTY_ID,
    timezone: 'Europe/Rome',
    currency: 'EUR',
    nights: 2,
    guests: GUESTS,
    days: [
      { checkIn: stay.checkIn, available: true, total: '256.00' },
      { checkIn: dateAfter(stay.checkIn, 1), available: false, total: null },
    ],
  };
  const query = { ...range, nights: 2, guests: GUESTS };
  return {
    target: `/prices/v1/properties/${EXAMPLE_PROPERTY_ID}/calendar?${queryText(query)}`,
    parameters: { propertyId: EXAMPLE_PROPERTY_ID, ...query },
    successes: { calendar: { summary: 'Two check-in dates', value: calendar } },
    faulty: { query: 'nights=31' },
  };
}

/** Two adults, and children of 4 and 9. */
export function stayQuoteExamples(dates: ExampleDates): OperationExamples {
  const { body, successes } = quoteExamples(dates);
  const { stay, ...others } = successes['quote']!.value as PartnerQuote;
  const family = { guests: 4, childAges: [4, 9] };
  const { timezone, ...asked } = stay;
  const quote: StayQuote = { ...others, stay: { ...asked, ...family, timezone } };
  const wanted = { ...(body as CreatePartnerQuoteRequest), stay: { ...dates.stay, ...family } };
  return {
    target: '/prices/v1/quotes',
    parameters: {},
    body: wanted,
    successes: { family: { summary: 'Two adults, and children of 4 and 9', value: quote } },
    faulty: { query: '', body: { ...wanted, stay: { ...wanted.stay, childAges: [4, 18] } } },
  };
}
