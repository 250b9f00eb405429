/** A thread that does what a test of threads asks for. */
import { setTimeout as sleep } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { type Answer, serveJobs } from '../../../src/runtime/job-thread.ts';

export type Order =
  | { readonly say: string; readonly afterMs: number }
  | { readonly measure: Uint8Array }
  | { readonly fail: string }
  | { readonly askBack: unknown }
  /** Its first word becomes 1 when the thread closes. */
  | { readonly closed: Int32Array }
  | 'exit'
  | 'never end'
  | 'thread id';

let closed: Int32Array = new Int32Array(1);

const askBack = serveJobs<Order>({
  async answer(order): Promise<Answer> {
    if (order === 'exit') process.exit();
    if (order === 'thread id') return { result: threadId };
    while (order === 'never end');
    if ('askBack' in order) return { result: [await askBack(order.askBack)] };
    if ('closed' in order) ({ closed } = order);
    if ('closed' in order) return { result: undefined };
    if ('fail' in order) throw new RangeError(order.fail);
    if ('measure' in order) {
      const { byteLength, buffer } = order.measure;
      return { result: { byteLength, back: order.measure }, transfer: [buffer as ArrayBuffer] };
    }
    await sleep(order.afterMs);
    return { result: order.say };
  },
  packError: (error) => `packed: ${(error as Error).message}`,
  close: async () => void Atomics.store(closed, 0, 1),
});
