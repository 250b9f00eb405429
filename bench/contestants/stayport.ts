/**
 * The service itself, started as its operators start it: `bin/stayport serve` on free ports, with the ingress limit
 * off because all load comes from one address, and only errors logged. Nothing else differs from the defaults.
 */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Child, startChild } from '../machine/child.ts';
import type { Usage } from '../machine/diagnostics.ts';
import type { Role } from '../machine/pinning.ts';

export const STAYPORT = join(import.meta.dirname, '..', '..', 'bin', 'stayport');
const PRELOAD = new URL('../machine/diagnostics-preload.ts', import.meta.url).href;
const READY_POLL_MS = 20;

export interface RunningStayport {
  readonly child: Child;
  readonly port: number;
  readonly operatorPort: number;
  /** Of the web listener; 0 where there is none. */
  readonly webPort: number;
  /** From the start of the process to the first `/readyz` that says 200. */
  readonly readySeconds: number;
  /** Of all its threads together. */
  readonly usage: () => Promise<Usage>;
  stop(): Promise<void>;
}

export interface StayportOptions {
  readonly databaseUrl: string;
  /** Working directory: one without a `.env`. */
  readonly folder: string;
  readonly readyWithinSeconds: number;
  /** `WORKERS`; one when absent. */
  readonly workers?: number;
  /** Where it runs; on the server's core when absent. */
  readonly role?: Role;
  /** Loaded into it instead of the benchmark's own diagnostics. */
  readonly preload?: string;
  /** Settings that a section is about. */
  readonly environment?: Readonly<Record<string, string>>;
}

export async function startStayport(options: StayportOptions): Promise<RunningStayport> {
  const startedAtMs = performance.now();
  const child = startChild({
    role: options.role ?? 'server',
    name: 'stayport',
    args: ['--import', options.preload ?? PRELOAD, STAYPORT, 'serve', '--json'],
    cwd: options.folder,
    environment: {
      NODE_ENV: 'production',
      DATABASE_URL: options.databaseUrl,
      HOST: '127.0.0.1',
      PORT: '0',
      OPERATOR_HOST: '127.0.0.1',
      OPERATOR_PORT: '0',
      // Plain HTTP in the sections that set a port.
      WEB_PORT: 'off',
      HANDOFF_BASE_URL: 'https://localhost:8443/handoff',
      INGRESS_LIMIT: '0',
      WORKERS: String(options.workers ?? 1),
      // Being asked whether it is ready before it is would be logged each time.
      LOG_LEVEL: 'error',
      ...options.environment,
    },
  });
  try {
    const { partnerUrl, operatorUrl, webUrl } = JSON.parse(await child.readLine()) as Urls;
    await untilReady(operatorUrl, startedAtMs + options.readyWithinSeconds * 1000);
    return {
      child,
      port: Number(new URL(partnerUrl).port),
      operatorPort: Number(new URL(operatorUrl).port),
      webPort: webUrl === undefined ? 0 : Number(new URL(webUrl).port),
      readySeconds: (performance.now() - startedAtMs) / 1000,
      usage: () => child.ask<Usage>('usage'),
      stop: () => child.stop(),
    };
  } catch (error) {
    await child.stop();
    throw error;
  }
}

interface Urls {
  readonly partnerUrl: string;
  readonly operatorUrl: string;
  readonly webUrl?: string;
}

async function untilReady(operatorUrl: string, deadlineMs: number): Promise<void> {
  while (performance.now() < deadlineMs) {
    const response = await fetch(`${operatorUrl}/readyz`);
    await response.arrayBuffer();
    if (response.status === 200) return;
    await delay(READY_POLL_MS);
  }
  throw new Error('the service was not ready in time');
}
