/**
 * The thread that computes pages of the console and analyses denials. It reads the database itself, writes nothing, and
 * yields to the thread that serves partners.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { JudgeQuestion } from '../../../operator/activity/judge-stored.ts';
import type { StayJudgement } from '../../../operator/activity/unmet-causes.ts';
import { startDenialAnalysis, type DenialAnalysisDeps } from '../../../operator/activity/denial-analysis.ts';
import type { ServingPorts } from '../../../console/reading/console-page.ts';
import type { DrawRequest, RenderedPage, RenderRequest } from '../../../console/http/make-page.ts';
import { openJobThread } from '../../../runtime/job-thread.ts';
import type { Settings } from '../../settings/settings.ts';
import { restoreError, StorageUnavailable, type ThreadError } from '../../../storage/engine/errors.ts';
import type { ReportJob, ReportThreadData, ServingQuestion } from './report-thread.ts';

/** Heap for past days kept by pages, one property at a time, and SQLite's page cache. */
const HEAP_MB_MAX = 256;
/** Further pages are answered 503 at once. */
export const PAGES_WAITING_MAX = 16;
const LIMITS = {
  /** On a busy core it may take ten seconds to start. */
  silenceMsMax: 60_000,
  idleMs: 600_000,
  closeMsMax: 2_000,
};

export type MakePage = (order: RenderRequest | DrawRequest) => Promise<RenderedPage | undefined>;

export interface Reports {
  /** `ports` answer the questions that pages ask this thread. */
  openPages(ports: ServingPorts): MakePage;
  stop(): Promise<void>;
}

type ReportDeps = Omit<DenialAnalysisDeps, 'horizonNights' | 'holder' | 'judge' | 'logger'> & {
  readonly logger: Logger;
};

/** The thread starts with the first job. */
export function startReports(settings: Settings, { logger, ...deps }: ReportDeps): Reports {
  const { demandDays, horizonNights } = settings;
  // Key objects can't be posted to a thread, and no page needs them.
  const { handoffKeys: _keys, ...running } = settings;
  const workerData: ReportThreadData = { running };
  let serving: ServingPorts | undefined;
  const thread = openJobThread<ReportJob>({
    program: new URL('./report-thread.ts', import.meta.url),
    name: 'stayport reports',
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
    ...LIMITS,
    whenLost(cause) {
      logger.error({ err: cause }, 'the thread that makes pages ended: the next page starts another');
      return new StorageUnavailable('the thread that makes pages ended', { cause });
    },
    restoreError: (packed) => restoreError(packed as ThreadError),
    answerBack(question) {
      const { port, about } = question as ServingQuestion;
      return (serving![port] as (...given: readonly unknown[]) => unknown)(...about);
    },
  });
  const judge = (question: JudgeQuestion) => thread.ask<readonly StayJudgement[]>({ judge: question });
  const rounds =
    demandDays === 0
      ? undefined
      : startDenialAnalysis({ ...deps, logger, horizonNights, holder: randomUUID(), judge });
  let waiting = 0;
  return {
    openPages(ports) {
      serving = ports;
      return async (page) => {
        if (waiting >= PAGES_WAITING_MAX)
          throw new StorageUnavailable(`${waiting} pages of the console are being made`);
        waiting += 1;
        try {
          return await thread.ask<RenderedPage | undefined>({ page });
        } finally {
          waiting -= 1;
        }
      };
    },
    async stop() {
      const stopped = rounds?.stop();
      await thread.end(new Error('the service is being stopped'));
      await stopped;
    },
  };
}
