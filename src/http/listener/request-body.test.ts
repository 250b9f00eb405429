import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertWellFormed, onlyAnswer, summaryOf } from '../../../test/kit/answer-checks.ts';
import {
  QUOTE_REQUEST,
  type RunningServer,
  SETTINGS,
  startPartnerServer,
  TOKENS,
} from '../../../test/kit/http-fixtures.ts';
import { exchange, openConnection } from '../../../test/kit/raw-client.ts';
import { DRAIN_QUIET_SECONDS_MAX, DROPPED_BYTES_MAX, DROPPED_INTERVAL_MS } from '../answers/drain-body.ts';
import { createWaitingBudget } from './waiting-budget.ts';
import { GrowingBody } from './request-body.ts';

const LIMIT_BYTES = SETTINGS.bodyLimitBytes;
const HEAD = `POST /v1/quotes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKENS.full}\r\nContent-Type: application/json\r\n`;

/** A valid quote request of exactly this size: blanks between tokens are part of JSON. */
function quoteOfSize(sizeBytes: number): string {
  const text = JSON.stringify(QUOTE_REQUEST);
  return text + ' '.repeat(sizeBytes - text.length);
}

function chunked(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
}

/** Node's own client keeps sending while it reads. */
function postWith(port: number, body: string, connection: 'close' | 'keep-alive'): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${TOKENS.full}`,
      'content-type': 'application/json',
      connection,
    };
    const sending = request(
      { port, method: 'POST', path: '/v1/quotes', agent: false, headers },
      (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0));
      },
    );
    sending.on('error', reject).end(body);
  });
}

// One of them waits for seconds: the others run meanwhile.
describe('the size of a body (SPEC 4.4)', { concurrency: true }, () => {
  let server: RunningServer;
  before(async () => {
    server = await startPartnerServer();
  });
  after(() => server.close());

  async function statusOf(send: readonly string[]): Promise<number> {
    const { answers } = await exchange(server.port, send);
    const answer = onlyAnswer(answers, 'body');
    assertWellFormed(answer, 'body');
    if (answer.status === 413) assert.equal(summaryOf(answer), 'PAYLOAD_TOO_LARGE');
    return answer.status;
  }

  const withLength = (body: string): string => `${HEAD}Content-Length: ${body.length}\r\n\r\n${body}`;
  const withChunks = (body: string): string => `${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunked(body)}`;

  it('may be exactly the limit', async () => {
    assert.equal(await statusOf([withLength(quoteOfSize(LIMIT_BYTES))]), 201);
    assert.equal(await statusOf([withChunks(quoteOfSize(LIMIT_BYTES))]), 201);
  });

  it('may not be one byte more', async () => {
    assert.equal(await statusOf([withLength(quoteOfSize(LIMIT_BYTES + 1))]), 413);
    assert.equal(await statusOf([withChunks(quoteOfSize(LIMIT_BYTES + 1))]), 413);
  });

  it('is refused by its announcement, before it comes', async () => {
    assert.equal(await statusOf([`${HEAD}Content-Length: ${LIMIT_BYTES + 1}\r\n\r\n`]), 413);
    assert.equal(
      await statusOf([`${HEAD}Expect: 100-continue\r\nContent-Length: ${LIMIT_BYTES + 1}\r\n\r\n`]),
      413,
    );
  });

  it('is taken and dropped when it is too large, so that the connection stays usable', async () => {
    const large = withLength(quoteOfSize(500_000));
    const { answers } = await exchange(server.port, [large + withLength(quoteOfSize(300))], {
      answerCount: 2,
    });
    assert.deepEqual(
      answers.map(({ status }) => status),
      [413, 201],
    );
  });

  it('is refused so that ordinary clients read it, however much they send, and whether or not they stay', async () => {
    const body = quoteOfSize(5_000_000);
    for (let attempt = 0; attempt < 10; attempt += 1) {
      for (const connection of ['keep-alive', 'close'] as const) {
        const response = await server.fetch('/v1/quotes', {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json', connection },
        });
        assert.equal(response.status, 413);
        await response.text();
        assert.equal(await postWith(server.port, body, connection), 413);
      }
    }
  });

  it('is dropped only so fast when it was refused, for all senders together', async () => {
    const total = 64_000_000;
    const senders = Array.from({ length: 4 }, () => connect({ port: server.port, host: '127.0.0.1' }));
    const startedMs = performance.now();
    let takenMs = 0;
    await Promise.all(
      senders.map(async (socket) => {
        socket.on('error', () => undefined);
        socket.write(`${HEAD}Content-Length: ${total / 4}\r\n\r\n`);
        await new Promise((resolve) => socket.write(Buffer.alloc(total / 4, 'x'), resolve));
        takenMs = performance.now() - startedMs;
        socket.destroy();
      }),
    );
    const inBuffers = 4 * 6_000_000;
    const leastMs = ((total - inBuffers) / DROPPED_BYTES_MAX - 1) * DROPPED_INTERVAL_MS * 0.5;
    assert.ok(takenMs >= leastMs, `${takenMs} ms for all, ${leastMs} at least`);
  });

  it('is not waited for when nothing more comes', async () => {
    const { answers, isClosedByServer } = await exchange(
      server.port,
      [`${HEAD}Content-Length: 5000000\r\n\r\n${'x'.repeat(1000)}`],
      { settledMs: (DRAIN_QUIET_SECONDS_MAX + 2) * 1000 },
    );
    assert.equal(onlyAnswer(answers, 'body').status, 413);
    assert.ok(isClosedByServer);
  });

  it('does not matter for the type of it: JSON with UTF-8, or nothing said', async () => {
    const body = quoteOfSize(300);
    for (const type of [
      'application/json; charset=utf-8',
      'Application/JSON;charset="UTF-8"',
      'application/json;foo=bar',
    ]) {
      assert.equal(await statusOf([withLength(body).replace('application/json', type)]), 201, type);
    }
    assert.equal(await statusOf([withLength(body).replace('Content-Type: application/json\r\n', '')]), 201);
  });
});

describe('a body whose coding is broken', () => {
  it('is not waited for behind the answer that says so', async () => {
    const server = await startPartnerServer();
    const { answers } = await exchange(server.port, [`${HEAD}Transfer-Encoding: chunked\r\n\r\n`, 'zz\r\n']);
    assert.equal(onlyAnswer(answers, 'body').status, 400);
    await server.close();
    assert.equal(process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length, 0);
  });
});

describe('a body that comes in pieces', () => {
  it('is kept in one piece of at most twice its length, however it was cut', (test) => {
    const body = new GrowingBody();
    const usedBefore = process.memoryUsage();
    const allocated = test.mock.method(Buffer, 'allocUnsafeSlow');
    for (let count = 0; count < 200_000; count += 1) body.append(Buffer.from([count & 0xff]));
    assert.ok(allocated.mock.callCount() <= Math.log2(200_000) + 1, 'it doubles');
    const bytes = body.bytes();
    assert.equal(bytes.length, 200_000);
    assert.ok(bytes.every((byte, index) => byte === (index & 0xff)));
    assert.ok(bytes.buffer.byteLength <= 400_000, `${bytes.buffer.byteLength} bytes`);
    assert.ok(process.memoryUsage().arrayBuffers - usedBefore.arrayBuffers < 40_000_000);
  });

  it('is handed over in memory that nothing else uses, also where it came in one piece', () => {
    for (const pieces of [['whole'], ['', 'in ', 'pieces'], []]) {
      const body = new GrowingBody(64);
      const chunks = pieces.map((piece) => Buffer.from(piece));
      for (const chunk of chunks) body.append(chunk);
      const own = body.ownBytes();
      assert.equal(Buffer.from(own).toString(), pieces.join(''));
      const taken = structuredClone(own, { transfer: [own.buffer] });
      assert.equal(Buffer.from(taken).toString(), pieces.join(''));
      assert.deepEqual(chunks.map(String), pieces, 'the pool of the chunks is not gone with it');
    }
  });

  it('keeps what came in one piece as it is', () => {
    const body = new GrowingBody();
    const chunk = Buffer.from('whole');
    body.append(chunk);
    assert.equal(String(body.bytes()), 'whole');
    assert.equal(body.bytes().buffer, chunk.buffer);
    body.append(Buffer.from(' and more'));
    assert.equal(Buffer.from(body.bytes()).toString(), 'whole and more');
    assert.equal(new GrowingBody().bytes().length, 0);
  });

  it('of several chunks is memory of its own and no more, so a thread can take it over without a copy', () => {
    const body = new GrowingBody();
    for (const chunk of ['abc', 'defg', 'h']) body.append(Buffer.from(chunk));
    const { buffer, byteLength } = body.bytes();
    assert.equal(buffer.byteLength, byteLength);
    assert.equal(Buffer.from(body.bytes()).toString(), 'abcdefgh');
  });

  it('that announces its size is copied while it is small, then never again; a lie costs eight times what came', () => {
    const announcedBytes = 64_000_000;
    const usedBytes = () => process.memoryUsage().arrayBuffers;
    const usedBefore = usedBytes();
    const chunk = Buffer.alloc(64_000);
    const [liar, body] = [new GrowingBody(announcedBytes), new GrowingBody(announcedBytes)];
    for (let count = 0; count < 20; count += 1) liar.append(chunk);
    assert.ok(usedBytes() - usedBefore < 16_000_000, 'of 64 MB announced and 1.3 MB sent');
    for (let count = 0; count < 130; count += 1) body.append(chunk);
    const usedMeanwhile = usedBytes();
    for (let count = 130; count < 1_000; count += 1) body.append(chunk);
    assert.ok(usedBytes() - usedMeanwhile < 1_000_000, 'what was taken for an eighth is enough for the rest');
    assert.equal(body.bytes().byteLength, announcedBytes);
    assert.equal(liar.bytes().byteLength, 20 * chunk.length);
  });

  it('counts in the budget of all connections until it is whole, or its sender has gone', async () => {
    const budget = createWaitingBudget(1_000_000);
    const started = await startPartnerServer({ budget });
    const socket = await openConnection(started.port);
    socket.write(`${HEAD}Content-Length: 2000\r\n\r\n${' '.repeat(1_500)}`);
    await until(() => budget.heldBytes() === 1_500);
    socket.destroy();
    await until(() => budget.heldBytes() === 0);
    await started.close();
  });
});

async function until(isTrue: () => boolean): Promise<void> {
  const endMs = performance.now() + 5_000;
  while (!isTrue()) {
    assert.ok(performance.now() < endMs, 'not true within 5 s');
    await sleep(5);
  }
}
