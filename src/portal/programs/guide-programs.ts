/** The programs of the guide and of its pages. Each is complete: pasted into a file or a shell, it runs and prints its result. */
import { dateAfter, type ExampleDates } from '../../contract/partner/example-dates.ts';
import {
  availabilityExamples,
  EXAMPLE_CITY,
  EXAMPLE_PROPERTY_ID,
  listExamples,
  quoteExamples,
} from '../../contract/partner/examples.ts';
import { priceListExamples } from '../../contract/partner/price-examples.ts';
import type { Snippet } from '../frame/code-tabs.ts';
import { fillProgram, type Program, readProgram, readTypeScript } from './program-files.ts';

/** Input of the programs: with a live token the demo's sample catalogue, with a test token the sandbox. */
export interface Sample {
  readonly city: string;
  /** A city of several pages. */
  readonly largeCity: string;
  /** Adapts a text to this sample: examples name ids of the catalogue. */
  readonly of: (text: string) => string;
}

export const LIVE_SAMPLE: Sample = { city: EXAMPLE_CITY, largeCity: 'Antwerp', of: (text) => text };

export const TEST_CITY = 'Testville';
export const TEST_SAMPLE: Sample = {
  city: TEST_CITY,
  largeCity: TEST_CITY,
  of: (text) => text.replaceAll(EXAMPLE_CITY, TEST_CITY).replaceAll(EXAMPLE_PROPERTY_ID, 'test-always'),
};

const FIRST_CALL = readProgram('first-call');
const DATED_SEARCH = readProgram('dated-search');
const AVAILABILITY = readProgram('availability');
const QUOTE = readProgram('quote');
const CARDS = readProgram('cards');
const ALL_PAGES = readProgram('all-pages');
const CHEAPEST_WEEKEND = readProgram('cheapest-weekend');
const CITY_MONTH = readProgram('city-month');
const NOT_AVAILABLE = readProgram('not-available');
const FAMILY = readProgram('family');
const COPY_OF_A_CITY = readProgram('copy-of-a-city');

export function firstCall(api: string, { city }: Sample): Snippet {
  return fillProgram(FIRST_CALL, { api, city });
}

export function datedSearch(api: string, dates: ExampleDates, sample: Sample): Snippet {
  return fillGet(DATED_SEARCH, api, sample.of(listExamples(dates).target));
}

export function availability(api: string, dates: ExampleDates, sample: Sample): Snippet {
  return fillGet(AVAILABILITY, api, sample.of(availabilityExamples(dates).target));
}

export function quote(api: string, dates: ExampleDates, sample: Sample): Snippet {
  return fillProgram(QUOTE, { api, body: sample.of(JSON.stringify(quoteExamples(dates).body, null, 2)) });
}

export function cards(api: string, dates: ExampleDates, sample: Sample): Snippet {
  return fillProgram(CARDS, { api, target: sample.of(priceListExamples(dates).target) });
}

/** The longest program of the guide. */
export function allPages(api: string, { largeCity }: Sample): Snippet {
  return fillProgram(ALL_PAGES, { api, city: largeCity });
}

const WEEKEND_NIGHTS = 2;
const WEEKEND_DATES = 28;
const MONTH_DATES = 31;

/** Two nights from a Friday on, at each property of the city that is open for one. */
export function cheapestWeekend(api: string, city: string, { stay }: ExampleDates): Snippet {
  const until = dateAfter(stay.checkIn, WEEKEND_DATES - 1);
  const target =
    `/prices/v1/flexible-stays?city=${city}&checkInFrom=${stay.checkIn}&checkInUntil=${until}` +
    `&nights=${WEEKEND_NIGHTS}&checkInDays=fri&guests=2&locale=en-GB`;
  return fillProgram(CHEAPEST_WEEKEND, { api, target });
}

/** A page with a month of a city: how many properties are open from each day on, and the lowest total. */
export function cityMonth(api: string, city: string, { stay }: ExampleDates): Snippet {
  const until = dateAfter(stay.checkIn, MONTH_DATES);
  const target = `/prices/v1/days?city=${city}&from=${stay.checkIn}&until=${until}&nights=${WEEKEND_NIGHTS}&guests=4`;
  return fillProgram(CITY_MONTH, { api, target });
}

/** Properties of the sandbox: one has a price, the others have reasons. */
const EXPLAINED_PROPERTIES = ['test-always', 'test-sold-out', 'test-quote-unavailable', 'test-gap'] as const;

/** Days from today of a stay that the gap of `test-gap` cuts. */
const [CHECK_IN_DAY, CHECK_OUT_DAY] = [9, 12];

export function explainStays(api: string, { today }: ExampleDates): Snippet {
  const checkIn = dateAfter(today, CHECK_IN_DAY);
  const checkOut = dateAfter(today, CHECK_OUT_DAY);
  const asked = { propertyIds: EXPLAINED_PROPERTIES, stay: { checkIn, checkOut, guests: 2 }, why: true };
  return fillProgram(NOT_AVAILABLE, { api, body: JSON.stringify(asked) });
}

/** Two adults with children of 1 and 8 years, at the property of the sandbox that has a cot. */
export function familyStay(api: string, { stay }: ExampleDates): Snippet {
  const checkOut = dateAfter(stay.checkIn, WEEKEND_NIGHTS);
  const dates = { checkIn: stay.checkIn, checkOut };
  const target =
    `/prices/v1/stays?city=${TEST_CITY}&checkIn=${dates.checkIn}&checkOut=${dates.checkOut}` +
    '&guests=4&childAges=1,8&sort=total&locale=en-GB';
  const asked = {
    propertyId: 'test-family',
    stay: { ...dates, guests: 4, childAges: [1, 8] },
    locale: 'en-GB',
  };
  return fillProgram(FAMILY, { api, target, body: JSON.stringify(asked) });
}

/** A copy of a city in a file; at most 30 lines without blank ones. */
export function copyProgram(api: string, city: string): Snippet {
  return fillProgram(COPY_OF_A_CITY, { api, city });
}

/** The same with the client for TypeScript, as functions of the partner's own. */
export const FOLLOW_PROGRAM = readTypeScript('follow-changes');

export const VERIFY_PROGRAM = readTypeScript('verify-webhook');

/** curl gets the query in parts, so that it is easy to read and change. */
function fillGet(program: Program, api: string, target: string): Snippet {
  const [path = '', query = ''] = target.split('?');
  const queryOptions = query.split('&').map((part) => `-d ${part}`);
  return fillProgram(program, { api, path, target, queryOptions: queryOptions.join(' ') });
}
