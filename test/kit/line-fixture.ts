/** A primary and a worker in one process, for tests. */
import { EventEmitter } from 'node:events';
import { type Channel, openChannel, type Wire } from '../../src/workers/channel.ts';

export const SILENT = { info() {}, warn() {} };

/** A line on which every message becomes JSON, as between processes. */
export function openLine(): {
  readonly primary: Channel;
  readonly worker: Channel;
  readonly cut: () => void;
  readonly send: (message: unknown) => void;
} {
  const ends = { primary: new EventEmitter(), worker: new EventEmitter() };
  const wire = (from: EventEmitter, to: EventEmitter): Wire => ({
    send(message, sent) {
      setImmediate(() => to.emit('message', JSON.parse(JSON.stringify(message))));
      sent?.();
    },
    onMessage: (take) => void from.on('message', take),
    onClose: (take) => void from.on('close', take),
  });
  return {
    primary: openChannel(wire(ends.primary, ends.worker)),
    worker: openChannel(wire(ends.worker, ends.primary)),
    cut: () => void ends.worker.emit('close'),
    send: (message) => void ends.primary.emit('message', message),
  };
}
