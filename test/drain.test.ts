/** DRAIN_SECONDS: a balancer learns that the process will stop, and nobody is refused meanwhile. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startServer, until, Workplace } from './kit/command-line.ts';

const DRAIN_SECONDS = 1;
const IS_WINDOWS = process.platform === 'win32';

describe('After SIGTERM', { skip: IS_WINDOWS }, () => {
  const workplace = new Workplace({ DRAIN_SECONDS: String(DRAIN_SECONDS), INGRESS_LIMIT: '0' });
  after(async () => workplace.remove());

  for (const workers of process.platform === 'linux' ? ['1', '2'] : ['1']) {
    it(`/readyz is 503, and everything else is answered for DRAIN_SECONDS (workers: ${workers})`, async () => {
      const server = await startServer(workplace, { WORKERS: workers });
      const stoppedAtMs = performance.now();
      server.child.kill('SIGTERM');
      await until(async () => (await statusOf(`${server.operatorUrl}/readyz`)) === 503);
      assert.ok(performance.now() - stoppedAtMs < DRAIN_SECONDS * 1000, 'at once');
      // Each one on a connection of its own: the listener still accepts.
      const closing = { headers: { connection: 'close' } };
      let answeredCount = 0;
      while (performance.now() - stoppedAtMs < DRAIN_SECONDS * 800) {
        assert.equal(await statusOf(`${server.partnerUrl}/v1/properties?city=x`, closing), 401);
        assert.equal(await statusOf(`${server.operatorUrl}/readyz`, closing), 503);
        answeredCount += 1;
      }
      assert.ok(answeredCount > 0);
      const { code, signal } = await server.ended;
      assert.deepEqual([code, signal], [0, null]);
      assert.ok(performance.now() - stoppedAtMs >= DRAIN_SECONDS * 1000);
    });
  }
});

async function statusOf(url: string, init: RequestInit = {}): Promise<number> {
  const response = await fetch(url, init);
  await response.bytes();
  return response.status;
}
