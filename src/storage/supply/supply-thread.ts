/**
 * The thread's own file: applies large supply messages, each over a connection of its own. A connection that was kept
 * might lead to a former primary, of which the main thread would know and this one not.
 */
import { workerData } from 'node:worker_threads';
import { lowerThisThread } from '../../runtime/v8.ts';
import { serveJobs } from '../../runtime/job-thread.ts';
import { replyWithError } from '../engine/errors.ts';
import { parsePostgresUrl } from '../engine/postgres/postgres-url.ts';
import { openSession } from '../engine/postgres/session.ts';
import type { SupplyMessage } from '../../domain/ledger/message.ts';
import { applySupplyMessages } from './postgres-writes.ts';

export interface SupplyJob {
  readonly messages: readonly SupplyMessage[];
  readonly nowMs: number;
}

const parsed = parsePostgresUrl(workerData as string);
if (!parsed.ok) throw new Error(`the URL ${parsed.problem}`);
const { target } = parsed;

lowerThisThread();
serveJobs<SupplyJob>({
  async answer({ messages, nowMs }) {
    const session = openSession(target);
    try {
      return { result: await session.run((client) => applySupplyMessages(client, messages, nowMs)) };
    } finally {
      await session.end();
    }
  },
  packError: replyWithError,
});
