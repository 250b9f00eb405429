/** Each release works on the schema of the one before and of the one after, so migrations only add. */
import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { fillEngineWords } from '../src/storage/engine/engine-words.ts';
import { readContractions } from '../src/storage/engine/migrations.ts';
import { POSTGRES_SCHEMA } from '../src/storage/engine/postgres/migrate.ts';
import { SQLITE_SCHEMA } from '../src/storage/engine/sqlite/migrate.ts';
import { findChangesOfOld } from './kit/additive-sql.ts';

const ENGINE = join(import.meta.dirname, '..', 'src', 'storage', 'engine');
const FIRST_RELEASE = '024-first-release.sql';

describe('Migrations', () => {
  const paths = globSync('{activity-,}migrations/*.sql', { cwd: ENGINE });
  const additions = paths.filter((path) => basename(path) !== FIRST_RELEASE);

  it('begin with the schema of the first release, which no migration comes before', () => {
    assert.deepEqual(
      paths.filter((path) => !additions.includes(path)).toSorted(),
      ['activity-migrations', 'migrations'].map((folder) => join(folder, FIRST_RELEASE)),
    );
    assert.ok(additions.every((path) => basename(path) > FIRST_RELEASE));
  });

  it('of later releases only add', () => {
    for (const path of additions)
      assert.deepEqual(findChangesOfOld(readFileSync(join(ENGINE, path), 'utf8')), [], path);
  });

  it('have numbers that only one of them has, contractions among them', () => {
    for (const { migrations, contractions } of [POSTGRES_SCHEMA, SQLITE_SCHEMA]) {
      const numbers = [...migrations, ...contractions].map(({ version }) => version);
      assert.equal(new Set(numbers).size, numbers.length, numbers.join(', '));
    }
  });

  it('of which a contraction says what programs must know', () => {
    const folder = mkdtempSync(join(tmpdir(), 'stayport-contractions-'));
    try {
      writeFileSync(join(folder, '901-drop.sql'), 'DROP TABLE quotes');
      const url = pathToFileURL(`${folder}/`);
      assert.throws(
        () => readContractions('sqlite', [url]),
        /a contraction begins with a line "-- Needs: NUMBER"/,
      );
      assert.deepEqual(readContractions('sqlite', [new URL('none/', url)]), []);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('use no word in braces that an engine does not know', () => {
    assert.throws(() => fillEngineWords('a {big} b', 'sqlite'), /\{big\}/);
  });
});

describe('A migration is refused', () => {
  const REFUSED = [
    ['that drops a table', 'DROP TABLE quotes'],
    ['that drops an index', 'DROP INDEX quotes_by_expiry'],
    ['that drops a column', 'ALTER TABLE quotes DROP COLUMN answer'],
    [
      'that drops a column beside one that it adds',
      'ALTER TABLE quotes ADD COLUMN a text, DROP COLUMN answer',
    ],
    ['that renames a table', 'ALTER TABLE quotes RENAME TO offers'],
    ['that renames a column', 'ALTER TABLE quotes RENAME COLUMN answer TO body'],
    ['that changes a type', 'ALTER TABLE quotes ALTER COLUMN created_at_ms TYPE text'],
    ['that forbids null', 'ALTER TABLE quotes ALTER COLUMN answer SET NOT NULL'],
    ['that adds a column which old rows cannot have', 'ALTER TABLE quotes ADD COLUMN a text NOT NULL'],
    ['that adds a column with a check', 'ALTER TABLE quotes ADD COLUMN a bigint DEFAULT 0 CHECK (a > 0)'],
    ['that adds a unique column', 'ALTER TABLE quotes ADD COLUMN a text UNIQUE'],
    ['that adds a check', 'ALTER TABLE quotes ADD CONSTRAINT c CHECK (created_at_ms > 0)'],
    ['that adds a unique index to an old table', 'CREATE UNIQUE INDEX one ON quotes (answer)'],
    ['that ties a new table to an old one', 'CREATE TABLE a (quote_id text REFERENCES quotes)'],
    ['that changes old rows', `UPDATE quotes SET answer = ''`],
    ['that deletes old rows', 'DELETE FROM quotes'],
    ['that writes old tables', 'INSERT INTO quotes SELECT * FROM quotes'],
    ['that adds a trigger', 'CREATE TRIGGER t AFTER INSERT ON quotes BEGIN SELECT 1; END'],
    ['that takes a right away', 'REVOKE ALL ON quotes FROM stayport'],
    ['that does one of these behind a comment', 'CREATE TABLE a (b text); -- and\nDROP/* it */ TABLE quotes'],
  ] as const;

  for (const [what, sql] of REFUSED) {
    it(what, () => {
      assert.equal(findChangesOfOld(sql).length > 0, true, sql);
    });
  }

  it('but not one that makes tables, fills them, and adds columns that may be absent', () => {
    const sql = `-- DROP TABLE quotes;
      CREATE TABLE a (b text NOT NULL PRIMARY KEY, c bigint CHECK (c > 0));
      CREATE UNIQUE INDEX a_by_c ON a (c);
      INSERT INTO a (b, c) SELECT quote_id, created_at_ms FROM quotes;
      CREATE INDEX quotes_by_x ON quotes (created_at_ms);
      ALTER TABLE quotes ADD COLUMN d text;
      ALTER TABLE quotes ADD COLUMN e bigint NOT NULL DEFAULT 0, ADD COLUMN f text;`;
    assert.deepEqual(findChangesOfOld(sql), []);
  });
});
