/** The process that asks: one order at a time, on a core of its own. */
import { obeyOrders } from '../machine/channel.ts';

import { runClosedLoop } from './closed-loop.ts';
import type { LoadOrder, LoadReport } from './load-orders.ts';
import { runOpenLoop } from './open-loop.ts';

obeyOrders({
  run: (order: LoadOrder): Promise<LoadReport> =>
    order.requestsPerSecond === 'asFastAsPossible'
      ? runClosedLoop(order)
      : runOpenLoop(order, order.requestsPerSecond),
});
