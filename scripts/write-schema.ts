/** `npm run schema`: writes the schema of each engine after all migrations. PostgreSQL's needs a server that starts. */
import { writeFileSync } from 'node:fs';
import { postgresMissing, startPostgres } from '../test/kit/postgres-server.ts';
import { postgresSchema, SCHEMA_FILES, sqliteSchema } from './stored-schema.ts';

const root = new URL('../', import.meta.url);
writeFileSync(new URL(SCHEMA_FILES.sqlite, root), sqliteSchema());
const missing = postgresMissing();
if (missing === false) {
  const server = await startPostgres();
  try {
    writeFileSync(new URL(SCHEMA_FILES.postgres, root), await postgresSchema(server));
  } finally {
    await server.close();
  }
} else {
  process.stderr.write(`${SCHEMA_FILES.postgres} is not written: ${missing}\n`);
  process.exitCode = 1;
}
