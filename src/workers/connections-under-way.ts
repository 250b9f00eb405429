/** Connections that the primary process has accepted and is just handing to a worker. */
import type { Worker } from 'node:cluster';

interface Handle {
  close(): void;
}

/** What `node:cluster` sends along with a connection; one per listener is under way at a time. */
interface NewConnection {
  readonly act: 'newconn';
  readonly key: string;
}

/**
 * Closes a connection that was under way to the worker when that died. `node:cluster` closes its own copy only when
 * the worker says that it has the connection: without this it would be open for ever, and its client would wait.
 */
export function closeConnectionsUnderWay(worker: Worker): void {
  const child = worker.process;
  const underWay = new Map<string, Handle>();
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  child.send = (message: unknown, handle?: unknown, ...rest: unknown[]): boolean => {
    if (isNewConnection(message) && isHandle(handle)) underWay.set(message.key, handle);
    return send(message, handle, ...rest);
  };
  worker.once('exit', () => {
    // Closing one that was closed already does nothing.
    for (const handle of underWay.values()) handle.close();
  });
}

function isNewConnection(message: unknown): message is NewConnection {
  return typeof message === 'object' && message !== null && 'act' in message && message.act === 'newconn';
}

function isHandle(value: unknown): value is Handle {
  return typeof value === 'object' && value !== null && 'close' in value;
}
