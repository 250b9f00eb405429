import { describeStorage } from '../storage-suite.ts';
import { describePostgres, openPostgresFixture } from './postgres-fixture.ts';

describePostgres('PostgreSQL', (server) => describeStorage('PostgreSQL', openPostgresFixture(server)));
