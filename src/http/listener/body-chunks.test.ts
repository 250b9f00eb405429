/** An import that never ends: a sender gets so much time, and more for what it has sent. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { IMPORT_MS_MAX, IMPORT_MS_PER_MIB, readBodyChunks } from './body-chunks.ts';

const MIB = 1024 * 1024;

interface Outcome {
  readonly sizeBytes: number;
  readonly failure: string | undefined;
}

/** Sends a piece every `everyMs` to a reader that takes its time for each; resolves to the bytes that it got. */
async function receive(
  pieces: readonly Buffer[],
  { everyMs, sendingMsMax, workMs = 0 }: { everyMs: number; sendingMsMax: number; workMs?: number },
): Promise<Outcome> {
  const settled = Promise.withResolvers<Outcome>();
  const take = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const limits = { bodyLimitBytes: 10 * MIB, silenceMsMax: 5_000, reserveMemory: () => true, sendingMsMax };
    let sizeBytes = 0;
    let failure: string | undefined;
    try {
      for await (const chunk of readBodyChunks({ request: incoming, response } as never, limits)) {
        sizeBytes += chunk.length;
        await sleep(workMs);
      }
    } catch (error) {
      failure = (error as Error).message;
    }
    settled.resolve({ sizeBytes, failure });
    response.end();
  };
  const server = createServer((incoming, response) => void take(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = request({ port: (server.address() as AddressInfo).port, method: 'POST' });
  client.on('error', () => undefined);
  for (const piece of pieces) {
    client.write(piece);
    await sleep(everyMs);
  }
  client.end();
  const outcome = await settled.promise;
  client.destroy();
  server.closeAllConnections();
  server.close();
  return outcome;
}

describe('A whole import', () => {
  it('has a minute, and a second for each MiB', () => {
    assert.deepEqual([IMPORT_MS_MAX, IMPORT_MS_PER_MIB], [60_000, 1_000]);
  });

  it('ends when its sender takes longer, though it never falls silent', async () => {
    const pieces = Array.from({ length: 40 }, () => Buffer.from(' '));
    const { sizeBytes, failure } = await receive(pieces, { everyMs: 20, sendingMsMax: 200 });
    assert.match(String(failure), /took too long/);
    assert.ok(sizeBytes > 0 && sizeBytes < 40, String(sizeBytes));
  });

  it('has more time the more it has sent', async () => {
    const pieces = [Buffer.alloc(MIB), ...Array.from({ length: 15 }, () => Buffer.from(' '))];
    const { sizeBytes, failure } = await receive(pieces, { everyMs: 10, sendingMsMax: 100 });
    assert.deepEqual([sizeBytes, failure], [MIB + 15, undefined]);
  });

  it('does not pay for the time that its documents take here', async () => {
    const pieces = Array.from({ length: 5 }, () => Buffer.from(' '));
    const { failure } = await receive(pieces, { everyMs: 1, sendingMsMax: 300, workMs: 100 });
    assert.equal(failure, undefined);
  });
});

const PIECES = 40_000;
/** A promise that waits for the whole import keeps four times as much for each piece. */
const BYTES_PER_PIECE_MAX = 200;

describe('An import in pieces of one byte', () => {
  it(`keeps nothing of the ${PIECES} pieces that it has read`, async (test) => {
    const read = Promise.withResolvers<{ pieces: number; listenersMax: number; grownBytes: number }>();
    const take = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
      const limits = { bodyLimitBytes: 10 * MIB, silenceMsMax: 60_000, reserveMemory: () => true };
      let pieces = 0;
      let listenersMax = 0;
      let heldBytes = 0;
      for await (const { length } of readBodyChunks({ request: incoming, response } as never, limits)) {
        assert.equal(length, 1);
        pieces += 1;
        listenersMax = Math.max(listenersMax, response.listenerCount('close'));
        // The first pieces warm up what is made once.
        if (pieces === PIECES / 4) heldBytes = heapBytes();
        if (pieces === PIECES) read.resolve({ pieces, listenersMax, grownBytes: heapBytes() - heldBytes });
      }
      response.end();
    };
    const server = createServer((incoming, response) => {
      take(incoming, response).catch(read.reject);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    test.after(() => server.close());
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    test.after(() => client.destroy());
    const head = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
    client.write(`${head}${'1\r\n \r\n'.repeat(PIECES)}0\r\n\r\n`);
    const { pieces, listenersMax, grownBytes } = await read.promise;
    assert.equal(pieces, PIECES);
    assert.ok(listenersMax <= 5, `${listenersMax} listeners`);
    const perPiece = grownBytes / (PIECES * 0.75);
    assert.ok(perPiece < BYTES_PER_PIECE_MAX, `${perPiece.toFixed(1)} bytes for each piece`);
  });
});

/** The heap after a collection. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}
