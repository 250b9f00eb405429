/** The thread's own file: applies large supply messages over a connection of its own. */
import { workerData } from 'node:worker_threads';
import { lowerThisThread } from '../../../runtime/background-threads.ts';
import { serveJobs } from '../../../runtime/job-thread.ts';
import { replyWithError } from '../../thread-errors.ts';
import { parsePostgresUrl } from '../connection/postgres-url.ts';
import { openSession } from '../session.ts';
import type { SupplyJob } from './supply-link.ts';
import { applySupplyMessages } from './supply-writes.ts';

const parsed = parsePostgresUrl(workerData as string);
if (!parsed.ok) throw new Error(`the URL ${parsed.problem}`);
const session = openSession(parsed.target);

lowerThisThread();
serveJobs<SupplyJob>({
  answer: async ({ messages, nowMs }) => ({
    result: await session.run((client) => applySupplyMessages(client, messages, nowMs)),
  }),
  packError: replyWithError,
});
