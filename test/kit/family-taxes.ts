/**
 * Real taxes of tourists as rules of a document, each with a family and what it pays: worked out by hand from public
 * pages. `source` is where the rule was read, `asOf` the day or year of the page or of the rule itself.
 */
import type { TaxRule } from '../../src/domain/property.ts';

export interface FamilyTax {
  readonly place: string;
  readonly source: string;
  readonly asOf: string;
  readonly currency: string;
  readonly rules: readonly Partial<TaxRule>[];
  /** Children among them by age; the others are adults. */
  readonly guests: number;
  readonly childAges: readonly number[];
  readonly checkIn: string;
  /** Price of each night, after discounts. */
  readonly nights: readonly string[];
  /** All rules together: with ages, and where everybody counts as an adult. */
  readonly family: string;
  readonly adults: string;
}

const perPersonAndNight = (amount: string, rule: Partial<TaxRule>): Partial<TaxRule> => ({
  logic: 'per_person_per_night',
  amount,
  ...rule,
});

/** By the price of a guest's night, in `from` with the 10 % of VAT that prices have. */
const BOLOGNA_TIERS = [
  { from: '0.00', amount: '3.00' },
  { from: '34.10', amount: '4.20' },
  { from: '78.10', amount: '4.60' },
  { from: '133.10', amount: '5.00' },
];

const UNCLASSED_FRANCE = { logic: 'percent', amount: null, exemptUntilAge: 17 } as const;

const times = (count: number, price: string): string[] => Array.from({ length: count }, () => price);

export const FAMILY_TAXES: readonly FamilyTax[] = [
  {
    place: 'Venice, hotel of 3 stars in the old town, high season',
    source: 'comune.venezia.it (exemptions), movietele.it (amounts)',
    asOf: '2024',
    currency: 'EUR',
    rules: [
      perPersonAndNight('3.50', {
        maxNights: 5,
        exemptUntilAge: 9,
        ages: [{ untilAge: 15, amount: '1.75' }],
        validFrom: '2026-02-01',
        validTo: '2026-12-31',
        due: 'arrival',
      }),
    ],
    guests: 4,
    childAges: [8, 12],
    checkIn: '2026-06-05',
    nights: times(7, '150.00'),
    family: '43.75',
    adults: '70.00',
  },
  {
    place: 'Rome, hotel of 4 stars',
    source: 'visitareroma.info (resolution 255/2023), starhotels.com (age)',
    asOf: '2023-10-01',
    currency: 'EUR',
    rules: [perPersonAndNight('7.50', { maxNights: 10, exemptUntilAge: 9 })],
    guests: 4,
    childAges: [9, 10],
    checkIn: '2026-06-05',
    nights: times(3, '200.00'),
    family: '67.50',
    adults: '90.00',
  },
  {
    place: 'Bologna, hotel, by the price of the night',
    source: 'gazzettadibologna.it (rates of 2026), comune.bologna.it (age, nights)',
    asOf: '2024-12',
    currency: 'EUR',
    rules: [
      {
        logic: 'per_person_per_night',
        amount: null,
        tiers: BOLOGNA_TIERS,
        maxNights: 5,
        exemptUntilAge: 13,
      },
    ],
    guests: 4,
    childAges: [5, 13],
    checkIn: '2026-06-05',
    nights: times(3, '220.00'),
    family: '25.20',
    adults: '50.40',
  },
  {
    place: 'Bologna, flat through a portal',
    source: 'gazzettadibologna.it (rates of 2026), comune.bologna.it (age, nights)',
    asOf: '2024-12',
    currency: 'EUR',
    rules: [
      {
        logic: 'percent',
        amount: null,
        percent: '6.81818181818181818182',
        capPerGuestNight: '5.00',
        maxNights: 5,
        exemptUntilAge: 13,
      },
    ],
    guests: 4,
    childAges: [5, 13],
    checkIn: '2026-06-05',
    nights: times(3, '220.00'),
    family: '22.50',
    adults: '45.00',
  },
  {
    place: 'Florence, hotel of 4 stars',
    source: 'feelflorence.it',
    asOf: '2025',
    currency: 'EUR',
    rules: [perPersonAndNight('7.00', { maxNights: 7, exemptUntilAge: 11 })],
    guests: 4,
    childAges: [11, 12],
    checkIn: '2026-06-05',
    nights: times(8, '200.00'),
    family: '147.00',
    adults: '196.00',
  },
  {
    place: 'Milan, short let',
    source: 'cronacamilano.it (resolution), themodelsapartment.it (age, nights)',
    asOf: '2025-11-13',
    currency: 'EUR',
    rules: [
      perPersonAndNight('9.50', {
        maxNights: 14,
        exemptUntilAge: 17,
        validFrom: '2026-01-01',
        validTo: '2026-12-31',
      }),
    ],
    guests: 3,
    childAges: [17],
    checkIn: '2026-06-05',
    nights: times(2, '200.00'),
    family: '38.00',
    adults: '57.00',
  },
  {
    place: 'Paris, hotel of 3 stars',
    source: 'parisjetaime.com (amount), checkinautomatique.com (age)',
    asOf: '2024',
    currency: 'EUR',
    rules: [perPersonAndNight('5.20', { exemptUntilAge: 17 })],
    guests: 4,
    childAges: [4, 17],
    checkIn: '2026-06-05',
    nights: times(3, '120.00'),
    family: '31.20',
    adults: '62.40',
  },
  {
    place: 'Paris, lodging without a class: 5 % and its surcharges',
    source: 'parisjetaime.com (percentage, cap), lhotellerie-restauration.fr (surcharges)',
    asOf: '2024',
    currency: 'EUR',
    rules: [{ ...UNCLASSED_FRANCE, percent: '16.25', capPerGuestNight: '14.95' }],
    guests: 4,
    childAges: [4, 17],
    checkIn: '2026-06-05',
    nights: times(3, '120.00'),
    family: '29.25',
    adults: '58.50',
  },
  {
    place: 'Le Grand-Bornand, lodging without a class: 5 %',
    source: 'legrandbornand-reservation.com (with this family)',
    asOf: '2019',
    currency: 'EUR',
    rules: [{ ...UNCLASSED_FRANCE, percent: '5', capPerGuestNight: '2.30' }],
    guests: 4,
    childAges: [6, 12],
    checkIn: '2026-02-07',
    nights: times(7, '100.00'),
    family: '17.50',
    adults: '35.00',
  },
  {
    place: 'West Corsica, lodging without a class: 5.5 %',
    source: 'tripx.dk (with this family)',
    asOf: '2023-09',
    currency: 'EUR',
    rules: [{ ...UNCLASSED_FRANCE, percent: '5.5', capPerGuestNight: '3.50' }],
    guests: 3,
    childAges: [10],
    checkIn: '2026-07-04',
    nights: ['500.00'],
    family: '7.00',
    adults: '10.50',
  },
  {
    place: 'Amsterdam: no age is exempt, and ages change nothing',
    source: 'etoa.org, khn.nl',
    asOf: '2025-03-14',
    currency: 'EUR',
    rules: [{ logic: 'percent', amount: null, percent: '10.33057851239669421488' }],
    guests: 4,
    childAges: [3, 9],
    checkIn: '2026-06-05',
    nights: times(3, '242.00'),
    family: '75.00',
    adults: '75.00',
  },
  {
    place: 'Barcelona, hotel of 4 stars, with VAT on the tax',
    source: 'elpais.com, diariandorra.ad (amounts), assessoriacodina.com (age, nights), masia.com (VAT)',
    asOf: '2026-02-25',
    currency: 'EUR',
    rules: [
      perPersonAndNight('8.40', { code: 'tourist-tax', maxNights: 7, exemptUntilAge: 16 }),
      { code: 'vat', logic: 'percent', amount: null, percent: '10', base: ['tourist-tax'], order: 1 },
    ],
    guests: 4,
    childAges: [16, 17],
    checkIn: '2026-06-05',
    nights: times(9, '200.00'),
    family: '194.04',
    adults: '258.72',
  },
  {
    place: 'Majorca, hotel of 3 stars in July: half from the ninth night, with VAT on the tax',
    source: 'illessostenibles.travel, majorcadailybulletin.com',
    asOf: '2018-05',
    currency: 'EUR',
    rules: [
      perPersonAndNight('2.00', { code: 'eco-tax', maxNights: 8, exemptUntilAge: 15 }),
      perPersonAndNight('1.00', { code: 'eco-tax-half', skipNights: 8, exemptUntilAge: 15 }),
      {
        code: 'vat',
        logic: 'percent',
        amount: null,
        percent: '10',
        base: ['eco-tax', 'eco-tax-half'],
        order: 1,
      },
    ],
    guests: 3,
    childAges: [15],
    checkIn: '2026-07-04',
    nights: times(10, '150.00'),
    family: '39.60',
    adults: '59.40',
  },
  {
    place: 'Zermatt',
    source: 'wandernundmehr.at (rules of 2022-11-01), homeflow.ch',
    asOf: '2022-11-01',
    currency: 'CHF',
    rules: [perPersonAndNight('4.00', { exemptUntilAge: 8, ages: [{ untilAge: 15, amount: '2.00' }] })],
    guests: 4,
    childAges: [8, 15],
    checkIn: '2026-02-07',
    nights: times(4, '300.00'),
    family: '40.00',
    adults: '64.00',
  },
  {
    place: 'Bern',
    source: 'etoa.org',
    asOf: '2021-03-15',
    currency: 'CHF',
    rules: [perPersonAndNight('4.30', { exemptUntilAge: 5, ages: [{ untilAge: 15, amount: '1.50' }] })],
    guests: 4,
    childAges: [5, 10],
    checkIn: '2026-06-05',
    nights: times(2, '200.00'),
    family: '20.20',
    adults: '34.40',
  },
  {
    place: 'The Hague',
    source: 'etoa.org',
    asOf: '2025-03-14',
    currency: 'EUR',
    rules: [perPersonAndNight('6.20', { exemptUntilAge: 12 })],
    guests: 4,
    childAges: [12, 13],
    checkIn: '2026-06-05',
    nights: times(2, '200.00'),
    family: '37.20',
    adults: '49.60',
  },
  {
    place: 'Dubrovnik in July: half of an amount has three decimals',
    source: 'tripx.dk, norwegianholidays.com',
    asOf: '2024-04',
    currency: 'EUR',
    rules: [perPersonAndNight('2.65', { exemptUntilAge: 11, ages: [{ untilAge: 17, amount: '1.325' }] })],
    guests: 4,
    childAges: [11, 12],
    checkIn: '2026-07-04',
    nights: times(3, '150.00'),
    family: '19.88',
    adults: '31.80',
  },
];
