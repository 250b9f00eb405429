/** Fills the SQLite database of the conventional contestant. */
import { DatabaseSync } from 'node:sqlite';
import { nightRows, type Rows } from './rows.ts';
import { readSql } from './sql-files.ts';

export function loadSqliteNights(path: string, { properties, types }: Rows): void {
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    database.exec(readSql('sqlite-nights-schema'));
    database.exec('BEGIN');
    const insertProperty = database.prepare(
      `INSERT INTO properties VALUES (${Array.from({ length: 16 }, () => '?').join(', ')})`,
    );
    for (const { amenities, ...row } of properties) {
      const values: (string | number | null)[] = Object.values(row);
      values.splice(AMENITIES_AT, 0, JSON.stringify(amenities));
      insertProperty.run(...values);
    }
    const insertType = database.prepare('INSERT INTO inventory_types VALUES (?, ?, ?)');
    const insertNight = database.prepare('INSERT INTO nights VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
    for (const type of types) {
      insertType.run(type.typeId, type.propertyId, type.guestsMax);
      for (const row of nightRows(type)) {
        const { typeId, night, units, stopSell, closedToArrival, closedToDeparture } = row;
        const rules = [row.minStayArrival, row.minStayThrough, row.maxStay];
        insertNight.run(typeId, night, units, stopSell, closedToArrival, closedToDeparture, ...rules);
      }
    }
    database.exec('COMMIT; ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
}

/** Place of `amenities` among the columns. */
const AMENITIES_AT = 10;
