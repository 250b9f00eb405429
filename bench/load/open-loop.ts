/**
 * At a constant rate, whatever the server does: a slow answer delays no later request, so a pause of the server shows
 * in the latency of everything that was due meanwhile.
 *
 * A request's time starts when it falls due at a tick of this process. Waiting for a free connection counts; a tick
 * that comes late does not, because that is this process's own fault.
 *
 * The connections take turns: a server that answers at once would else see one of them only, and end the others when
 * the time for their first request is over.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { type KeepAliveConnection, openConnection } from './keep-alive-connection.ts';
import type { LoadReport, LoadTarget } from './load-orders.ts';
import { Tally } from './tally.ts';

const TICK_MS = 1;

export async function runOpenLoop(target: LoadTarget, requestsPerSecond: number): Promise<LoadReport> {
  const requests = target.requests.map((request) => Buffer.from(request, 'latin1'));
  const tally = new Tally();
  const failure = Promise.withResolvers<never>();
  const waiting: number[] = [];
  const free: KeepAliveConnection[] = [];
  let next = 0;
  const send = (connection: KeepAliveConnection, dueAtMs: number): void => {
    connection.dueAtMs = dueAtMs;
    connection.send(requests[next++ % requests.length]!);
  };
  const connections = await Promise.all(
    Array.from({ length: target.connections }, () =>
      openConnection(target.port, {
        onAnswer(connection, status, bytes) {
          tally.count(status, bytes, performance.now() - connection.dueAtMs);
          const dueAtMs = waiting.shift();
          if (dueAtMs === undefined) free.push(connection);
          else send(connection, dueAtMs);
        },
        onError: failure.reject,
      }),
    ),
  );
  free.push(...connections);
  const ticks = startTicks(requestsPerSecond, (dueAtMs) => {
    // The one that rested longest: a connection that never asks anything is one that the server may close.
    const connection = free.shift();
    if (connection === undefined) waiting.push(dueAtMs);
    else send(connection, dueAtMs);
  });
  try {
    await Promise.race([delay(target.warmUpSeconds * 1000), failure.promise]);
    tally.start();
    await Promise.race([delay(target.seconds * 1000), failure.promise]);
    return tally.finish();
  } finally {
    clearInterval(ticks);
    for (const connection of connections) connection.close();
  }
}

/** Calls `onDue` so often that after any time the number of calls is time x rate. */
function startTicks(perSecond: number, onDue: (dueAtMs: number) => void): NodeJS.Timeout {
  const startedAtMs = performance.now();
  let sent = 0;
  return setInterval(() => {
    const nowMs = performance.now();
    const due = Math.floor(((nowMs - startedAtMs) / 1000) * perSecond);
    for (; sent < due; sent++) onDue(nowMs);
  }, TICK_MS);
}
