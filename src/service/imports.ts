/** Files that people send to be imported: kept, looked at and written, one at a time, on a thread of their own. */
import type { Logger } from 'pino';
import { recordAct } from '../access/audit-trail.ts';
import type {
  Answered,
  ExportFormat,
  ImportCounts,
  ImportDesk,
  ImportState,
  SentFile,
} from '../console/import-state.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import { openJobThread } from '../runtime/job-thread.ts';
import type { Random } from '../runtime/random.ts';
import type { Settings } from '../settings/settings.ts';
import { restoreError, StorageUnavailable, type ThreadError } from '../storage/engine/errors.ts';
import { ImportFolder, importFolderPath, type StoredState } from './import-folder.ts';
import type { ExportedRows, ImportJob, ImportThreadData } from './import-thread.ts';

/** A batch of properties, their calendars, and what SQLite keeps of its pages. */
const HEAP_MB_MAX = 512;
const LIMITS = { silenceMsMax: 120_000, idleMs: 600_000, closeMsMax: 2_000 };
const SWEEP_MS = 60_000;

export interface Imports extends ImportDesk {
  stop(): Promise<void>;
}

interface ImportDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** The thread starts with the first file or export. */
export function startImports(
  { databaseUrl, horizonNights }: Pick<Settings, 'databaseUrl' | 'horizonNights'>,
  { clock, random, logger }: ImportDeps,
): Imports {
  const path = importFolderPath(databaseUrl);
  const folder = new ImportFolder({ path, clock, machineClock: systemClock });
  const workerData: ImportThreadData = { databaseUrl, horizonNights, folder: path };
  const thread = openJobThread<ImportJob>({
    program: new URL('./import-thread.ts', import.meta.url),
    name: 'stayport imports',
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
    ...LIMITS,
    whenLost: (cause) => new StorageUnavailable('the thread that imports files ended', { cause }),
    restoreError: (packed) => restoreError(packed as ThreadError),
    answerBack: () => undefined,
  });
  let arriving = 0;
  let isExporting = false;
  let isStopping = false;

  const sweep = (): void =>
    void folder.sweep().catch((error: unknown) => logger.warn({ err: error }, 'imports: files stay'));
  sweep();
  const timer = setInterval(sweep, SWEEP_MS).unref();

  async function findObstacle(person: string): Promise<string | undefined> {
    return describeWork(await folder.atWork()) ?? folder.findObstacle(person, arriving);
  }

  /** Does a job in the background; whatever ends it, the file says so. */
  async function work<T>(state: ImportState, job: ImportJob): Promise<T | string> {
    try {
      return await thread.ask<T>(job);
    } catch (error) {
      const found = await folder.find(state.importId);
      const failure =
        'It ended before its time: what it wrote stays. Send the file again; nothing is done twice.';
      const phase = isStopping ? 'interrupted' : 'failed';
      if (found !== undefined) await folder.write({ ...found, phase, progress: null, failure });
      if (!isStopping) logger.error({ err: error }, 'an import of the console failed');
      return failure;
    } finally {
      await folder.unlock();
    }
  }

  async function take({ content, ...file }: SentFile): Promise<Answered<string>> {
    const obstacle = await findObstacle(file.person);
    if (obstacle !== undefined) return { ok: false, problem: obstacle };
    const importId = newImportId(random);
    arriving += 1;
    let bytes: number;
    try {
      bytes = await folder.keep({ importId, fileName: file.fileName }, content);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      return { ok: false, problem: 'The disk is full, so the file was not kept: free some space first.' };
    } finally {
      arriving -= 1;
    }
    const nowMs = clock();
    const state = { ...NEW_STATE, ...file, importId, bytes, receivedAtMs: nowMs };
    if (!(await folder.lock(importId))) {
      await folder.remove(state);
      return { ok: false, problem: describeWork(await folder.atWork()) ?? BUSY };
    }
    await folder.write({ ...state, receivedAt: new Date(nowMs).toISOString() });
    void work(state, { check: importId });
    return { ok: true, value: importId };
  }

  return {
    findObstacle,
    take,
    async apply({ kind, importId, hash }, signed) {
      const state = await folder.find(importId);
      if (state?.kind !== kind) return undefined;
      const problem = findApplyProblem(state, hash);
      if (problem !== undefined) return { ok: false, problem };
      if (!(await folder.lock(importId)))
        return { ok: false, problem: describeWork(await folder.atWork()) ?? BUSY };
      const applying: StoredState = { ...state, phase: 'applying', changedMeanwhile: false, failure: null };
      await folder.write(applying);
      const run = () => work<ImportCounts>(state, { apply: importId });
      void recordAct(signed, `${state.fileName} ${hash}`, run, (came) =>
        typeof came === 'string' ? { refused: came } : came,
      ).catch((error: unknown) => logger.error({ err: error }, 'an import of the console is not recorded'));
      return { ok: true, value: undefined };
    },
    async *exportCatalogue(format: ExportFormat, source: string) {
      if (isExporting) throw new StorageUnavailable('another export is being written');
      isExporting = true;
      try {
        for (let after: string | null = ''; after !== null;) {
          const rows: ExportedRows = await thread.ask({ rows: { format, source, after } });
          yield rows.bytes;
          ({ after } = rows);
        }
      } finally {
        isExporting = false;
      }
    },
    async stop() {
      isStopping = true;
      clearInterval(timer);
      await thread.end(new Error('the service is being stopped'));
    },
  };
}

const BUSY = 'Another file is being worked on: wait until it is done, then try again.';

function describeWork(state: ImportState | undefined): string | undefined {
  return (
    state && `${state.fileName} of ${state.person} is being worked on: wait until it is done, then try again.`
  );
}

function findApplyProblem({ phase, hash, counts }: ImportState, wanted: string): string | undefined {
  if (phase === 'applied') return 'This file was applied already.';
  if (phase !== 'shown' && phase !== 'interrupted')
    return 'This file can not be applied now: open its page again.';
  return counts === null || hash !== wanted
    ? 'This is not the file that was shown: look at it again.'
    : undefined;
}

const NEW_STATE = {
  phase: 'checking',
  hash: null,
  progress: null,
  counts: null,
  applied: null,
  rejections: [],
  notices: [],
  failure: null,
  changedMeanwhile: false,
  revision: 0,
  receivedAt: '',
} as const;

/** Nobody can guess it; it is no secret all the same. */
function newImportId(random: Random): string {
  const hex = Buffer.from(random(16)).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
