/** `serve` with WORKERS above 1: several processes that partners and operators see as one. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningServer, startServer, until, Workplace } from './kit/command-line.ts';
import { askAtOnce, askOnce, countOf, keepAsking } from './kit/many-requests.ts';

const IS_WINDOWS = process.platform === 'win32';
const REPLACED_MS_MAX = 20_000;

describe('Several workers', () => {
  const workplace = new Workplace({ WORKERS: '2', INGRESS_LIMIT: '0' });
  let server: RunningServer;
  /** Issued before the start, so that every worker knows them. */
  const tokens = { usual: '', roomy: '' };
  before(async () => {
    await workplace.run(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
    const issue = ['credential', 'issue', '--partner', 'acme'];
    tokens.usual = (await workplace.json(issue)).token;
    tokens.roomy = (await workplace.json([...issue, '--quota', '100000'])).token;
    server = await startServer(workplace);
  });
  after(async () => workplace.remove());

  it('let exactly the quota of many requests at once pass', async () => {
    const answers = await askAtOnce([server.partnerUrl], tokens.usual, 121);
    assert.deepEqual([countOf(answers, 200), countOf(answers, 429)], [120, 1]);
    const passed = answers.filter(({ status }) => status === 200).map(({ remaining }) => remaining);
    assert.equal(new Set(passed).size, 120, 'each one sees another number');
    assert.equal(new Set(answers.map(({ reset }) => reset)).size, 1, 'all see the same end');
    const refused = answers.find(({ status }) => status === 429);
    assert.ok(refused !== undefined && refused.retryAfter >= 50 && refused.retryAfter <= 60);
  });

  it('are all asked for the metrics, and the sum does not fall when one is replaced', async () => {
    await askAtOnce([server.partnerUrl], tokens.roomy, 40);
    const before = await metric('stayport_requests_total');
    assert.ok(before >= 40, `${before} requests`);
    assert.equal(await metric('stayport_workers'), 2);
    await killFirst();
    assert.ok((await metric('stayport_requests_total')) >= before);
    await until(async () => (await metric('stayport_workers')) === 2, REPLACED_MS_MAX);
    assert.ok((await metric('stayport_requests_total')) >= before);
    assert.equal(await metric('stayport_worker_restarts_total'), 1);
  });

  it('go on when one is killed under load: the quota goes on too, and the worker is replaced', async (context) => {
    const asking = keepAsking(context, server.partnerUrl, tokens.roomy, 8);
    await until(async () => asking.statuses.length > 200);
    const before = await askOnce(server.partnerUrl, tokens.roomy);
    await killFirst();
    await until(async () => (await metric('stayport_workers')) === 2, REPLACED_MS_MAX);
    const servedCount = asking.statuses.length;
    await until(async () => asking.statuses.length > servedCount + 200);
    const afterwards = await askOnce(server.partnerUrl, tokens.roomy);
    const { statuses, broken } = await asking.stop();
    assert.deepEqual([...new Set(statuses)], [200], 'whoever got an answer got the right one');
    assert.ok(broken.length <= 8, `no more than the killed worker had: ${broken.join()}`);
    assert.equal(afterwards.reset, before.reset);
    assert.ok(before.remaining - afterwards.remaining > 200, 'no count was lost');
    assert.equal((await fetch(`${server.operatorUrl}/readyz`)).status, 200);
  });

  it('name themselves in the log', () => {
    const lines = server.printed.stderr.trimEnd().split('\n');
    const workers = lines.map((line) => (JSON.parse(line) as { worker?: number }).worker);
    assert.deepEqual([...new Set(workers)].sort(), [1, 2, undefined]);
  });

  it(
    'end with SIGTERM after what is in flight is answered, with exit code 0',
    { skip: IS_WINDOWS },
    async () => {
      const pids = workerPids().values();
      const slow = await Promise.all(Array.from({ length: 8 }, () => startSlowRequest()));
      server.child.kill('SIGTERM');
      await until(async () => server.printed.stderr.includes('"stopping"'));
      await sleep(100);
      const statuses = await Promise.all(slow.map((finish) => finish()));
      const ended = await server.ended;
      assert.deepEqual(
        statuses,
        Array.from({ length: 8 }, () => 404),
      );
      assert.deepEqual([ended.code, ended.signal], [0, null]);
      for (const pid of pids) assert.throws(() => process.kill(pid, 0), 'the worker is gone');
      assert.match(ended.stderr, /"stopped"/);
    },
  );

  /** A quote request for an unknown property whose body ends only with the call that it returns. */
  async function startSlowRequest(): Promise<() => Promise<number>> {
    const body =
      '{"propertyId":"x","stay":{"checkIn":"2030-01-01","checkOut":"2030-01-02","guests":1},"locale":"it-IT"}';
    const headers = {
      authorization: `Bearer ${tokens.roomy}`,
      'content-type': 'application/json',
      'content-length': body.length,
    };
    const sending = request(`${server.partnerUrl}/v1/quotes`, { method: 'POST', agent: false, headers });
    const status = once(sending, 'response').then(([response]) => {
      response.resume();
      return response.statusCode as number;
    });
    sending.write(body.slice(0, 10));
    await once(sending, 'socket');
    await sleep(100);
    return async () => {
      sending.end(body.slice(10));
      return await status;
    };
  }

  async function metric(name: string): Promise<number> {
    const text = await (await fetch(`${server.operatorUrl}/metrics`)).text();
    const values = text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
    return values.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
  }

  /** Of the workers that run now, by number. */
  function workerPids(): Map<number, number> {
    const lines = server.printed.stderr.split('\n').filter((line) => line.endsWith('"worker started"}'));
    const started = lines.map((line) => JSON.parse(line) as { worker: number; pid: number });
    return new Map(started.map(({ worker, pid }) => [worker, pid]));
  }

  async function killFirst(): Promise<void> {
    const pid = workerPids().get(1)!;
    process.kill(pid, 'SIGKILL');
    await until(async () => workerPids().get(1) !== pid, REPLACED_MS_MAX);
  }
});

describe('The start of several workers', () => {
  const workplace = new Workplace({ WORKERS: '2', LOG_LEVEL: 'warn' });
  after(async () => workplace.remove());

  it('fails in one line that names the port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const ended = await workplace.run(['serve'], { env: { PORT: String(port), OPERATOR_PORT: '0' } });
    other.close();
    assert.equal(ended.code, 1);
    assert.match(ended.stderr, new RegExp(`^stayport: PORT: 127\\.0\\.0\\.1:${port} [^\n]+\n$`));
  });

  it('takes one worker per core with "auto"', async () => {
    const server = await startServer(workplace, { WORKERS: 'auto', LOG_LEVEL: 'info' });
    server.child.kill('SIGTERM');
    const { stderr } = await server.ended;
    const started = stderr.split('\n').filter((line) => line.endsWith('"worker started"}'));
    const expected = availableParallelism();
    assert.equal(started.length, expected === 1 ? 0 : expected);
  });
});
