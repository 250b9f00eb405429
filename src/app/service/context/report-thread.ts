/** Entry point of the thread that makes pages and analyses denials. It reads the database and writes nothing. */
import { workerData } from 'node:worker_threads';
import { type JudgeQuestion, judgeStored } from '../../../operator/activity/judge-stored.ts';
import type { DoctorRow, PagePorts, ServingPorts } from '../../../console/reading/console-page.ts';
import { createCache, createDayCache } from '../../../console/reading/cache.ts';
import { createPropertyTable } from '../../../console/reading/property-table.ts';
import { createSourceAges } from '../../../console/reading/sources.ts';
import { printed } from '../../doctor/check.ts';
import { type DrawRequest, makePage, type RenderRequest } from '../../../console/http/make-page.ts';
import { isSetUp } from '../../../console/pages/setup/read.ts';
import { systemClock } from '../../../runtime/clock.ts';
import { type Answer, serveJobs } from '../../../runtime/job-thread.ts';
import { lowerThisThread } from '../../../runtime/v8.ts';
import { inspectSettings, type Settings } from '../../settings/settings.ts';
import { listSettings } from '../../settings/site-desk.ts';
import { keepDoctor } from './keep-doctor.ts';
import { replyWithError } from '../../../storage/engine/errors.ts';
import { openStorage } from '../../../storage/open.ts';
import { ImportFolder, importFolderPath } from '../imports/import-folder.ts';

export type ReportJob = { readonly judge: JudgeQuestion } | { readonly page: RenderRequest | DrawRequest };

export interface ReportThreadData {
  /** The settings that the service started with, whatever the environment says by now. */
  readonly running: Omit<Settings, 'handoffKeys'>;
}

/** Every page asks, to lead there. */
const SETUP_KEPT_MS = 10_000;
/** Time limit of one check. A page waits for all checks, and its own limit is not much longer. */
const CHECK_MS_MAX = 8_000;

/** A question of this thread to the serving thread. */
export interface ServingQuestion {
  readonly port: keyof ServingPorts;
  readonly about: readonly unknown[];
}

const { running } = workerData as ReportThreadData;
const { databaseUrl, horizonNights, partnerQuota, publicUrl } = running;
/** Key objects are not posted to threads, and no page shows more than that there are some. */
const { handoffKeys } = inspectSettings().settings;
lowerThisThread();

let opened: Promise<PagePorts> | undefined;
/** The serving thread's clock at the last page request. */
let nowMs = 0;

const askBack = serveJobs<ReportJob>({
  answer: async (job): Promise<Answer> => {
    const ports = await (opened ??= openPorts().catch(forget));
    if ('judge' in job) return { result: await ports.judgeStays(job.judge) };
    ({ nowMs } = job.page);
    const made = await makePage(ports, job.page);
    return { result: made, transfer: made === undefined ? [] : [made.body.buffer] };
  },
  packError: replyWithError,
  close: async () => (await opened)?.storage.close(),
});

async function openPorts(): Promise<PagePorts> {
  const storage = await openStorage(databaseUrl, { clock: systemClock, onlyReads: true });
  const clock = (): number => nowMs;
  const ports: PagePorts = {
    horizonNights,
    partnerQuota,
    publicUrl,
    settings: async () => listSettings({ ...running, handoffKeys }, await storage.readSiteSettings()),
    imports: new ImportFolder({
      path: importFolderPath(databaseUrl),
      clock,
      machineClock: systemClock,
    }),
    doctor: keepDoctor(storage, runDoctor),
    isSetUp: createCache({ make: () => isSetUp(ports), isOutdated: (ageMs) => ageMs >= SETUP_KEPT_MS }),
    storage,
    clock,
    readiness: () => askServing('readiness'),
    recentRequests: { find: (filter) => askServing('findRecent', filter) },
    names: {
      find: (...about) => askServing('findNames', ...about),
      prepare: () => void askServing('prepareNames').catch(() => undefined),
    },
    partnerView: {
      findProperty: (...about) => askServing('findSeenProperty', ...about),
      findCities: (...about) => askServing('findSeenCities', ...about),
    },
    propertyTable: createPropertyTable({ storage, clock, horizonNights }),
    sourceAges: createSourceAges(storage),
    dayCache: createDayCache(clock),
    judgeStays: (question) => judgeStored(storage, question),
  };
  return ports;
}

/** The findings of `doctor` for the settings of the running service. */
async function runDoctor(): Promise<readonly DoctorRow[]> {
  // Most pages do not need it.
  const { examineInstallation } = await import('./examine-installation.ts');
  const given = inspectSettings();
  const settings = { ...running, handoffKeys };
  const results = await examineInstallation({ ...given, settings }, systemClock, CHECK_MS_MAX);
  return results.map((result) => ({ ...printed(result), told: { detail: result.detail, fix: result.fix } }));
}

/** The next job opens the database again. */
function forget(error: unknown): never {
  opened = undefined;
  throw error;
}

async function askServing<Port extends keyof ServingPorts>(
  port: Port,
  ...about: Parameters<ServingPorts[Port]>
): Promise<Awaited<ReturnType<ServingPorts[Port]>>> {
  const question: ServingQuestion = { port, about };
  return (await askBack(question)) as Awaited<ReturnType<ServingPorts[Port]>>;
}
