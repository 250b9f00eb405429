/** A service with a web listener, and a handoff link for each state that the traveller's page can be in. */
import { join } from 'node:path';
import { type Line, nights } from './catalogue-lines.ts';
import { type Installation, openInstallation, type Served } from './installation.ts';
import { PartnerClient } from './partner-client.ts';

export const STATES = [
  'unchanged',
  'price_changed',
  'cheaper',
  'other-room',
  'unavailable',
  'expired',
  'expired-unavailable',
  'withdrawn',
  'invalid',
] as const;
export type State = (typeof STATES)[number];
export type Locale = 'it-IT' | 'en-GB';
export const LOCALES: readonly Locale[] = ['it-IT', 'en-GB'];

export const OUTCOMES: Readonly<Record<State, string>> = {
  unchanged: 'unchanged',
  price_changed: 'price_changed',
  cheaper: 'price_changed',
  'other-room': 'price_changed',
  unavailable: 'unavailable',
  expired: 'expired',
  'expired-unavailable': 'expired',
  withdrawn: 'unavailable',
  invalid: 'invalid',
};

const CHECK_IN = '2026-12-11';
const CHECK_OUT = '2026-12-14';
const OPEN = nights('2026-11-20', '2027-01-31', { availability: 2, rate: '148.00' });
const WEEKENDS = [4, 5, 11, 12, 18, 19].map((day) =>
  nights(`2026-12-${String(day).padStart(2, '0')}`, `2026-12-${String(day).padStart(2, '0')}`, {
    rate: '184.00',
  }),
);
const BUSY = [nights('2026-12-07', '2026-12-08', { availability: 0 })];

export const PICTURES = join(import.meta.dirname, '..', '..', 'sample', 'images');

/** In order; the last is not there. */
const IMAGES = ['front', 'double', 'terrace', 'family', 'not-there'].map((name) => ({
  src: `hotel-ponte-venezia/${name}.svg`,
  alt:
    name === 'double'
      ? { 'it-IT': 'La camera doppia' }
      : { 'it-IT': `Immagine: ${name}`, 'en-GB': `Picture: ${name}` },
  width: 1200,
  height: 800,
}));

/** The operator's texts for the page. */
export const TERMS = {
  checkIn: { from: '15:00', until: '22:00' },
  checkOut: { until: '10:30' },
  cancellation: [
    { daysBefore: 30, refundPercent: '100' },
    { daysBefore: 14, refundPercent: '100' },
    { daysBefore: 3, refundPercent: '50' },
  ],
  payment: [
    { due: 'booking', percent: '30' },
    { due: 'daysBefore', daysBefore: 7, percent: '50' },
    { due: 'arrival', percent: '20' },
  ],
  houseRules: {
    'it-IT': 'Silenzio dalle 23 alle 7. Non si fuma.',
    'en-GB': 'Quiet from 23:00 to 7:00. No smoking.',
  },
  registrationNumber: 'IT027042A1SAMPLE01',
  seller: 'Erbe Alberghi Srl, Venezia',
};

/** A hotel as an operator would write it. */
export function travellersHotel(
  propertyId: string,
  calendar: readonly Line[] = [],
  overrides: Line = {},
): Line {
  return {
    propertyId,
    name: { 'it-IT': 'Hotel Ponte delle Erbe', 'en-GB': 'Bridge Hotel' },
    description: {
      'it-IT':
        'Tre piani sul canale, a cinque minuti dal mercato di Rialto. Le camere guardano l’acqua o il giardino; la colazione si serve in terrazza da aprile a ottobre.',
      'en-GB':
        'Three floors above the canal, five minutes from the Rialto market. Rooms look on the water or the garden; breakfast is served on the terrace from April to October.',
    },
    propertyType: 'hotel',
    location: {
      city: { 'it-IT': 'Venezia', 'en-GB': 'Venice' },
      country: 'IT',
      area: 'Cannaregio',
    },
    bathrooms: 3,
    amenities: ['wifi', 'breakfast', 'lift', 'air-conditioning', 'garden'],
    rating: { score: 4.6, count: 212 },
    currency: 'EUR',
    timezone: 'Europe/Rome',
    images: IMAGES,
    ...TERMS,
    cleaningFee: '35.00',
    taxes: [
      {
        code: 'imposta-di-soggiorno',
        kind: 'city_tax',
        logic: 'per_person_per_night',
        amount: '4.00',
        maxNights: 5,
      },
      { code: 'iva', kind: 'tax', logic: 'percent', percent: '10', inclusive: true },
    ],
    inventoryTypes: [
      {
        inventoryTypeId: 'canal-double',
        name: { 'it-IT': 'Doppia sul canale', 'en-GB': 'Canal-side double' },
        guestsMax: 2,
        calendar: [OPEN, ...WEEKENDS, ...BUSY, ...calendar],
      },
    ],
    ...overrides,
  };
}

/** The double as `travellersHotel` has it, and a dearer room beside it. */
const TWO_ROOMS = (double: readonly Line[]): readonly Line[] => [
  {
    inventoryTypeId: 'canal-double',
    name: { 'it-IT': 'Doppia sul canale', 'en-GB': 'Canal-side double' },
    guestsMax: 2,
    calendar: [OPEN, ...WEEKENDS, ...BUSY, ...double],
  },
  {
    inventoryTypeId: 'garden-family',
    name: { 'it-IT': 'Familiare sul giardino', 'en-GB': 'Garden family room' },
    guestsMax: 4,
    calendar: [nights('2026-11-20', '2027-01-31', { availability: 1, rate: '196.00' })],
  },
];

export const BOOKING_TEMPLATE =
  'https://book.example.com/{propertyId}/{inventoryTypeId}?from={checkIn}&to={checkOut}&guests={guests}&lang={locale}&via={partnerId}&quote={quoteId}';

export const LOOK = {
  WEB_NAME: 'Erbe Hotels',
  WEB_CONTACT: 'mailto:stay@erbe.example',
  WEB_IMPRINT_URL: 'https://erbe.example/imprint',
  WEB_PRIVACY_URL: 'https://erbe.example/privacy',
  BOOKING_URL_TEMPLATE: BOOKING_TEMPLATE,
};

export interface Travelling {
  readonly installation: Installation;
  readonly service: Served;
  readonly partner: PartnerClient;
  readonly webUrl: string;
  /** The page of a new quote. */
  readonly link: (propertyId: string, locale: Locale, guests?: number) => Promise<string>;
  /** The page of a quote that is in this state by now. */
  readonly linkOf: (state: State, locale: Locale) => string;
}

/** Quotes all states in both locales, then changes what makes them so. */
export async function startTravelling(
  environment: Readonly<Record<string, string>> = {},
  more: readonly Line[] = [],
): Promise<Travelling> {
  const installation = await openInstallation();
  const hotelOf = (state: State): Line =>
    state === 'other-room'
      ? travellersHotel(state, [], { inventoryTypes: TWO_ROOMS([]) })
      : travellersHotel(state);
  await installation.importLines([...STATES.map(hotelOf), ...more]);
  const { token } = await installation.issue();
  const service = await installation.serve({
    WEB_PORT: '0',
    WEB_LIMIT: '0',
    WEB_IMAGES: PICTURES,
    ...LOOK,
    ...environment,
  });
  const partner = new PartnerClient(service.partnerUrl, token);
  const { webUrl = '' } = service;

  const link: Travelling['link'] = async (propertyId, locale, guests = 2) => {
    const stay = { checkIn: CHECK_IN, checkOut: CHECK_OUT, guests };
    const { handoffUrl } = (await partner.quote({ propertyId, stay, locale })).success;
    return `${webUrl}/handoff${new URL(handoffUrl).search}`;
  };
  const links = new Map<string, string>();
  const quote = async (states: readonly State[]): Promise<void> => {
    for (const state of states) {
      for (const locale of LOCALES) links.set(`${state} ${locale}`, await link(state, locale));
    }
  };

  // Quoted an hour ago, hence expired by now.
  installation.time.nowMs -= 3_600_000;
  await quote(['expired', 'expired-unavailable']);
  installation.time.nowMs += 3_600_000;
  await quote(['unchanged', 'price_changed', 'cheaper', 'other-room', 'unavailable', 'withdrawn', 'invalid']);
  const soldOut = [nights('2026-12-12', '2026-12-12', { availability: 0 })];
  await installation.importLines([
    travellersHotel('price_changed', [nights('2026-12-12', '2026-12-12', { rate: '212.00' })]),
    travellersHotel('cheaper', [nights('2026-12-12', '2026-12-12', { rate: '150.00' })]),
    travellersHotel('other-room', [], { inventoryTypes: TWO_ROOMS(soldOut) }),
    travellersHotel('unavailable', soldOut),
    travellersHotel('expired-unavailable', soldOut),
  ]);
  await installation.storage.withdrawProperties(['withdrawn']);
  return {
    installation,
    service,
    partner,
    webUrl,
    link,
    linkOf(state, locale) {
      const url = links.get(`${state} ${locale}`) ?? '';
      return state === 'invalid' ? url.slice(0, -1) : url;
    },
  };
}
