/** The property ids of one import: which were taken, which were only named by a rejected line. */
import { DatabaseSync, type StatementSync } from 'node:sqlite';

/** Pages of the private database that SQLite keeps in memory, in KiB; the rest goes to disk. */
const CACHE_KIB = 16_384;

/**
 * Kept in a private temporary database of SQLite (the empty file name: on disk as far as it outgrows the cache,
 * and deleted when it is closed), so that ten million ids take no more memory than ten thousand.
 */
export class NamedProperties {
  readonly #database: DatabaseSync;
  readonly #claim: StatementSync;
  readonly #name: StatementSync;
  readonly #find: StatementSync;

  constructor() {
    this.#database = new DatabaseSync('');
    this.#database.exec(`
      PRAGMA journal_mode = OFF;
      PRAGMA synchronous = OFF;
      PRAGMA cache_size = -${CACHE_KIB};
      CREATE TABLE named (property_id TEXT PRIMARY KEY, claimed INTEGER NOT NULL) WITHOUT ROWID;
      BEGIN;
    `);
    this.#claim = this.#database.prepare(
      `INSERT INTO named VALUES (?, 1) ON CONFLICT (property_id) DO UPDATE SET claimed = 1 WHERE claimed = 0`,
    );
    this.#name = this.#database.prepare(`INSERT OR IGNORE INTO named VALUES (?, 0)`);
    this.#find = this.#database.prepare(`SELECT 1 FROM named WHERE property_id = ?`);
  }

  /** True for the first line with this id, false for every later one. A rejected line before it does not count. */
  claim(propertyId: string): boolean {
    return this.#claim.run(propertyId).changes === 1;
  }

  /** Notes an id that a rejected line names. */
  name(propertyId: string): void {
    this.#name.run(propertyId);
  }

  has(propertyId: string): boolean {
    return this.#find.get(propertyId) !== undefined;
  }

  close(): void {
    this.#database.close();
  }
}
