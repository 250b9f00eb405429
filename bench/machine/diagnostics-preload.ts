/** Preloaded (`--import`) into a server that is started as users start it, and by Node into each of its threads. */
import { isMainThread } from 'node:worker_threads';
import { obeyOrders } from './channel.ts';
import { DIAGNOSTICS } from './diagnostics.ts';

if (isMainThread) {
  // Nobody else would end a server whose benchmark died; SIGTERM is how its users end it.
  obeyOrders(DIAGNOSTICS, () => process.kill(process.pid, 'SIGTERM'));
  // The server decides by itself when it is done; an open channel keeps it from nothing.
  process.channel?.unref();
}
