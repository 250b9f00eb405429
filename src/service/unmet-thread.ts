/** The file of the thread that judges stays that found nothing. It reads the database, and writes nothing. */
import { workerData } from 'node:worker_threads';
import { judgeStored, type JudgeQuestion } from '../activity/judge-stored.ts';
import { systemClock } from '../runtime/clock.ts';
import { serveJobs } from '../runtime/job-thread.ts';
import { lowerThisThread } from '../runtime/v8.ts';
import { openStorage } from '../storage/open.ts';

const storage = openStorage(workerData as string, { clock: systemClock, onlyReads: true });
lowerThisThread();
// The first question is answered with the failure.
storage.catch(() => undefined);

serveJobs<JudgeQuestion | 'close'>({
  async answer(request) {
    if (request !== 'close') return { result: await judgeStored(await storage, request) };
    await (await storage).close();
    return { result: undefined };
  },
});
