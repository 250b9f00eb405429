/**
 * The data of the demo: a real city and a few hand-written hotels, with dates moved so that they are for sale from
 * today.
 */
import { inEnglish } from '../../../domain/wrong.ts';
import { join } from 'node:path';
import { type EpochDay, localToday } from '../../../domain/local-date.ts';
import type { Storage } from '../../../storage/storage.ts';
import { openCatalogueFile } from '../../../supply/native/catalogue-file.ts';
import { openInsideAirbnb } from '../../../supply/inside-airbnb/inside-airbnb.ts';
import type { Supply } from '../../../supply/run/supply-item.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { importVisibly } from '../commands/import-work.ts';
import { moveSupply } from './moved-supply.ts';
import type { Session } from '../terminal/session.ts';

const SAMPLE = join(import.meta.dirname, '..', '..', '..', '..', 'sample');
const ANTWERP_FILES = join(SAMPLE, 'inside-airbnb', 'antwerp-2024-06');
const ANTWERP_SOURCE = 'inside-airbnb:Antwerp';
const ITALY_SOURCE = 'sample:italy';

/**
 * Whether to import the sample: into an empty database, or again if an earlier demo was interrupted before it made its
 * partner. Any other database keeps its data.
 */
export async function isSampleWanted(storage: Storage): Promise<boolean> {
  const { partners } = await storage.readAccess();
  if (partners.length > 0) return false;
  const snapshot = await storage.openSnapshot();
  try {
    for await (const batch of snapshot.readProperties()) {
      if (batch.length > 0) return await hasSample(storage);
    }
    return true;
  } finally {
    await snapshot.close();
  }
}

async function hasSample(storage: Storage): Promise<boolean> {
  const found = await storage.listPropertyIds(ANTWERP_SOURCE, '', 1);
  return found.length > 0;
}

/** Cities of the sample that the invented requests search for, and how many properties there are to find. */
export const SAMPLE_CITIES = [
  { city: 'Antwerp', country: 'BE', properties: 150 },
  { city: 'Venezia', country: 'IT', properties: 1 },
];

export async function importSample(session: Session, storage: Storage): Promise<void> {
  const nowMs = session.clock();
  await importAll(session, storage, {
    supply: openInsideAirbnb({
      listings: join(ANTWERP_FILES, 'listings.csv.gz'),
      calendar: join(ANTWERP_FILES, 'calendar.csv.gz'),
      city: 'Antwerp',
      cityAliases: ['Antwerpen', 'Anvers', 'Anversa'],
      country: 'BE',
      timezone: 'Europe/Brussels',
      currency: 'EUR',
      startOn: localToday('Europe/Brussels', nowMs),
      idPrefix: 'antwerp-',
    }),
    source: ANTWERP_SOURCE,
    label: 'importing Antwerp',
  });
  await importAll(session, storage, {
    supply: await openItaly(localToday('Europe/Rome', nowMs)),
    source: ITALY_SOURCE,
    label: 'importing Italy',
  });
}

async function openItaly(firstNight: EpochDay): Promise<Supply> {
  const file = join(SAMPLE, 'italy.ndjson');
  return moveSupply(
    await openCatalogueFile({ file, standardInput: process.stdin, readsTwice: true }),
    firstNight,
  );
}

/** The sample is ours and without errors: any rejection is a failure here. */
async function importAll(
  session: Session,
  storage: Storage,
  { supply, source, label }: { readonly supply: Supply; readonly source: string; readonly label: string },
): Promise<void> {
  const { horizonNights } = session.settings();
  const { summary, failure } = await importVisibly(supply, label, {
    storage,
    clock: session.clock,
    source,
    horizonNights,
  });
  if (failure !== undefined) throw new CommandFailure(inEnglish(failure));
  const seconds = summary.seconds.toFixed(1);
  session.note(`${label}: ${summary.created} properties in ${seconds} s`);
}
