/** What a server uses together with the workers that it has forked. */
import cluster, { type Worker } from 'node:cluster';
import { type Ask, openChannel } from './channel.ts';
import { ownUsage, type Usage } from './diagnostics.ts';

const channels = new WeakMap<Worker, Ask>();

/** Of this process and all its workers; just its own when it has none. */
export async function usageWithWorkers(): Promise<Usage> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  const theirs = await Promise.all(workers.map((worker) => channelTo(worker)<Usage>('usage')));
  const all = [ownUsage(), ...theirs];
  return {
    cpuSeconds: all.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    residentBytes: all.reduce((sum, { residentBytes }) => sum + residentBytes, 0),
    uptimeSeconds: all[0]!.uptimeSeconds,
  };
}

function channelTo(worker: Worker): Ask {
  let ask = channels.get(worker);
  if (ask === undefined) {
    ask = openChannel(worker.process, `worker ${worker.id}`);
    channels.set(worker, ask);
  }
  return ask;
}
