import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The text of a `.sql` file beside this one. */
export function readSql(name: string): string {
  return readFileSync(join(import.meta.dirname, `${name}.sql`), 'utf8');
}
