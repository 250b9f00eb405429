/** The bare server as the benchmark sees it. */
import { join } from 'node:path';
import type { RecordedAnswer } from '../load/recorded-answer.ts';
import { type Child, startChild } from '../machine/child.ts';
import type { Usage } from '../machine/diagnostics.ts';

/** Like the service's, so that both send the same Keep-Alive header. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

export interface BareHttp {
  readonly port: number;
  /** From now on it repeats these. */
  repeat(answers: readonly RecordedAnswer[]): Promise<void>;
  readonly usage: () => Promise<Usage>;
  stop(): Promise<void>;
}

export async function startBareHttp(): Promise<BareHttp> {
  const child: Child = startChild({
    role: 'server',
    name: 'bare node:http',
    args: [join(import.meta.dirname, 'bare-http-process.ts')],
  });
  return {
    port: await child.ask<number>('listen'),
    repeat: (answers) => child.ask('load', { answers, keepAliveTimeoutMs: KEEP_ALIVE_TIMEOUT_MS }),
    usage: () => child.ask<Usage>('usage'),
    stop: () => child.stop(),
  };
}
