/** Calls over real sockets to a server that answers as it is told, with a clock that moves by hand. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { StoredCalls } from '../../storage/connections/store.ts';
import { type CallerDeps, createCaller, NO_CALLS, WINDOW_WAIT_MS_MAX } from './account-caller.ts';
import { ConnectionFailure, type ConnectionKind } from './kinds/connection-kind.ts';

const START_MS = Date.UTC(2026, 10, 30, 12);
const WINDOW_MS = 60_000;
const REQUEST = { method: 'GET', path: '/rates', headers: { 'x-key': 'secret' } } as const;

let server: Server;
let origin: string;
let answer: { status: number; headers: Record<string, string>; body: string };
let received: number;
let nowMs: number;
let stored: StoredCalls;
let isOurs: boolean;

before(async () => {
  server = createServer((request, response) => {
    request.resume();
    received += 1;
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  answer = { status: 200, headers: {}, body: '{}' };
  received = 0;
  nowMs = START_MS;
  stored = NO_CALLS;
  isOurs = true;
});

const KIND: Pick<ConnectionKind, 'limit' | 'readLimit'> = {
  limit: { calls: 10, windowMs: WINDOW_MS },
  readLimit: (headers) => ({
    cost: headers['x-cost'] === undefined ? undefined : Number(headers['x-cost']),
    remaining: headers['x-left'] === undefined ? undefined : Number(headers['x-left']),
    resetsAtMs: headers['x-resets'] === undefined ? undefined : Number(headers['x-resets']),
  }),
};

/** A process: what it has stored is all that it knows of the calls before. */
function caller(changes: Partial<CallerDeps> = {}) {
  return createCaller(
    KIND,
    { origin, calls: stored },
    {
      allowsPrivate: true,
      clock: () => nowMs,
      async saveCalls(calls) {
        stored = calls;
      },
      renew: () => Promise.resolve(isOurs),
      async sleep(ms) {
        nowMs += ms;
      },
      ...changes,
    },
  );
}

async function failureOf(work: Promise<unknown>): Promise<ConnectionFailure> {
  const failure = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(failure instanceof ConnectionFailure, String(failure));
  assert.doesNotMatch(JSON.stringify(failure.wrong), /secret/);
  return failure;
}

describe('Calls to a provider', () => {
  it('are half of what it allows, in any window, over restarts', async () => {
    const times: number[] = [];
    for (let process = 0; process < 4; process += 1) {
      const call = caller();
      for (let count = 0; count < 4; count += 1) {
        await call(REQUEST);
        times.push(nowMs);
      }
    }
    for (const [index, time] of times.entries()) {
      const within = times.slice(index).filter((other) => other < time + WINDOW_MS).length;
      assert.ok(within <= 10, `${within} calls within the window from call ${index}`);
    }
    const byWindow = Map.groupBy(times, (time) => time);
    assert.deepEqual(
      [...byWindow.values()].map((own) => own.length),
      [5, 5, 5, 1],
    );
  });

  it('are not more after a clock that goes back, and wait a window then, not until the time it had shown', async () => {
    const call = caller();
    for (let count = 0; count < 5; count += 1) await call(REQUEST);
    nowMs -= 365 * 86_400_000;
    const backMs = nowMs;
    assert.equal((await caller()(REQUEST)).status, 200);
    assert.equal(nowMs, backMs + WINDOW_MS);
    stored = { ...stored, notBeforeMs: nowMs + 365 * 86_400_000 };
    assert.equal((await caller()(REQUEST)).status, 200);
  });

  it('cost what the answer says, and end where it says that none is left', async () => {
    answer.headers = { 'x-cost': '4.5' };
    const call = caller();
    await call(REQUEST);
    assert.equal(stored.used, 5);
    answer.headers = {};
    await call(REQUEST);
    assert.equal(nowMs, START_MS + WINDOW_MS, 'the second one waited for the next window');
    const resetsAtMs = nowMs + 90_000;
    answer.headers = { 'x-left': '0', 'x-resets': String(resetsAtMs) };
    await call(REQUEST);
    answer.headers = {};
    await caller()(REQUEST);
    assert.ok(nowMs >= resetsAtMs);
  });

  it('end with a refusal for too many, and are not tried before its wait is over', async () => {
    answer = { status: 429, headers: { 'retry-after': '3600' }, body: '' };
    const refused = await failureOf(caller()(REQUEST));
    assert.deepEqual([refused.wrong.code, refused.retryAfterMs], ['callsRefused', 3_600_000]);
    answer = { status: 200, headers: {}, body: '{}' };
    const early = await failureOf(caller()(REQUEST));
    assert.ok(early.retryAfterMs! > WINDOW_WAIT_MS_MAX);
    assert.equal(received, 1);
    nowMs += 3_600_000;
    assert.equal((await caller()(REQUEST)).status, 200);
  });

  it('are tried again within a day, whatever the answer says', async () => {
    const farMs = String(nowMs + 900 * 365 * 86_400_000);
    answer = { status: 429, headers: { 'x-left': '0', 'x-resets': farMs }, body: '' };
    assert.equal((await failureOf(caller()(REQUEST))).retryAfterMs, 86_400_000);
    answer = { status: 200, headers: {}, body: '{}' };
    nowMs += 86_400_000;
    assert.equal((await caller()(REQUEST)).status, 200);
  });

  it('end when another has the account', async () => {
    const call = caller();
    for (let count = 0; count < 5; count += 1) await call(REQUEST);
    isOurs = false;
    assert.equal((await failureOf(call(REQUEST))).wrong.code, 'claimLost');
    assert.equal(received, 5);
  });

  it('follow no redirect, and take no other encoding and nothing too large', async () => {
    answer = { status: 302, headers: { location: '/secret-place' }, body: '' };
    assert.equal((await failureOf(caller()(REQUEST))).wrong.code, 'providerRedirects');
    assert.equal(received, 1);
    answer = { status: 200, headers: { 'content-encoding': 'gzip' }, body: '{}' };
    assert.equal((await failureOf(caller()(REQUEST))).wrong.code, 'compressed');
    answer = { status: 200, headers: {}, body: ' '.repeat(33 * 1024 * 1024) };
    assert.equal((await failureOf(caller()(REQUEST))).wrong.code, 'answerLarge');
  });

  it('go to public addresses alone, unless the setting allows others', async () => {
    const failure = await failureOf(caller({ allowsPrivate: false })(REQUEST));
    assert.deepEqual([failure.wrong.code, received], ['addressPrivate', 0]);
  });
});
