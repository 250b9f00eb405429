/**
 * A listener: one node:http server with everything around the framework that keeps its answers in our own form.
 */
import type { AddressInfo } from 'node:net';

export interface ListeningServer {
  /** Resolves once connections are accepted; rejects when the address can't be had. Port 0 picks a free one. */
  listen(port: number, host: string): Promise<AddressInfo>;
  /** Stops accepting, finishes what is in flight, at the latest after a named time; then resolves. */
  close(): Promise<void>;
}
