/** Who judges the stays that found nothing: the rounds are here, and what computes is a thread of its own. */
import { randomUUID } from 'node:crypto';
import { type JudgeQuestion } from '../activity/judge-stored.ts';
import type { StayJudgement } from '../activity/unmet-causes.ts';
import { startUnmetJudge, type UnmetJudgeDeps } from '../activity/unmet-judge.ts';
import { openJobThread } from '../runtime/job-thread.ts';
import type { Settings } from '../settings/settings.ts';

/** One property at a time is in it, and what SQLite keeps of its pages. */
const HEAP_MB_MAX = 256;

export interface StayJudge {
  /** Of properties as the database has them now. */
  readonly judge: (question: JudgeQuestion) => Promise<readonly StayJudgement[]>;
  stop(): Promise<void>;
}

/** The thread starts when there is something to judge for the first time. Without demand, only the console asks. */
export function startUnmet(
  { databaseUrl, demandDays, horizonNights }: Settings,
  deps: Omit<UnmetJudgeDeps, 'horizonNights' | 'holder' | 'judge'>,
): StayJudge {
  const thread = openJobThread<JudgeQuestion | 'close'>({
    program: new URL('./unmet-thread.ts', import.meta.url),
    name: 'stayport unmet',
    workerData: databaseUrl,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
    whenLost: (cause) => new Error('the thread that judges stays ended', { cause }),
  });
  let isAsked = false;
  const judge = (question: JudgeQuestion): Promise<readonly StayJudgement[]> => {
    isAsked = true;
    return thread.ask<readonly StayJudgement[]>(question);
  };
  const rounds =
    demandDays === 0 ? undefined : startUnmetJudge({ ...deps, horizonNights, holder: randomUUID(), judge });
  return {
    judge,
    async stop() {
      await rounds?.stop();
      if (isAsked) await thread.ask('close').catch(() => undefined);
      await thread.end(new Error('the service is being stopped'));
    },
  };
}
