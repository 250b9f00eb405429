/**
 * As fast as possible: every connection sends its next request when it has its answer.
 *
 * Between answers this process asks again instead of sleeping. To wake a process on another core costs the process that writes
 * to it some microseconds (on virtual machines five and more), and only where it sleeps, that is where the server is
 * slow: a server that needs 20 us for an answer was charged 9 us more for having a client that had to wait. Partners
 * are on other machines; waking them costs a server nothing.
 */
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
  const poll = startPolling(tally);
  try {
    connections.forEach(send);
    await Promise.race([delay(target.warmUpSeconds * 1000), failure.promise]);
    tally.start();
    await Promise.race([delay(target.seconds * 1000), failure.promise]);
    return tally.finish();
  } finally {
    poll.stop();
    for (const connection of connections) connection.close();
  }
}

/** Keeps the event loop turning, and tells the tally what time it turned for nothing. */
function startPolling(tally: Tally): { stop: () => void } {
  let answers = tally.answersInAll;
  let turnedAtMs = performance.now();
  let next: NodeJS.Immediate;
  const turn = (): void => {
    const nowMs = performance.now();
    if (tally.answersInAll === answers) tally.notePolling(nowMs - turnedAtMs);
    answers = tally.answersInAll;
    turnedAtMs = nowMs;
    next = setImmediate(turn);
  };
  next = setImmediate(turn);
  return { stop: () => clearImmediate(next) };
}
