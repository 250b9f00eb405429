/** Preloaded (`--import`) into a server that is started as users start it, and by Node into the workers that it forks. */
import cluster from 'node:cluster';
import { obeyOrders } from './channel.ts';
import { DIAGNOSTICS } from './diagnostics.ts';
import { usageWithWorkers } from './worker-usage.ts';

if (cluster.isWorker) {
  // Its primary ends it.
  obeyOrders(DIAGNOSTICS, () => {});
} else {
  // Nobody else would end a server whose benchmark died; SIGTERM is how its users end it.
  obeyOrders({ ...DIAGNOSTICS, usage: usageWithWorkers }, () => process.kill(process.pid, 'SIGTERM'));
  // The server decides by itself when it is done; an open channel keeps it from nothing.
  process.channel?.unref();
}
