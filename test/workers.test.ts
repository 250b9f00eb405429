/** `serve` with WORKERS above 1: several threads that partners and operators see as one. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { canSharePorts } from '../src/app/workers/claimed-ports.ts';
import { daysAhead, hotelWith, inCity, nights, openNow } from './kit/catalogue-lines.ts';
import { firstLine, type RunningServer, startServer, until, Workplace } from './kit/command-line.ts';
import { WorkplaceHere } from './kit/commands-here.ts';
import { askAtOnce, askOnce, countOf, keepAsking } from './kit/many-requests.ts';
import { reservePort } from './kit/reserved-port.ts';

/** macOS and Windows refuse several workers, which a test of `decideWorkerCount` shows. */
const CAN_SHARE_PORTS = await canSharePorts();
const MORTAL = pathToFileURL(join(import.meta.dirname, 'kit', 'processes', 'mortal-worker.ts')).href;
const REPLACED_MS_MAX = 20_000;
/** Between two questions, so that the thread that they wait for gets the processor. */
const PAUSE_MS = 20;
/** Of a refusal that only means a late event loop. */
const OVERLOADED = 'The service has more requests than it can answer.';

describe('Several workers', { skip: !CAN_SHARE_PORTS }, () => {
  const workplace = new WorkplaceHere({
    WORKERS: '2',
    INGRESS_LIMIT: '0',
    NODE_OPTIONS: `--import=${MORTAL}`,
  });
  let server: RunningServer;
  /** Issued before the start, so that every worker knows them. */
  const tokens = { usual: '', roomy: '' };
  let startedAtMs = 0;
  before(async () => {
    await workplace.run(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
    const issue = ['credential', 'issue', '--partner', 'acme'];
    tokens.usual = (await workplace.json(issue)).token;
    tokens.roomy = (await workplace.json([...issue, '--quota', '100000'])).token;
    startedAtMs = performance.now();
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
    await endFirst();
    assert.ok((await metric('stayport_requests_total')) >= before);
    await until(async () => (await metric('stayport_workers')) === 2, REPLACED_MS_MAX);
    assert.ok((await metric('stayport_requests_total')) >= before);
    assert.equal(await metric('stayport_worker_restarts_total'), 1);
  });

  it('go on when one fails under load: the quota goes on too, and the worker is replaced', async (context) => {
    const asking = keepAsking(context, server.partnerUrl, tokens.roomy, 8);
    await until(async () => asking.statuses.length > 200);
    const before = await askOnce(server.partnerUrl, tokens.roomy);
    await endFirst();
    await until(async () => (await metric('stayport_workers')) === 2, REPLACED_MS_MAX);
    const servedCount = asking.statuses.length;
    await until(async () => asking.statuses.length > servedCount + 200);
    const afterwards = await askOnce(server.partnerUrl, tokens.roomy);
    const { statuses, broken } = await asking.stop();
    assert.deepEqual([...new Set(statuses)], [200], 'every answer was the right one');
    assert.ok(broken.length <= 8, `no more than the worker that failed had: ${broken.join()}`);
    assert.equal(afterwards.reset, before.reset);
    assert.ok(before.remaining - afterwards.remaining > 200, 'no count was lost');
    assert.equal((await fetch(`${server.operatorUrl}/readyz`)).status, 200);
  });

  it('name themselves in the log', () => {
    const lines = server.printed.stderr.trimEnd().split('\n');
    const workers = lines.map((line) => (JSON.parse(line) as { worker?: number }).worker);
    assert.deepEqual([...new Set(workers)].sort(), [1, 2, undefined]);
  });

  it('tell of the process once: its processor time is not that of each worker', async () => {
    const text = await (await fetch(`${server.operatorUrl}/metrics`)).text();
    assert.equal(text.match(/^process_cpu_seconds_total /gm)?.length, 1);
    const cpuSeconds = await metric('process_cpu_seconds_total');
    const upSeconds = (performance.now() - startedAtMs) / 1000;
    assert.ok(cpuSeconds > 0 && cpuSeconds < upSeconds * availableParallelism(), `${cpuSeconds} s`);
  });

  it('tell of the memory of the catalogue once, and of the part of it that is free', async () => {
    const bytes = await metric('stayport_catalogue_memory_bytes');
    const freeBytes = await metric('stayport_catalogue_memory_free_bytes');
    assert.ok(freeBytes > 0 && freeBytes < bytes, `${freeBytes} of ${bytes} bytes are free`);
  });

  it('end with SIGTERM after what is in flight is answered, with exit code 0', async () => {
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
    assert.match(ended.stderr, /"stopped"/);
  });

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

  /** Resolves when the primary thread has noticed. */
  async function endFirst(): Promise<void> {
    const endedCount = (): number =>
      server.printed.stderr.split('"worker ended: starting a replacement"').length;
    const before = endedCount();
    server.child.kill('SIGUSR2');
    await until(async () => endedCount() > before, REPLACED_MS_MAX);
  }
});

describe('Any dates, with WORKERS=4', { skip: !CAN_SHARE_PORTS }, () => {
  const workplace = new WorkplaceHere({ WORKERS: '4', INGRESS_LIMIT: '0' });
  let server: RunningServer;
  let token = '';
  before(async () => {
    const priced = (index: number) =>
      Array.from({ length: 25 }, (_, day) =>
        nights(daysAhead(day + 1), daysAhead(day + 1), {
          availability: (index * day) % 7 === 3 ? 0 : 2,
          rate: `${80 + ((index * 31 + day * 17) % 60)}.00`,
        }),
      );
    const lines = Array.from({ length: 30 }, (_, index) => hotelWith(`hotel-${index}`, priced(index)));
    const input = lines.map((line) => JSON.stringify(line)).join('\n');
    await workplace.run(['import', 'catalogue', '-'], { input });
    await workplace.run(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
    const scopes = ['--scope', 'prices:read'];
    const issue = ['credential', 'issue', '--partner', 'acme', '--quota', '100000', ...scopes];
    ({ token } = await workplace.json(issue));
    server = await startServer(workplace);
  });
  after(async () => workplace.remove());

  interface Found {
    readonly items: { propertyId: string; stay: { checkIn: string }; pricing: { total: string } | null }[];
  }
  const ask = async (path: string): Promise<Found['items']> => {
    // Another connection each time: they are spread over the threads.
    const headers = { authorization: `Bearer ${token}`, connection: 'close' };
    const answer = await fetch(`${server.partnerUrl}/prices/v1/${path}`, { headers });
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    return (JSON.parse(text) as Found).items;
  };
  const nameBest = ({ propertyId, stay: { checkIn }, pricing }: Found['items'][number]) =>
    [propertyId, { checkIn, total: Number(pricing?.total) }] as const;
  const COMMON = 'city=Venezia&guests=2&sort=total&pageSize=50';

  it('are the best of single searches, in each thread and beside changes', async () => {
    const best = new Map<string, { checkIn: string; total: number }>();
    for (let day = 1; day <= 20; day += 1) {
      const [checkIn, checkOut] = [daysAhead(day), daysAhead(day + 3)];
      for (const { propertyId, pricing } of await ask(
        `stays?${COMMON}&checkIn=${checkIn}&checkOut=${checkOut}`,
      )) {
        const total = Number(pricing?.total ?? Number.NaN);
        if (total < (best.get(propertyId)?.total ?? Infinity)) best.set(propertyId, { checkIn, total });
      }
    }
    assert.ok(best.size >= 20, `${best.size} properties`);
    const elsewhere = (round: number) => openNow(`elsewhere-${round}`, inCity('Padova'));
    const changing = workplace.run(['import', 'catalogue', '-'], {
      input: Array.from({ length: 50 }, (_, round) => JSON.stringify(elsewhere(round))).join('\n'),
    });
    const window = `checkInFrom=${daysAhead(1)}&checkInUntil=${daysAhead(20)}&nights=3`;
    for (let round = 0; round < 24; round += 1) {
      const answers = await Promise.all([1, 2, 3, 4].map(() => ask(`flexible-stays?${COMMON}&${window}`)));
      for (const items of answers) assert.deepEqual(new Map(items.map(nameBest)), best);
    }
    await changing;
  });
});

for (const workers of CAN_SHARE_PORTS ? ['1', '2'] : ['1']) {
  describe(`The thread for long questions, with WORKERS=${workers}`, () => {
    const workplace = new WorkplaceHere({
      WORKERS: workers,
      INGRESS_LIMIT: '0',
      DRAIN_SECONDS: '0',
      NODE_OPTIONS: `--import=${MORTAL}`,
      WORKER_ENDS_BY: 'reader',
    });
    let server: RunningServer;
    const tokens: string[] = [];
    before(async () => {
      const line = (index: number) =>
        hotelWith(`hotel-${index}`, [
          nights(daysAhead(1), daysAhead(60), { availability: 2, rate: `${80 + (index % 60)}.00` }),
        ]);
      const input = Array.from({ length: 400 }, (_, index) => JSON.stringify(line(index))).join('\n');
      await workplace.run(['import', 'catalogue', '-'], { input });
      await workplace.run(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
      for (let count = 0; count < 2; count += 1) {
        const issue = ['credential', 'issue', '--partner', 'acme', '--quota', '100000'];
        tokens.push(
          (await workplace.json([...issue, '--scope', 'prices:read', '--scope', 'properties:read'])).token,
        );
      }
      server = await startServer(workplace);
    });
    after(async () => workplace.remove());

    const WINDOW = `checkInFrom=${daysAhead(1)}&checkInUntil=${daysAhead(50)}&nights=3&maxNights=9`;
    const LONG = `/prices/v1/flexible-stays?city=Venezia&guests=2&${WINDOW}`;
    const ask = (path: string, token: string): Promise<Response> =>
      fetch(`${server.partnerUrl}${path}`, { headers: { authorization: `Bearer ${token}` } });
    const askLong = (token: string): Promise<Response> => ask(LONG, token);

    it('is in turn for a second credential beside a crowd of the first', async () => {
      const order: string[] = [];
      const note = (who: string) => async (response: Response) => {
        await response.text();
        order.push(`${who} ${response.status}`);
      };
      const crowd = Array.from({ length: 50 }, () => askLong(tokens[0]!).then(note('crowd')));
      // The first of them have been answered.
      await until(async () => order.length >= 2);
      const other = askLong(tokens[1]!).then(note('other'));
      await Promise.all([...crowd, other]);
      assert.deepEqual([...new Set(order)].toSorted(), ['crowd 200', 'other 200']);
      assert.ok(order.indexOf('other 200') < 40, order.join());
    });

    it('is replaced when it ends in the middle, and nothing else notices', async () => {
      const before = await (await askLong(tokens[0]!)).text();
      const isReplaced = (): boolean => server.printed.stderr.includes('the thread for long questions ended');
      let isOver = false;
      const seen = new Map<number, number>();
      const asking = Array.from({ length: 8 }, async () => {
        while (!isOver) {
          const answer = await askLong(tokens[0]!);
          const text = await answer.text();
          seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
          if (answer.status === 200) assert.equal(text, before);
          else assert.ok(Number(answer.headers.get('retry-after')) > 0, text);
        }
      });
      await until(async () => (seen.get(200) ?? 0) > 3);
      server.child.kill('SIGUSR2');
      await until(async () => isReplaced(), REPLACED_MS_MAX);
      const status = (await ask('/v1/properties?city=Venezia', tokens[1]!)).status;
      const answered = seen.get(200)!;
      await until(async () => seen.get(200)! > answered + 3, REPLACED_MS_MAX);
      isOver = true;
      await Promise.all(asking);
      assert.equal(status, 200);
      assert.ok((seen.get(503) ?? 0) <= 1, 'no more than the one that it had');
      assert.deepEqual(
        [...seen.keys()].filter((one) => one !== 200 && one !== 503),
        [],
      );
    });

    it('leaves a full queue at SIGTERM: each question has its answer, or 503', async () => {
      const waiting = Array.from({ length: 60 }, () => askLong(tokens[0]!));
      await Promise.race(waiting);
      server.child.kill('SIGTERM');
      const statuses = (await Promise.all(waiting)).map(({ status }) => status);
      assert.deepEqual(
        [...new Set(statuses)].filter((one) => one !== 200 && one !== 503),
        [],
      );
      assert.equal((await server.ended).code, 0);
    });
  });
}

describe('The start of several workers', { skip: !CAN_SHARE_PORTS }, () => {
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

  it('fails where another installation serves on the port, with however many workers', async (context) => {
    const first = await startServer(workplace);
    context.after(() => first.child.kill('SIGKILL'));
    const { port } = new URL(first.partnerUrl);
    for (const WORKERS of ['2', '1']) {
      const ended = await workplace.run(['serve'], { env: { PORT: port, OPERATOR_PORT: '0', WORKERS } });
      assert.equal(ended.code, 1, WORKERS);
      assert.match(ended.stderr, new RegExp(`^stayport: PORT: 127\\.0\\.0\\.1:${port} is taken [^\n]+\n$`));
    }
    assert.equal((await fetch(`${first.operatorUrl}/readyz`)).status, 200);
  });

  it('succeeds for one of two installations that start on one port at the same moment', async (context) => {
    const reserved = await reservePort();
    const env = { PORT: String(reserved.port), OPERATOR_PORT: '0' };
    const both = [1, 2].map(() => workplace.start(['serve', '--json'], { env }));
    context.after(async () => {
      for (const { child } of both) child.kill('SIGKILL');
      await reserved.release();
    });
    const outcomes = await Promise.allSettled(both.map(firstLine));
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
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

for (const workers of CAN_SHARE_PORTS ? ['1', '2'] : ['1']) {
  describe(`The thread of the catalogue, with WORKERS=${workers}`, () => {
    const workplace = new WorkplaceHere({
      WORKERS: workers,
      INGRESS_LIMIT: '0',
      NODE_OPTIONS: `--import=${MORTAL}`,
      WORKER_ENDS_BY: 'catalogue',
    });
    after(async () => workplace.remove());

    it('is replaced when it ends, while all are served what there is, and goes on with changes', async () => {
      const sample = join(import.meta.dirname, '..', 'sample', 'italy.ndjson');
      await workplace.run(['import', 'catalogue', sample]);
      await workplace.run(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
      const issue = ['credential', 'issue', '--partner', 'acme', '--quota', '100000'];
      const { token } = await workplace.json(issue);
      const before = await startServer(workplace);
      before.child.kill('SIGTERM');
      // What it saved at its end, the next start and a replacement go on from.
      assert.equal((await before.ended).code, 0);
      const server = await startServer(workplace);
      const headers = { authorization: `Bearer ${token}` };
      const url = `${server.partnerUrl}/v1/properties/hotel-ponte-venezia`;
      const status = async (): Promise<number> => {
        for (;;) {
          const response = await fetch(url, { headers });
          // A machine with no time to spare refuses for that reason, with or without a catalogue.
          if (!(await response.text()).includes(OVERLOADED)) return response.status;
          await sleep(PAUSE_MS);
        }
      };
      const ready = async (): Promise<number> => (await fetch(`${server.operatorUrl}/readyz`)).status;
      assert.equal(await status(), 200);

      server.child.kill('SIGUSR2');
      const isReplaced = (): boolean => server.printed.stderr.split('"catalogue is in memory"').length === 3;
      for (const untilMs = performance.now() + REPLACED_MS_MAX; !isReplaced();) {
        assert.ok(performance.now() < untilMs, server.printed.stderr);
        assert.deepEqual([await status(), await ready()], [200, 200]);
        await sleep(PAUSE_MS);
      }
      assert.match(server.printed.stderr, /catalogue thread ended: starting a replacement/);
      assert.equal(server.printed.stderr.split('"from":"file"').length, 3, server.printed.stderr);
      await workplace.run(['property', 'withdraw', 'hotel-ponte-venezia']);
      await until(async () => (await status()) === 404, REPLACED_MS_MAX);
      server.child.kill('SIGTERM');
      assert.equal((await server.ended).code, 0);
    });

    it('failures of the catalogue thread are counted as background work, and it goes on after them', async () => {
      const server = await startServer(workplace);
      const failures = async (work: string): Promise<number> => {
        const text = await (await fetch(`${server.operatorUrl}/metrics`)).text();
        const series = `stayport_background_failures_total{work="${work}"} `;
        const line = text.split('\n').find((one) => one.startsWith(series));
        assert.ok(line, text);
        return Number(line.slice(series.length));
      };
      assert.deepEqual([await failures('catalogue'), await failures('access')], [0, 0]);
      const database = new DatabaseSync(workplace.databasePath, { timeout: 5_000 });
      database.exec('CREATE TABLE kept AS SELECT * FROM revision; DELETE FROM revision');
      await until(async () => (await failures('catalogue')) > 0 && (await failures('access')) > 0);
      database.exec('INSERT INTO revision SELECT * FROM kept; DROP TABLE kept');
      database.close();
      await until(async () => server.printed.stderr.includes('database answers again'));
      server.child.kill('SIGTERM');
      assert.equal((await server.ended).code, 0);
    });
  });
}
