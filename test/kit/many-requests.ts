/** Many requests at once, each on a connection of its own, so that they reach every process behind an address. */
import { request } from 'node:http';
import type { TestContext } from 'node:test';

/** Asking stops here if a failed test does not stop it. */
const ASKING_MS_MAX = 90_000;

export interface LimitedAnswer {
  readonly status: number;
  readonly remaining: number;
  /** Unix seconds. */
  readonly reset: number;
  /** Seconds; NaN where the header is absent. */
  readonly retryAfter: number;
}

/** The longest wait for a server. */
const HANG_MS = 10_000;

/** Rejects when the connection breaks, and when nothing comes. */
export function askOnce(url: string, token: string, path = '/v1/properties?city=x'): Promise<LimitedAnswer> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const sending = request(`${url}${path}`, { agent: false, headers }, (response) => {
      response.resume().on('error', reject);
      response.on('end', () => {
        const header = (name: string): number => Number(response.headers[name] ?? Number.NaN);
        resolve({
          status: response.statusCode ?? 0,
          remaining: header('x-ratelimit-remaining'),
          reset: header('x-ratelimit-reset'),
          retryAfter: header('retry-after'),
        });
      });
    });
    sending.setTimeout(HANG_MS, () => sending.destroy(new Error(`no answer within ${HANG_MS} ms`)));
    sending.on('error', reject).end();
  });
}

/** `count` requests at the same time, spread evenly over the addresses. */
export async function askAtOnce(
  urls: readonly string[],
  token: string,
  count: number,
): Promise<LimitedAnswer[]> {
  return await Promise.all(
    Array.from({ length: count }, (_, index) => askOnce(urls[index % urls.length]!, token)),
  );
}

export function countOf(answers: readonly LimitedAnswer[], status: number): number {
  return answers.filter((answer) => answer.status === status).length;
}

/** Asks repeatedly until it is stopped or the test ends; returns the outcomes. */
export function keepAsking(
  context: TestContext,
  url: string,
  token: string,
  connectionCount: number,
): Asking {
  const statuses: number[] = [];
  const broken: string[] = [];
  let slowestMs = 0;
  let isStopped = false;
  const endsAtMs = performance.now() + ASKING_MS_MAX;
  const ask = async (): Promise<void> => {
    while (!isStopped && performance.now() < endsAtMs) {
      const askedAtMs = performance.now();
      try {
        statuses.push((await askOnce(url, token)).status);
        slowestMs = Math.max(slowestMs, performance.now() - askedAtMs);
      } catch (error) {
        broken.push(String(error));
      }
    }
  };
  context.after(() => {
    isStopped = true;
  });
  const ended = Promise.all(Array.from({ length: connectionCount }, ask));
  return {
    statuses,
    slowestMs: () => slowestMs,
    async stop() {
      isStopped = true;
      await ended;
      return { statuses, broken };
    },
  };
}

export interface Asking {
  /** All statuses so far. */
  readonly statuses: readonly number[];
  /** The longest that an answer took. */
  slowestMs(): number;
  stop(): Promise<{ readonly statuses: readonly number[]; readonly broken: readonly string[] }>;
}
