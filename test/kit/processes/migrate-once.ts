/**
 * Opens and migrates the database in argv[2]; prints the resulting version.
 */
import { systemClock } from '../../../src/runtime/clock.ts';
import { openSqliteStorage } from '../../../src/storage/open-sqlite.ts';

const storage = await openSqliteStorage({ path: String(process.argv[2]), clock: systemClock });
const { version } = await storage.migrate();
process.stdout.write(`${version}\n`);
await storage.close();
