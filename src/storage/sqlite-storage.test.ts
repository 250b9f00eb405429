import { describeStorage } from '../../test/suites/storage/storage-suite.ts';
import { openSqliteFixture } from '../../test/suites/storage/sqlite-fixture.ts';

describeStorage('SQLite', openSqliteFixture);
