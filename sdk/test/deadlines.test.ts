/** What ends a call, whatever the service does and however often garbage is collected. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ConnectionError, Stayport } from '../src/index.ts';
import { failureOf } from './failure-of.ts';
import { collectGarbage, startTricklingServer, type TricklingServer } from './trickling-server.ts';

const TIMEOUT_MS = 1_000;
/** Of an event loop that is busy with garbage, on a small machine. */
const MARGIN_MS = 1_500;

let server: TricklingServer;
let client: Stayport;
let stopCollecting: () => void;
before(async () => {
  server = await startTricklingServer();
  client = new Stayport({ baseUrl: server.url, token: 'x', timeout: TIMEOUT_MS, maxRetries: 0 });
  stopCollecting = collectGarbage();
});
after(async () => {
  stopCollecting();
  await server.close();
});

describe('An answer that never ends, under garbage collections', () => {
  for (const propertyId of ['h-1', 'silent']) {
    it(`${propertyId}: is given up after the timeout, and its connection is closed`, async () => {
      assert.equal(await codeWithin(TIMEOUT_MS, client.properties.get(propertyId)), 'TIMEOUT');
      await until(() => server.openCount() === 0);
    });

    it(`${propertyId}: is given up when its signal says so`, async () => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), TIMEOUT_MS / 2);
      const call = client.properties.get(propertyId, { signal: controller.signal });
      assert.equal(await codeWithin(TIMEOUT_MS / 2, call), 'ABORTED');
      await until(() => server.openCount() === 0);
    });

    it(`${propertyId}: is given up when a signal that nobody else holds says so`, async () => {
      const call = client.properties.get(propertyId, { signal: AbortSignal.timeout(TIMEOUT_MS / 2) });
      assert.equal(await codeWithin(TIMEOUT_MS / 2, call), 'ABORTED');
    });
  }
});

describe('One signal of many calls', () => {
  it('ends them all, and Node.js warns of no leak', async () => {
    const warnings: Error[] = [];
    const keep = (warning: Error): unknown => warnings.push(warning);
    process.on('warning', keep);
    const controller = new AbortController();
    const options = { signal: controller.signal };
    const calls = Array.from({ length: 20 }, () => failureOf(client.properties.get('silent', options)));
    setTimeout(() => controller.abort(), 100);
    for (const error of await Promise.all(calls)) assert.equal(error.code, 'ABORTED');
    process.off('warning', keep);
    assert.deepEqual(
      warnings.filter(({ name }) => name === 'MaxListenersExceededWarning'),
      [],
    );
  });
});

/** The code that a call fails with; a call that goes on for longer is a failure of the test. */
async function codeWithin(ms: number, call: Promise<unknown>): Promise<string> {
  const startMs = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`still waiting after ${ms + MARGIN_MS} ms`)), ms + MARGIN_MS);
  });
  try {
    const error = await Promise.race([failureOf(call), late]);
    assert.ok(error instanceof ConnectionError, error.name);
    assert.ok(performance.now() - startMs >= ms / 2);
    return error.code;
  } finally {
    clearTimeout(timer);
  }
}

async function until(isDone: () => boolean): Promise<void> {
  for (let round = 0; !isDone(); round += 1) {
    if (round === 100) assert.fail('the connection is still open after a second');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
