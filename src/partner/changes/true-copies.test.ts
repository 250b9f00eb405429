import { describe, it } from 'node:test';
import { keepTrueCopies } from '../../../test/suites/changes/true-copies.ts';
import { withNewStorage } from '../../../test/suites/storage/fixture.ts';
import { describePostgres, openPostgresFixture } from '../../../test/suites/storage/postgres-fixture.ts';
import { openSqliteFixture } from '../../../test/suites/storage/sqlite-fixture.ts';

const CHANGES = Number(process.env['FEED_CHANGES'] ?? 500);
const SEED = 20_261_125;

describe('Copies that partners keep by the feed alone', () => {
  it(`are true after ${CHANGES} changes: SQLite`, () =>
    withNewStorage(openSqliteFixture, (storage, { execute }) =>
      keepTrueCopies({ storage, execute, changeCount: CHANGES, seed: SEED }),
    ));
});

describePostgres('Copies that partners keep by the feed alone', (server) => {
  it(`are true after ${CHANGES} changes: PostgreSQL`, () =>
    withNewStorage(openPostgresFixture(server), (storage, { execute }) =>
      keepTrueCopies({ storage, execute, changeCount: CHANGES, seed: SEED + 1 }),
    ));
});
