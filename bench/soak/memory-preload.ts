/**
 * Preloaded (`--import`) into the service that `npm run soak` watches, and by Node into each of its threads: every
 * thread tells what its own heap holds when the main thread is asked.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';
import { obeyOrders } from '../machine/channel.ts';
import { DIAGNOSTICS } from '../machine/diagnostics.ts';

export interface ThreadMemory {
  readonly threadId: number;
  readonly heapUsedBytes: number;
  readonly heapTotalBytes: number;
  readonly externalBytes: number;
  readonly arrayBufferBytes: number;
}

/** Long enough for threads that are at work; one that does not answer in time is missing from the sum. */
const ANSWERS_MS = 1_000;

const questions = new BroadcastChannel('stayport-soak-questions');
const answers = new BroadcastChannel('stayport-soak-answers');

function ownMemory(): ThreadMemory {
  const { heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
  return {
    threadId,
    heapUsedBytes: heapUsed,
    heapTotalBytes: heapTotal,
    externalBytes: external,
    arrayBufferBytes: arrayBuffers,
  };
}

if (isMainThread) {
  let threads: ThreadMemory[] = [];
  answers.addEventListener('message', (event) =>
    threads.push((event as unknown as { data: ThreadMemory }).data),
  );
  // Nobody else would end a service whose soak died.
  obeyOrders(
    {
      ...DIAGNOSTICS,
      threads: async (): Promise<readonly ThreadMemory[]> => {
        threads = [];
        questions.postMessage('memory');
        await delay(ANSWERS_MS);
        return [ownMemory(), ...threads];
      },
    },
    () => process.kill(process.pid, 'SIGTERM'),
  );
  process.channel?.unref();
} else {
  questions.addEventListener('message', () => answers.postMessage(ownMemory()));
}
// Neither keeps a thread from ending.
(questions as unknown as { unref(): void }).unref();
(answers as unknown as { unref(): void }).unref();
