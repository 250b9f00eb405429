/** Clients that ask one request after another while something goes wrong, and what they saw. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../kit/partner-client.ts';

/** What a client sees of a service whose database is away. */
export const UNAVAILABLE = '503 PARTNER_API_UNAVAILABLE';
/**
 * The service refuses a quote within a second, a page of texts once its two seconds to be read are over; the clients
 * share their machine with several services.
 */
const REFUSED_MS_MAX = 4_000;
/** After a connection that was refused, as any client would. */
const RETRY_PAUSE_MS = 20;

/** A load ends by itself when a failed test does not end it. */
const LOAD_MS_MAX = 90_000;

export interface Seen<Success = unknown> {
  /** Status and code, or `no answer` when the connection was refused or broke. */
  readonly outcome: string;
  /** By `performance.now()`. */
  readonly askedAtMs: number;
  readonly answeredAtMs: number;
  readonly answer: Answer<Success> | undefined;
}

export const NO_ANSWER = 'no answer';

export interface Load<Success> {
  /** All answers so far, in the order in which they came. */
  readonly seen: readonly Seen<Success>[];
  /** Resolves with all answers when the last one is there. */
  stop(): Promise<readonly Seen<Success>[]>;
}

/** `clientCount` clients that ask until stopped, each `pauseMs` after its last answer. */
export function startLoad<Success>(
  ask: () => Promise<Answer<Success>>,
  { clientCount, pauseMs = 0 }: { readonly clientCount: number; readonly pauseMs?: number },
): Load<Success> {
  const seen: Seen<Success>[] = [];
  let isStopped = false;
  const endsAtMs = performance.now() + LOAD_MS_MAX;
  async function askOneAfterAnother(): Promise<void> {
    while (!isStopped && performance.now() < endsAtMs) {
      const one = await see(ask);
      seen.push(one);
      await sleep(one.answer === undefined ? RETRY_PAUSE_MS : pauseMs);
    }
  }
  const underway = Promise.all(Array.from({ length: clientCount }, askOneAfterAnother));
  return {
    seen,
    async stop() {
      isStopped = true;
      await underway;
      return seen;
    },
  };
}

/** Asks once. An answer that is not as documented fails the test; no answer at all is one of the things to see. */
export async function see<Success>(ask: () => Promise<Answer<Success>>): Promise<Seen<Success>> {
  const askedAtMs = performance.now();
  try {
    const answer = await ask();
    return { outcome: answer.outcome, askedAtMs, answeredAtMs: performance.now(), answer };
  } catch (error) {
    if (!isConnectionError(error)) throw error;
    return { outcome: NO_ANSWER, askedAtMs, answeredAtMs: performance.now(), answer: undefined };
  }
}

/** How often each outcome was seen. */
export function countOutcomes(seen: readonly Seen[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { outcome } of seen) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** Nothing but these outcomes was seen, and each of them was. */
export function assertOutcomes(seen: readonly Seen[], expected: readonly string[]): void {
  const counts = countOutcomes(seen);
  assert.deepEqual(Object.keys(counts).toSorted(), [...expected].toSorted(), JSON.stringify(counts));
}

/** Of so many quotes one may be refused: on a busy machine the database answers later than a service waits. */
const REFUSED_ONE_IN = 50;

/** All quotes were created, but for the few that were refused in time. */
export function assertCreated(seen: readonly Seen[]): void {
  const { 201: created = 0, [UNAVAILABLE]: refused = 0, ...others } = countOutcomes(seen);
  const message = JSON.stringify(countOutcomes(seen));
  assert.deepEqual(others, {}, message);
  assert.ok(created > 0 && refused * REFUSED_ONE_IN <= seen.length, message);
}

/** Adds what clients saw to the report of the test. */
export function report(test: TestContext, what: string, seen: readonly Seen[]): void {
  const longestMs = Math.round(longestWaitMs(seen));
  test.diagnostic(`${what}: ${JSON.stringify(countOutcomes(seen))}, the longest took ${longestMs} ms`);
}

/** The longest wait for an answer, milliseconds. */
function longestWaitMs(seen: readonly Seen[]): number {
  return Math.max(...seen.map(({ askedAtMs, answeredAtMs }) => answeredAtMs - askedAtMs));
}

/** None of them waited too long. */
export function assertPrompt(seen: readonly Seen[], limitMs = REFUSED_MS_MAX): void {
  const longestMs = longestWaitMs(seen);
  assert.ok(longestMs < limitMs, `answered after ${longestMs} ms`);
}

/** Those with this outcome. */
export function withOutcome<Success>(
  seen: readonly Seen<Success>[],
  outcome: string,
): readonly Seen<Success>[] {
  return seen.filter((one) => one.outcome === outcome);
}

function isConnectionError(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code);
}
