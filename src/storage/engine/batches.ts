/**
 * Requests that share statements: while one batch is underway those that arrive gather, and go together into the
 * next. The more come at once, the less each costs, and none waits for company.
 */
import { type Deadline, Deadlines } from '../../runtime/deadlines.ts';
import { StorageUnavailable } from './errors.ts';

/** Bounds the memory that a stuck server can cost. */
const WAITING_MAX = 20_000;

export interface BatchOptions<Request, Answer> {
  /** One statement for all; resolves with one answer per request, in their order. */
  readonly run: (requests: readonly Request[]) => Promise<readonly (Answer | Error)[]>;
  readonly batchMax: number;
  readonly batchesAtOnce: number;
  /** From the request to its answer, waiting included; then `StorageUnavailable`. */
  readonly waitMs: number;
}

interface Waiting<Request, Answer> {
  readonly request: Request;
  readonly deadline: Deadline;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

export function createBatches<Request, Answer>(
  options: BatchOptions<Request, Answer>,
): (request: Request) => Promise<Answer> {
  const { run, batchMax, batchesAtOnce, waitMs } = options;
  const waiting = new Set<Waiting<Request, Answer>>();
  const deadlines = new Deadlines(waitMs);
  let underwayCount = 0;

  function pump(): void {
    while (underwayCount < batchesAtOnce && waiting.size > 0) {
      const batch = waiting.values().take(batchMax).toArray();
      for (const entry of batch) waiting.delete(entry);
      underwayCount++;
      void runAndAnswer(batch).finally(() => {
        underwayCount--;
        pump();
      });
    }
  }

  async function runAndAnswer(batch: readonly Waiting<Request, Answer>[]): Promise<void> {
    try {
      const answers = await run(batch.map(({ request }) => request));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const answer = answers[index];
        if (answer instanceof Error) reject(answer);
        else resolve(answer as Answer);
      }
    } catch (error) {
      // One that is wrong in itself must not take the others with it.
      if (batch.length === 1 || error instanceof StorageUnavailable) {
        for (const { reject } of batch) reject(error);
      } else await Promise.all(batch.map((entry) => runAndAnswer([entry])));
    } finally {
      for (const { deadline } of batch) deadlines.end(deadline);
    }
  }

  return (request) =>
    new Promise((resolve, reject) => {
      if (waiting.size >= WAITING_MAX) {
        throw new StorageUnavailable('too many requests wait for the database');
      }
      const deadline = deadlines.start(() => {
        waiting.delete(entry);
        reject(new StorageUnavailable(`the database did not answer within ${waitMs} ms`));
      });
      const entry: Waiting<Request, Answer> = { request, deadline, resolve, reject };
      waiting.add(entry);
      pump();
    });
}
