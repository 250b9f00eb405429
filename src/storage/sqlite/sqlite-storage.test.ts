import { describeStorage } from '../storage-suite.ts';
import { openSqliteFixture } from './sqlite-fixture.ts';

describeStorage('SQLite', openSqliteFixture);
