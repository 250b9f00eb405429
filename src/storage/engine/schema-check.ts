/**
 * Whether the schema behind a connection serves this program. One check for each session, asked for each new connection.
 *
 * A session that has worked goes on: what it meets later must not end the process. A schema that lacks something
 * is another database behind the same name, which may come back; one that was contracted under a running process is
 * named on /readyz. Partners get 503 from both.
 */
import { SchemaMismatch, StorageUnavailable } from './errors.ts';
import { type AppliedMigration, assertSchemaServes, type KnownSchema } from './migrations.ts';

/** Throws `SchemaMismatch` before it has accepted a schema once, `StorageUnavailable` afterwards. */
export function createSchemaCheck(known: KnownSchema): (applied: readonly AppliedMigration[]) => void {
  let hasServed = false;
  return (applied) => {
    try {
      assertSchemaServes(applied, known);
    } catch (error) {
      if (!hasServed || !(error instanceof SchemaMismatch)) throw error;
      throw new StorageUnavailable(error.message, { cause: error });
    }
    hasServed = true;
  };
}
