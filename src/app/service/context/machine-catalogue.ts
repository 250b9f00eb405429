/** Follows the properties for all threads of a machine, in memory that they read, and saves it to a file. */
import { createHash } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { CatalogueWriter } from '../../../read-model/catalogue/catalogue-writer.ts';
import { Heap } from '../../../read-model/catalogue/memory/heap.ts';
import { tryMemoryFile } from '../../../read-model/catalogue/memory/memory-file.ts';
import type { Segment } from '../../../read-model/catalogue/memory/memory.ts';
import { Publishing } from '../../../read-model/catalogue/memory/publication.ts';
import type { CatalogueFileFacts } from '../../doctor/check.ts';
import { CatalogueFile, findUnfitness } from '../../../read-model/following/catalogue-file.ts';
import type { CatalogueState } from '../../../read-model/following/catalogue-follower.ts';
import {
  type CatalogueSource,
  type CatalogueSourceOptions,
  followCatalogue,
  pauseOfCatalogue,
} from '../../../read-model/following/follower.ts';
import { type Clock, machineUptime } from '../../../runtime/clock.ts';
import { SETTINGS } from '../../settings/settings-table.ts';
import type { Settings } from '../../settings/settings.ts';
import { databasePlace } from '../../../storage/open.ts';
import type { FollowerLogger, Pause } from '../../../read-model/following/retry-loop.ts';
import { messageOf } from '../../../runtime/message-of.ts';

const FILE_NAME = 'catalogue.cache';
/** Value of the setting. */
const NO_FILE = 'off';

/** Where the catalogue is saved. */
export interface CatalogueFileLocation {
  readonly path: string;
  /** The operator set the path. */
  readonly isSet: boolean;
  /** Identifies the database without revealing it. */
  readonly database: string;
}

export interface MachineCatalogueOptions {
  readonly storage: CatalogueSourceOptions['storage'];
  readonly clock: Clock;
  /** Monotonic. */
  readonly uptimeMs?: Clock;
  /** Between two rounds of following. */
  readonly pause?: Pause;
  readonly logger: FollowerLogger;
  readonly horizonNights: number;
  /** Smaller in tests. */
  readonly changesPerRead?: number | undefined;
  readonly publication: SharedArrayBuffer;
  /** False if a thread ended while it read the catalogue: the file may be the cause. */
  readonly readsFile: boolean;
  readonly file: CatalogueFileLocation | undefined;
  /** Resolves when all readers have the segment. */
  readonly announce: (segment: Segment) => Promise<unknown>;
  /** Called in each round, and while the catalogue is read for the first time. */
  readonly emitState: (state: CatalogueState) => void;
}

export function followForMachine(options: MachineCatalogueOptions): CatalogueSource {
  const { publication, readsFile, file: place, announce, emitState, pause, ...following } = options;
  const { logger, uptimeMs = machineUptime } = following;
  const announced: Promise<unknown>[] = [];
  const onSegment = (segment: Segment): void => {
    announced.push(announce(segment));
    publishState();
  };
  const heap = new Heap({ publishing: new Publishing(publication), onSegment });
  const catalogue = new CatalogueWriter(following, heap);
  const file = place && new CatalogueFile({ ...place, catalogue, logger, uptimeMs });
  const publishState = (): void => emitState({ ...source.state(), memory: heap.use });
  const source = followCatalogue({
    ...following,
    catalogue,
    announced: () => Promise.all(announced.splice(0)),
    openSaved: file && readsFile ? () => file.open() : undefined,
    pause: (signal, isBusy) => {
      publishState();
      file?.saveWhenDue(settled);
      return (pause ?? pauseOfCatalogue)(signal, isBusy);
    },
  });
  const settled = () => source.settled?.();
  publishState();
  const becomeReady = async (): Promise<void> => {
    await source.ready;
    publishState();
  };
  return {
    ...source,
    ready: becomeReady(),
    async stop() {
      await source.stop();
      await file?.save(settled);
    },
  };
}

/** Undefined if the catalogue is not saved. */
export function catalogueFilePlace({
  catalogueFile,
  databaseUrl,
}: Settings): CatalogueFileLocation | undefined {
  if (catalogueFile === NO_FILE) return undefined;
  const { name, file } = databasePlace(databaseUrl);
  const path = catalogueFile ?? (file && join(dirname(file), FILE_NAME));
  if (path === undefined) return undefined;
  const database = createHash('sha256').update(name).digest('hex');
  return { path, isSet: catalogueFile !== undefined, database };
}

/** The facts that `doctor` reports about it; changes nothing. */
export async function inspectCatalogueFile(
  settings: Settings,
  clock: Clock,
): Promise<CatalogueFileFacts | undefined> {
  const place = catalogueFilePlace(settings);
  if (place === undefined) return undefined;
  const { path, isSet, database } = place;
  const folder = dirname(path);
  // The first start makes the folder of the database, and with it the default place.
  const isMadeLater = !isSet && !existsSync(folder);
  const problem = isMadeLater
    ? undefined
    : await access(folder, constants.W_OK).then(() => undefined, messageOf);
  const file = await stat(path).catch(() => undefined);
  if (file === undefined || problem !== undefined) return { path, isSet, problem, found: undefined };
  if (!file.isFile()) return { path, isSet, problem: 'it is not a file', found: undefined };
  const unfitness = await findUnfitness(path, database, settings.horizonNights);
  return { path, isSet, problem, found: { ageMs: clock() - file.mtimeMs, mode: file.mode, unfitness } };
}

/** Throws if no file can be written at a path that was set; only warns about the default path. */
export async function tryCatalogueFile(
  { path, isSet }: CatalogueFileLocation,
  logger: Logger,
): Promise<void> {
  try {
    await tryMemoryFile(path);
  } catch (error) {
    const reason = messageOf(error);
    const { name, example } = SETTINGS.catalogueFile;
    const problem = `${name}: ${path} can't be written: ${reason}; for example ${name}=${example}`;
    if (isSet) throw new Error(problem, { cause: error });
    logger.warn({ file: path, reason }, 'the catalogue can not be saved: each start reads the database');
  }
}
