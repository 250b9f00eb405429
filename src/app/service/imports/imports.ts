/** Files that people send to be imported: kept, looked at and written, one at a time, on a thread of their own. */
import { inEnglish, Wrong } from '../../../domain/wrong.ts';
import type { Logger } from 'pino';
import { recordAct } from '../../../access/audit-trail.ts';
import {
  type Answered,
  type ExportFormat,
  failedFor,
  type ImportCounts,
  type ImportDesk,
  type ImportState,
  type SentFile,
  wouldChange,
} from '../../../console/reading/import-state.ts';
import { type Clock, systemClock } from '../../../runtime/clock.ts';
import { openJobThread } from '../../../runtime/job-thread.ts';
import type { Random } from '../../../runtime/random.ts';
import { type Repeated, repeat } from '../../../storage/tasks/repeat.ts';
import type { Settings } from '../../settings/settings.ts';
import { restoreError, StorageUnavailable, type ThreadError } from '../../../storage/engine/errors.ts';
import { ImportFolder, importFolderPath, isDiskFull, UNREAD } from './import-folder.ts';
import type { BookingSitesOfJob, ExportedRows, ImportJob, ImportThreadData } from './import-thread.ts';

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
  /** BOOKING_ORIGINS by now. */
  readonly bookingOrigins: () => readonly string[];
}

/** The thread starts with the first file or export. */
export function startImports(
  settings: Pick<Settings, 'databaseUrl' | 'horizonNights'>,
  deps: ImportDeps,
): Imports {
  return new OwnThread(settings, deps);
}

class OwnThread implements Imports {
  readonly #deps: ImportDeps;
  readonly #folder: ImportFolder;
  readonly #thread: ReturnType<typeof openJobThread<ImportJob>>;
  readonly #sweeping: Repeated;
  #arriving = 0;
  #isExporting = false;
  #isStopping = false;

  constructor(settings: Pick<Settings, 'databaseUrl' | 'horizonNights'>, deps: ImportDeps) {
    const { databaseUrl, horizonNights } = settings;
    const path = importFolderPath(databaseUrl);
    const workerData: ImportThreadData = { databaseUrl, horizonNights, folder: path };
    this.#deps = deps;
    this.#folder = new ImportFolder({ path, clock: deps.clock, machineClock: systemClock });
    this.#thread = openJobThread<ImportJob>({
      program: new URL('./import-thread.ts', import.meta.url),
      name: 'stayport imports',
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
      ...LIMITS,
      whenLost: (cause) => new StorageUnavailable('the thread that imports files ended', { cause }),
      restoreError: (packed) => restoreError(packed as ThreadError),
      answerBack: () => undefined,
    });
    this.#sweeping = repeat({
      name: 'old import files',
      everyMs: SWEEP_MS,
      firstMs: 0,
      logger: deps.logger,
      round: () => this.#folder.sweep(),
    });
  }

  async findObstacle(person: string): Promise<Wrong | undefined> {
    return (
      workingReason(await this.#folder.atWork()) ?? (await this.#folder.findObstacle(person, this.#arriving))
    );
  }

  async take(file: SentFile): Promise<Answered<string>> {
    const obstacle = await this.findObstacle(file.person);
    if (obstacle !== undefined) return { ok: false, problem: obstacle };
    const importId = newImportId(this.#deps.random);
    try {
      return await this.#keep(importId, file);
    } catch (error) {
      await this.#folder.remove({ importId, fileName: file.fileName });
      if (!isDiskFull(error)) throw error;
      return { ok: false, problem: new Wrong('diskFullForFile') };
    }
  }

  async apply(
    ...[{ kind, importId, hash }, signed]: Parameters<ImportDesk['apply']>
  ): ReturnType<ImportDesk['apply']> {
    const state = await this.#folder.find(importId);
    if (state?.kind !== kind) return undefined;
    const problem = findApplyProblem(state, hash);
    if (problem !== undefined) return { ok: false, problem };
    const begun = await this.#folder
      .begin({ ...state, phase: 'applying', changedMeanwhile: false, ...failedFor(undefined) })
      .catch((error: unknown) => {
        if (!isDiskFull(error)) throw error;
      });
    if (begun === undefined) return { ok: false, problem: new Wrong('diskFullForImport') };
    if (!begun) return { ok: false, problem: workingReason(await this.#folder.atWork()) ?? BUSY };
    const run = () => this.#work<ImportCounts>(state, { apply: importId, ...this.#sites() });
    void recordAct(signed, `${state.fileName} ${hash}`, run, (came) =>
      typeof came === 'string' ? { refused: came } : came,
    ).catch(async (error: unknown) => {
      this.#deps.logger.error({ err: error }, 'an import of the console is not recorded');
      await this.#folder.unlock();
    });
    return { ok: true, value: undefined };
  }

  async lookAgain(
    ...[{ kind, importId }, choice]: Parameters<ImportDesk['lookAgain']>
  ): ReturnType<ImportDesk['lookAgain']> {
    const state = await this.#folder.find(importId);
    if (state?.kind !== kind) return undefined;
    const isOpen =
      'ignoreColumns' in choice ? (state.header?.unknown ?? []).length > 0 : state.encodingDoubt !== null;
    if (state.phase !== 'failed' || !isOpen) return { ok: false, problem: new Wrong('nothingToChoose') };
    const again = { ...state, ...UNSEEN, ...choice, phase: 'checking' } as const;
    if (!(await this.#folder.begin(again)))
      return { ok: false, problem: workingReason(await this.#folder.atWork()) ?? BUSY };
    void this.#work(again, { check: importId, ...this.#sites() });
    return { ok: true, value: undefined };
  }

  async *exportCatalogue(format: ExportFormat, source: string): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.#isExporting) throw new StorageUnavailable('another export is being written');
    this.#isExporting = true;
    try {
      for (let after: string | null = ''; after !== null;) {
        const rows: ExportedRows = await this.#thread.ask({ rows: { format, source, after } });
        yield rows.bytes;
        ({ after } = rows);
      }
    } finally {
      this.#isExporting = false;
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#sweeping.stop();
    await this.#thread.end(new Error('the service is being stopped'));
  }

  async #keep(importId: string, { content, ...file }: SentFile): Promise<Answered<string>> {
    this.#arriving += 1;
    const bytes = await this.#folder
      .keep({ importId, fileName: file.fileName }, content)
      .finally(() => (this.#arriving -= 1));
    const nowMs = this.#deps.clock();
    const receivedAt = new Date(nowMs).toISOString();
    const state = { ...NEW_STATE, ...file, importId, bytes, receivedAt, receivedAtMs: nowMs };
    if (!(await this.#folder.begin(state))) {
      await this.#folder.remove(state);
      return { ok: false, problem: workingReason(await this.#folder.atWork()) ?? BUSY };
    }
    void this.#work(state, { check: importId, ...this.#sites() });
    return { ok: true, value: importId };
  }

  #sites(): BookingSitesOfJob {
    return { bookingOrigins: this.#deps.bookingOrigins() };
  }

  /** Does a job in the background; whatever ends it, the file says so. */
  async #work<T>({ importId }: ImportState, job: ImportJob): Promise<T | string> {
    try {
      return await this.#thread.ask<T>(job);
    } catch (error) {
      if (!this.#isStopping) this.#deps.logger.error({ err: error }, 'an import of the console failed');
      const state = await this.#folder.find(importId);
      const phase = this.#isStopping ? 'interrupted' : 'failed';
      const why = this.#isStopping ? undefined : 'apply' in job ? ENDED : NOT_SEEN;
      if (state !== undefined)
        await this.#folder.write({ ...state, phase, progress: null, ...failedFor(why) });
      return `${inEnglish(ENDED)}.`;
    } finally {
      await this.#folder.unlock();
    }
  }
}

const ENDED = new Wrong('importEnded');
/** The end of a dry run, which writes nothing. */
const NOT_SEEN = new Wrong('importUnseen');
const BUSY = new Wrong('importBusy');

function workingReason(state: ImportState | undefined): Wrong | undefined {
  return state && new Wrong('importWorking', { file: state.fileName, person: state.person });
}

function findApplyProblem({ phase, hash, counts }: ImportState, wanted: string): Wrong | undefined {
  if (phase === 'applied') return new Wrong('importApplied');
  if (phase !== 'shown' && phase !== 'interrupted') return new Wrong('importNotShown');
  if (counts === null || hash !== wanted) return new Wrong('importOther');
  return phase === 'shown' && !wouldChange(counts) ? new Wrong('importChangesNothing') : undefined;
}

/** Nothing is known of what the file would do. */
const UNSEEN = { counts: null, header: null, encodingDoubt: null, ...failedFor(undefined) } as const;

const NEW_STATE = {
  phase: 'checking',
  hash: null,
  progress: null,
  counts: null,
  applied: null,
  ...UNREAD,
  rejections: [],
  notices: [],
  ...failedFor(undefined),
  changedMeanwhile: false,
  revision: 0,
  receivedAt: '',
} as const;

/** Nobody can guess it. */
function newImportId(random: Random): string {
  const hex = Buffer.from(random(16)).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
