/** The thread's own file: applies large supply messages over a connection of its own. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { lowerThisThread } from '../../../runtime/background-threads.ts';
import { replyWithError } from '../../thread-errors.ts';
import { parsePostgresUrl } from '../connection/postgres-url.ts';
import { openSession } from '../session.ts';
import type { SupplyReply, SupplyRequest } from './supply-link.ts';
import { applySupplyMessages } from './supply-writes.ts';

lowerThisThread();
if (parentPort === null) throw new Error('this file is run as a thread');
const port: MessagePort = parentPort;
const parsed = parsePostgresUrl(workerData as string);
if (!parsed.ok) throw new Error(`the URL ${parsed.problem}`);
const session = openSession(parsed.target);

port.on('message', (request: SupplyRequest) => void answer(request));

async function answer({ job, messages, nowMs }: SupplyRequest): Promise<void> {
  let reply: SupplyReply;
  try {
    reply = { job, answers: await session.run((client) => applySupplyMessages(client, messages, nowMs)) };
  } catch (error) {
    reply = { job, ...replyWithError(error) };
  }
  port.postMessage(reply);
}
