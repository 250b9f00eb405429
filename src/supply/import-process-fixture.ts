/** A process that imports a catalogue file, to be killed by a test: `node <this> <database url> <file>`. */
import { systemClock } from '../clock.ts';
import { openStorage } from '../storage/open-storage.ts';
import { openCatalogueFile } from './catalogue-file.ts';
import { runImport } from './import-run.ts';

const [databaseUrl = '', file = ''] = process.argv.slice(2);
const storage = await openStorage(databaseUrl, { clock: systemClock });
const supply = await openCatalogueFile({ file, standardInput: process.stdin, readsTwice: false });
const { failure } = await runImport(supply, {
  storage,
  clock: systemClock,
  source: 'catalogue',
  horizonNights: 730,
});
await storage.close();
process.exitCode = failure === undefined ? 0 : 1;
