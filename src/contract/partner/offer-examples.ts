/** Examples of one whole stay, at the property that the other examples are about. */
import { getLocalDate } from '../../domain/local-date.ts';
import { formatEndOfLocalDay } from '../../domain/local-instant.ts';
import { dateAfter, type ExampleDates, STAY_NIGHTS } from './example-dates.ts';
import { EXAMPLE_INN, EXAMPLE_PROPERTY_ID, type OperationExamples, queryText } from './examples.ts';
import type { StayOffer } from './offer-schemas.ts';

const GUESTS = 2;
const { currency, timezone } = EXAMPLE_INN;

const CHARGES: StayOffer['charges'] = [
  {
    code: 'cleaning-fee',
    name: 'Cleaning fee',
    kind: 'cleaning',
    amount: '20.00',
    included: null,
    due: 'booking',
  },
  {
    code: 'city-tax',
    name: 'City tax',
    kind: 'city_tax',
    amount: '36.00',
    included: null,
    due: 'arrival',
  },
  { code: 'vat', name: 'VAT', kind: 'tax', amount: '0.00', included: '30.78', due: 'booking' },
];

export function stayOfferExamples({ stay, answeredAtMs }: ExampleDates): OperationExamples {
  const query = { ...stay, guests: GUESTS, locale: 'en-GB' };
  const endOf = (daysBefore: number): string =>
    formatEndOfLocalDay(timezone, getLocalDate(stay.checkIn) - daysBefore);
  const offer: StayOffer = {
    propertyId: EXAMPLE_PROPERTY_ID,
    stay: { ...stay, nights: STAY_NIGHTS, guests: GUESTS, timezone },
    currency,
    pricing: {
      accommodation: '318.60',
      cleaningFee: '20.00',
      taxes: '36.00',
      total: '374.60',
      discount: { percent: '10', amount: '35.40' },
    },
    nights: [0, 1, 2].map((night) => ({ date: dateAfter(stay.checkIn, night), amount: '106.20' })),
    charges: CHARGES,
    refundability: 'refundable',
    cancellation: [
      { until: endOf(14), refundPercent: '100', refundAmount: '338.60' },
      { until: endOf(3), refundPercent: '50', refundAmount: '169.30' },
    ],
    payment: [
      { due: 'booking', date: null, amount: '101.58' },
      { due: 'daysBefore', date: dateAfter(stay.checkIn, -10), amount: '237.02' },
      { due: 'arrival', date: null, amount: '36.00' },
    ],
    checkIn: { from: '14:00', until: '20:00' },
    checkOut: { until: '11:00' },
    houseRules: 'Bicycles are handed out at reception and come back by 21:00.',
    registrationNumber: 'IT048017A1XXXXXXXX',
    seller: 'Locande Toscane',
    asOf: new Date(answeredAtMs).toISOString(),
  };
  const other = { checkIn: dateAfter(stay.checkIn, 1), checkOut: dateAfter(stay.checkOut, 1) };
  const instead = [{ ...other, nights: STAY_NIGHTS, total: offer.pricing.total }];
  return {
    target: `/prices/v1/properties/${EXAMPLE_PROPERTY_ID}/offer?${queryText(query)}`,
    parameters: { propertyId: EXAMPLE_PROPERTY_ID, ...query },
    successes: { offer: { summary: 'Three nights for two', value: offer } },
    faulty: { query: `checkIn=${stay.checkIn}&guests=0` },
    problemMembers: {
      STAY_UNAVAILABLE: { reasons: [{ code: 'CLOSED_TO_ARRIVAL', date: stay.checkIn }], instead },
      QUOTE_UNAVAILABLE: { reasons: [{ code: 'NO_PRICE', dates: [stay.checkIn] }], instead },
    },
  };
}
