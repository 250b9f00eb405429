/** As fast as possible: every connection sends its next request when it has its answer. */
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { type KeepAliveConnection, openConnection } from './keep-alive-connection.ts';
import type { LoadReport, LoadTarget } from './load-orders.ts';
import { Tally } from './tally.ts';

export async function runClosedLoop(target: LoadTarget): Promise<LoadReport> {
  const requests = target.requests.map((request) => Buffer.from(request, 'latin1'));
  const tally = new Tally();
  const failure = Promise.withResolvers<never>();
  let next = 0;
  const send = (connection: KeepAliveConnection): void => {
    const request = requests[next]!;
    next = next + 1 === requests.length ? 0 : next + 1;
    connection.dueAtMs = performance.now();
    connection.send(request);
  };
  const connections = await Promise.all(
    Array.from({ length: target.connections }, () =>
      openConnection(target.port, {
        onAnswer(connection, status, bytes) {
          tally.count(status, bytes, performance.now() - connection.dueAtMs);
          send(connection);
        },
        onError: failure.reject,
      }),
    ),
  );
  try {
    connections.forEach(send);
    await Promise.race([delay(target.warmUpSeconds * 1000), failure.promise]);
    tally.start();
    await Promise.race([delay(target.seconds * 1000), failure.promise]);
    return tally.finish();
  } finally {
    for (const connection of connections) connection.close();
  }
}
