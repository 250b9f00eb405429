import { describeStorage } from '../../test/suites/storage/storage-suite.ts';
import { describePostgres, openPostgresFixture } from '../../test/suites/storage/postgres-fixture.ts';

describePostgres('PostgreSQL', (server) => describeStorage('PostgreSQL', openPostgresFixture(server)));
