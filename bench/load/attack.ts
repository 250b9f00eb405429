/** The process of an attacker as the benchmark sees it. */
import { join } from 'node:path';
import { type Child, startChild } from '../machine/child.ts';

export interface AttackOrder {
  readonly port: number;
  /** Of the request, with its empty line; it asks for the connection to be closed. */
  readonly head: string;
  readonly body?: string | Uint8Array;
  readonly connections: number;
  readonly seconds: number;
}

export interface Attacker {
  /** Answers how many requests were made. */
  attack(order: AttackOrder): Promise<number>;
  stop(): Promise<void>;
}

export function startAttacker(): Attacker {
  const child: Child = startChild({
    role: 'load',
    name: 'attacker',
    args: [join(import.meta.dirname, 'attack-process.ts')],
  });
  return {
    attack: (order) => child.ask<number>('attack', order),
    stop: () => child.stop(),
  };
}
