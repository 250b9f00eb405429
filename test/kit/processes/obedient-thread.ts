/** A thread that does what a test of threads asks for. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, serveJobs } from '../../../src/runtime/job-thread.ts';

export type Order =
  | { readonly say: string; readonly afterMs: number }
  | { readonly measure: Uint8Array }
  | { readonly fail: string }
  | 'exit';

serveJobs<Order>({
  async answer(order): Promise<Answer> {
    if (order === 'exit') process.exit();
    if ('fail' in order) throw new RangeError(order.fail);
    if ('measure' in order) {
      const { byteLength, buffer } = order.measure;
      return { result: { byteLength, back: order.measure }, transfer: [buffer as ArrayBuffer] };
    }
    await sleep(order.afterMs);
    return { result: order.say };
  },
  packError: (error) => `packed: ${(error as Error).message}`,
});
