/** The catalogue as rows of PostgreSQL, the way a service with a conventional schema would keep it. */
import pg from 'pg';
import { decodeCalendar } from '../../../src/domain/calendar-codec.ts';
import { calendarRanges } from '../../../src/domain/calendar.ts';
import { type EpochDay, formatLocalDate } from '../../../src/domain/local-date.ts';
import { lowestRateAt } from '../../../src/domain/lowest-rates.ts';
import { formatMoney, getMoney } from '../../../src/domain/money.ts';
import { foldPlaceName } from '../../../src/domain/place-name.ts';
import { DEFAULT_LOCALE, guestsMax, type LocalizedText, textFor } from '../../../src/domain/property.ts';
import type { FollowedProperty } from '../../../src/storage/catalogue/store.ts';
import type { CityDatabase } from '../../catalogue/city-database.ts';
import { readSql } from './sql-files.ts';

const PROPERTIES_AT_ONCE = 200;

/** Columns by their names. */
type Row = Readonly<Record<string, unknown>>;

/** Into an empty database. */
export async function loadRows(
  connectionString: string,
  { properties, today }: Pick<CityDatabase, 'properties' | 'today'>,
): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const insert = (into: string, rows: readonly Row[]) => client.query(into, [JSON.stringify(rows)]);
  try {
    await client.query(readSql('schema'));
    for (let start = 0; start < properties.length; start += PROPERTIES_AT_ONCE) {
      const batch = properties.slice(start, start + PROPERTIES_AT_ONCE);
      const types = batch.flatMap((property, index) => typeRows(property, start + index));
      await insert(
        'INSERT INTO properties SELECT * FROM json_populate_recordset(NULL::properties, $1)',
        batch.map((property) => propertyRow(property, today)),
      );
      await insert(
        'INSERT INTO inventory_types SELECT * FROM json_populate_recordset(NULL::inventory_types, $1)',
        types.map(({ row }) => row),
      );
      await insert(
        readSql('insert-nights'),
        types.flatMap(({ nights }) => nights),
      );
    }
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
}

function propertyRow({ property, lowestRates }: FollowedProperty, today: EpochDay): Row {
  const { location, rating } = property;
  const textOf = (text: LocalizedText | null): string | null =>
    text === null ? null : textFor(text, DEFAULT_LOCALE);
  const city = textFor(location.city, DEFAULT_LOCALE);
  const lowest = lowestRateAt(lowestRates, today) ?? undefined;
  return {
    property_id: property.propertyId,
    city_folded: foldPlaceName(city),
    name: textOf(property.name),
    description: textOf(property.description),
    property_type: property.propertyType,
    city,
    country: location.country,
    area: textOf(location.area),
    guests: guestsMax(property),
    bathrooms: property.bathrooms,
    amenities: property.amenities,
    rating_score: rating?.score,
    rating_count: rating?.count,
    starting_price: lowest === undefined ? null : formatMoney(BigInt(lowest)),
    currency: property.currency,
    timezone: property.timezone,
  };
}

const TYPES_MAX = 1000;

/** Nights as ranges; the database makes a row of each. */
function typeRows({ property, nights, rates }: FollowedProperty, propertyIndex: number) {
  return property.inventoryTypes.map((type, index) => {
    const type_id = propertyIndex * TYPES_MAX + index;
    const ranges = calendarRanges(decodeCalendar(nights[index]!, rates[index]));
    return {
      row: {
        type_id,
        property_id: property.propertyId,
        guests_max: type.guestsMax,
        included_guests: type.includedGuests,
        extra_guest_rate: cents(type.extraGuestRate),
        cleaning_fee: cents(property.cleaningFee),
      },
      nights: ranges.map(({ from, to, set }): Row => ({
        type_id,
        first: formatLocalDate(from),
        last: formatLocalDate(to),
        units: set.availability ?? 0,
        stop_sell: set.stopSell === 1,
        closed_to_arrival: set.closedToArrival === 1,
        closed_to_departure: set.closedToDeparture === 1,
        min_stay_arrival: set.minStayArrival,
        min_stay_through: set.minStayThrough,
        max_stay: set.maxStay,
        rate: set.rate,
      })),
    };
  });
}

function cents(amount: string | null): number {
  return amount === null ? 0 : Number(getMoney(amount));
}
