/** Counts the connections of the partner listener. */
import { type MetricFamily, single } from './metric-family.ts';

export interface ConnectionMeter {
  open: number;
  /** Closed as they came, because as many were open as may be. */
  refused: number;
  /** Ended because the client took nothing of its answer. */
  cutUnread: number;
  /** Ended because too many requests waited on it. */
  cutPipelined: number;
}

export function createConnectionMeter(): ConnectionMeter {
  return { open: 0, refused: 0, cutUnread: 0, cutPipelined: 0 };
}

export function connectionFamilies(meter: ConnectionMeter): MetricFamily[] {
  return [
    {
      name: 'stayport_connections',
      help: 'Connections that are open on the partner listener.',
      type: 'gauge',
      read: single(() => meter.open),
    },
    {
      name: 'stayport_connections_refused_total',
      help: 'Connections that were closed as they came, because as many were open as may be.',
      type: 'counter',
      read: single(() => meter.refused),
    },
    {
      name: 'stayport_connections_cut_total',
      help: 'Connections that were ended because the client read nothing, or pipelined too much.',
      type: 'counter',
      *read() {
        yield { value: meter.cutUnread, labels: { reason: 'unread' } };
        yield { value: meter.cutPipelined, labels: { reason: 'pipelined' } };
      },
    },
  ];
}
