/** Dated searches by day, city and week of arrival; and places that nobody offers. */
import { type Program, rows } from '../portable-sql/program.ts';
import { type Counted, deletion, limited, ofFields, type Sum } from './counted-rows.ts';
import type { DayRange, DemandRange, DemandRow, PlaceSum, UnknownPlaceRow, UnknownRange } from './store.ts';
import { demandCondition } from './sums.ts';

export const DEMAND: Counted<DemandRow> = {
  table: 'demand_days',
  keyLength: 7,
  ...ofFields<DemandRow>([
    'day',
    'city',
    'country',
    'arrivalWeek',
    'nights',
    'guests',
    'partnerId',
    'searches',
    'empty',
    'looks',
  ]),
};

export const PLACES: Counted<UnknownPlaceRow> = {
  table: 'unknown_places',
  keyLength: 2,
  ...ofFields<UnknownPlaceRow>(['day', 'place', 'searches']),
};

export const deleteDemand = deletion('deleteDemand', DEMAND, 'day');
export const deletePlaces = deletion('deleteUnknownPlaces', PLACES, 'day');

export function* readDemand(range: DemandRange): Program<DemandRow[]> {
  const { columns, keyLength } = DEMAND;
  const { where, values } = demandCondition(range);
  const limit = limited(range);
  const found = yield* rows<StoredDemand>(
    `SELECT ${columns.join(', ')} FROM demand_days WHERE ${where}
     ORDER BY ${columns.slice(0, keyLength).join(', ')}${limit.text}`,
    [...values, ...limit.values],
  );
  return found.map(presentDemand);
}

type StoredDemand = Omit<DemandRow, 'arrivalWeek' | 'partnerId'> & {
  readonly [name in 'arrival_week' | 'partner_id']: string;
};

/** Field by field: of 200,000 rows a spread takes three times as long. */
function presentDemand(row: StoredDemand): DemandRow {
  const { day, city, country, nights, guests, searches, empty, looks } = row;
  return {
    day,
    city,
    country,
    arrivalWeek: row.arrival_week,
    nights,
    guests,
    partnerId: row.partner_id,
    searches,
    empty,
    looks,
  };
}

export function* readDemandCities({ from, to }: Pick<DayRange, 'from' | 'to'>): Program<string[]> {
  const found = yield* rows<{ readonly city: string }>(
    'SELECT DISTINCT city FROM demand_days WHERE day BETWEEN ? AND ?',
    [from, to],
  );
  return found.map(({ city }) => city);
}

export function* readUnknownPlaces(range: UnknownRange): Program<PlaceSum[]> {
  const found = yield* rows<{ readonly place: string; readonly asked: Sum }>(
    `SELECT place, sum(searches) AS asked FROM unknown_places WHERE day BETWEEN ? AND ?
     GROUP BY place HAVING sum(searches) >= ? ORDER BY asked DESC, place LIMIT ?`,
    [range.from, range.to, range.searchesMin, range.rowsMax],
  );
  return found.map(({ place, asked }) => ({ place, searches: Number(asked) }));
}
