/** Threads that count in one memory, as the workers of a service do. */
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';
import { releaseLimits } from '../../src/limits/own-limits.ts';
import type { CounterKind, RequestLimits, WindowHit } from '../../src/limits/request-limits.ts';
import type {
  CountingAnswer,
  CountingOrder,
  CountingThreadData,
  SeenHit,
} from './processes/counting-thread.ts';

const PROGRAM = new URL('./processes/counting-thread.ts', import.meta.url);

type Ordered<Order> = Order extends CountingOrder ? Omit<Order, 'id'> : never;

export class CountingThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, (hits: readonly SeenHit[]) => void>();
  #lastId = 0;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', ({ id, hits }: CountingAnswer) => {
      this.#waiting.get(id)?.(hits);
      this.#waiting.delete(id);
    });
  }

  static async start(context: TestContext, data: CountingThreadData): Promise<CountingThread> {
    const worker = new Worker(PROGRAM, { workerData: data });
    context.after(() => worker.terminate());
    await once(worker, 'online');
    return new CountingThread(worker);
  }

  /** Each of `hitCount` hits of one of `keyCount` keys; never resolves when the thread is ended meanwhile. */
  async hitMany(keyCount: number, hitCount: number, seed: number): Promise<readonly SeenHit[]> {
    return await this.#order({ keyCount, hitCount, seed });
  }

  limits(): RequestLimits {
    const counter = (kind: CounterKind) => ({
      hit: async (key: string): Promise<WindowHit> => {
        const { key: _key, ...hit } = (await this.#order({ kind, key }))[0]!;
        return hit;
      },
    });
    return { ingress: counter('ingress'), quota: counter('quota') };
  }

  /** Ends the thread wherever it is, and releases what it held, as the primary thread of a service does. */
  async end({ memory }: CountingThreadData): Promise<void> {
    const { threadId } = this.#worker;
    await this.#worker.terminate();
    releaseLimits(memory, threadId);
  }

  async #order(order: Ordered<CountingOrder>): Promise<readonly SeenHit[]> {
    this.#lastId += 1;
    const id = this.#lastId;
    return await new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#worker.postMessage({ ...order, id } as CountingOrder);
    });
  }
}
