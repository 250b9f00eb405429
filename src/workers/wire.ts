/** The line between primary and worker, as Node gives it to each end. */
import type { Worker } from 'node:cluster';
import type { Wire } from './channel.ts';

/** The primary's end of the line to one worker. */
export function wireTo(worker: Worker): Wire {
  return {
    // A worker that has just died takes no message; that it died is told by its exit.
    send(message, sent = ignore) {
      if (worker.isConnected()) worker.send(message, undefined, sent);
      else sent();
    },
    onMessage: (take) => void worker.on('message', take),
    onClose: (take) => void worker.once('disconnect', take),
  };
}

/** The worker's end. When the primary is gone, Node ends the worker. */
export function wireToPrimary(): Wire {
  return {
    send(message, sent = ignore) {
      if (process.connected) process.send?.(message, undefined, undefined, sent);
      else sent();
    },
    onMessage: (take) => void process.on('message', take),
    onClose: (take) => void process.once('disconnect', take),
  };
}

function ignore(): void {}
