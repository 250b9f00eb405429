/** `npm run schema`: writes the schema after all migrations. */
import { writeFileSync } from 'node:fs';
import { formatSchema, SCHEMA_FILE } from './stored-schema.ts';

writeFileSync(new URL(`../${SCHEMA_FILE}`, import.meta.url), formatSchema());
