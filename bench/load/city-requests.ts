/**
 * Requests about one city, drawn from the seed: every operation with its dates over all nights that have data, so
 * that no cache of whole answers could help.
 */
import { type EpochDay, formatLocalDate } from '../../src/domain/local-date.ts';
import { LOCALES } from '../../src/domain/property.ts';
import type { CityDatabase } from '../catalogue/city-database.ts';
import { drawIndex, runningSums, type SeededRandom } from '../measure/random.ts';
import type { RequestParts } from './recorded-answer.ts';

const NIGHTS = [1, 2, 3, 4, 5, 7, 10, 14, 21, 28];
const NIGHT_SHARES = runningSums([10, 20, 18, 12, 8, 18, 6, 5, 2, 1]);
const GUESTS = [1, 2, 2, 2, 2, 3, 4, 4, 5, 6];
const WEEK = 7;
const NIGHTS_MAX = 60;
const PAGES = [1, 1, 1, 1, 2, 2, 3, 4, 6, 10];
const PAGE_SIZE = 20;

export type Draw = (random: SeededRandom, city: CityDatabase) => RequestParts;

export function drawRequests(
  random: SeededRandom,
  city: CityDatabase,
  draw: Draw,
  count: number,
): RequestParts[] {
  return Array.from({ length: count }, () => draw(random, city));
}

export const drawSearch: Draw = (random, city) => {
  const { checkIn, checkOut } = drawStay(random, city);
  const query = new URLSearchParams({
    city: random.pick([city.place.city, city.place.city.toLowerCase(), city.place.city.toUpperCase()]),
    checkIn,
    checkOut,
    guests: String(random.pick(GUESTS)),
    page: String(random.pick(PAGES)),
    pageSize: String(PAGE_SIZE),
    locale: random.pick(LOCALES),
  });
  if (random.chance(0.3)) query.set('country', city.place.country);
  return { method: 'GET', path: `/v1/properties?${query.toString()}`, token: random.pick(city.tokens) };
};

/** The cheapest stays of a week. */
export const drawTotals: Draw = (random, city) => totalsOf(random, city, WEEK, random.pick(GUESTS));

/** The cheapest stays of sixty nights for one guest: most nights to read, most properties to price. */
export const drawDearTotals: Draw = (random, city) => totalsOf(random, city, NIGHTS_MAX, 1);

function totalsOf(random: SeededRandom, city: CityDatabase, nights: number, guests: number): RequestParts {
  const query = new URLSearchParams({
    city: city.place.city,
    ...drawStay(random, city, nights),
    guests: String(guests),
    sort: 'total',
    pageSize: String(PAGE_SIZE),
  });
  return { method: 'GET', path: `/prices/v1/stays?${query.toString()}`, token: random.pick(city.tokens) };
}

export const drawProperty: Draw = (random, city) => {
  const { propertyId } = random.pick(city.properties).property;
  const path = `/v1/properties/${propertyId}?locale=${random.pick(LOCALES)}`;
  return { method: 'GET', path, token: random.pick(city.tokens) };
};

export const drawAvailability: Draw = (random, city) => {
  const { propertyId } = random.pick(city.properties).property;
  const { checkIn, checkOut } = drawStay(random, city);
  const query = new URLSearchParams({ checkIn, checkOut, guests: String(random.pick(GUESTS)) });
  const path = `/v1/properties/${propertyId}/availability?${query.toString()}`;
  return { method: 'GET', path, token: random.pick(city.tokens) };
};

export const drawQuote: Draw = (random, city) => {
  const { propertyId } = random.pick(city.properties).property;
  const stay = { ...drawStay(random, city), guests: random.pick(GUESTS) };
  const body = JSON.stringify({ propertyId, stay, locale: random.pick(LOCALES) });
  return { method: 'POST', path: '/v1/quotes', token: random.pick(city.tokens), body };
};

/** One stay at one property, whole. */
export const drawOffer: Draw = (random, city) => {
  const { propertyId, stay, locale, token } = drawPricedStay(random, city);
  const query = new URLSearchParams({ ...stay, guests: String(stay.guests), locale });
  return { method: 'GET', path: `/prices/v1/properties/${propertyId}/offer?${query.toString()}`, token };
};

/** The price of the same stay by id, where it is drawn from the same seed. */
export const drawOneId: Draw = (random, city) => {
  const { propertyId, stay, locale, token } = drawPricedStay(random, city);
  const body = JSON.stringify({ propertyIds: [propertyId], stay, locale });
  return { method: 'POST', path: '/prices/v1/stays', token, body };
};

function drawPricedStay(random: SeededRandom, city: CityDatabase) {
  const { propertyId } = random.pick(city.properties).property;
  const stay = { ...drawStay(random, city), guests: random.pick(GUESTS) };
  return { propertyId, stay, locale: random.pick(LOCALES), token: random.pick(city.tokens) };
}

/** From tomorrow on: a night that becomes yesterday while this runs would change answers. */
function drawStay(
  random: SeededRandom,
  { today, nightCount }: Pick<CityDatabase, 'today' | 'nightCount'>,
  nights = NIGHTS[drawIndex(random, NIGHT_SHARES)]!,
) {
  const checkIn: EpochDay = today + random.between(1, nightCount - nights);
  return { checkIn: formatLocalDate(checkIn), checkOut: formatLocalDate(checkIn + nights) };
}
