/** Counts the connections of a listener, and those closed by reason. */
import { counter, gauge, type MetricFamily } from './metric-family.ts';

export interface ConnectionMeter {
  open: number;
  /** Closed at once: too many were open. */
  refused: number;
  /** Closed at once: too many of their address were open. */
  refusedAddress: number;
  /** Closed to make room, without having sent a request. */
  cutSilent: number;
  /** Closed over the memory of all connections: this one had read nothing for longest. */
  cutMemory: number;
  /** Closed because the client read nothing of its answer. */
  cutUnread: number;
  /** Closed because too many requests waited on it. */
  cutPipelined: number;
}

export function createConnectionMeter(): ConnectionMeter {
  return {
    open: 0,
    refused: 0,
    refusedAddress: 0,
    cutSilent: 0,
    cutMemory: 0,
    cutUnread: 0,
    cutPipelined: 0,
  };
}

export function connectionFamilies(meter: ConnectionMeter): MetricFamily[] {
  return [
    gauge(
      'stayport_open_connections',
      'Connections that are open on the partner listener.',
      () => meter.open,
    ),
    counter(
      'stayport_connections_refused_total',
      'Connections closed on arrival because the limit was reached.',
      () => meter.refused,
    ),
    {
      name: 'stayport_connections_cut_total',
      help: 'Connections closed because the client read nothing or pipelined too much.',
      type: 'counter',
      *read() {
        yield { value: meter.cutUnread, labels: { reason: 'unread' } };
        yield { value: meter.cutPipelined, labels: { reason: 'pipelined' } };
      },
    },
  ];
}

/** Bytes held by all connections of a thread, and closed connections of each listener. */
export interface DoorNumbers {
  readonly meters: Readonly<Record<string, ConnectionMeter>>;
  readonly heldBytes: () => number;
  readonly maxBytes: number;
}

export function doorFamilies({ meters, heldBytes, maxBytes }: DoorNumbers): MetricFamily[] {
  return [
    {
      name: 'stayport_connections_closed_total',
      help: 'Connections refused or closed by the service, by listener and reason.',
      type: 'counter',
      *read() {
        for (const [listener, meter] of Object.entries(meters)) {
          yield { value: meter.refused, labels: { listener, reason: 'full' } };
          yield { value: meter.refusedAddress, labels: { listener, reason: 'address' } };
          yield { value: meter.cutSilent, labels: { listener, reason: 'silent' } };
          yield { value: meter.cutMemory, labels: { listener, reason: 'memory' } };
          yield { value: meter.cutUnread, labels: { listener, reason: 'unread' } };
          yield { value: meter.cutPipelined, labels: { listener, reason: 'pipelined' } };
        }
      },
    },
    gauge('stayport_waiting_bytes', 'Bytes held by waiting requests and unread answers.', heldBytes),
    gauge(
      'stayport_waiting_bytes_max',
      'Limit on the bytes held by waiting requests and unread answers: WAITING_BYTES_MAX, all workers together.',
      () => maxBytes,
    ),
  ];
}
