/** Readers that let answers wait on their connection, while other answers are written: each gets its own bytes. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { after, before, it } from 'node:test';
import { openConnection, parseAnswers, type RawAnswer } from '../../kit/raw-client.ts';
import { hotel, inCity } from '../../kit/catalogue-lines.ts';
import { type Installation, openInstallation, type Served } from '../../kit/installation.ts';
import { PartnerClient } from '../../kit/partner-client.ts';

const CITIES = ['Aachen', 'Bremen', 'Coburg'] as const;
const PROPERTIES = 60;
/** Together more than the buffers of a loopback connection take, so that most answers have to wait in the server. */
const REQUESTS = 100;

let installation: Installation;
let service: Served;
let token: string;
before(async () => {
  installation = await openInstallation();
  await installation.importLines(
    CITIES.flatMap((city) =>
      Array.from({ length: PROPERTIES }, (_, index) =>
        hotel(`${city.toLowerCase()}-${index}`, {
          ...inCity(city, 'DE'),
          name: city.repeat(30),
          description: city.repeat(200),
        }),
      ),
    ),
  );
  token = (await installation.issue({ quota: 100_000 })).token;
  service = await installation.serve();
});
after(() => installation.close());

/** Sends all requests for the city at once, the last one on the connection, and reads nothing of the answers. */
async function askWithoutReading(city: string): Promise<Socket> {
  const socket = await openConnection(Number(new URL(service.partnerUrl).port));
  socket.pause();
  const start = `GET /v1/properties?city=${city}&pageSize=50 HTTP/1.1\r\nHost: partner\r\n`;
  const request = `${start}Authorization: Bearer ${token}\r\n`;
  socket.write(`${request}\r\n`.repeat(REQUESTS - 1));
  socket.write(`${request}Connection: close\r\n\r\n`);
  return socket;
}

async function readToEnd(socket: Socket): Promise<readonly RawAnswer[]> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.resume();
  // A connection that was cut has no end.
  await Promise.race([once(socket, 'end'), once(socket, 'close')]);
  socket.destroy();
  return parseAnswers(Buffer.concat(chunks), false).answers;
}

it('gives every reader its own answers, however long they wait', async () => {
  const partner = new PartnerClient(service.partnerUrl, token);
  const expected = await Promise.all(
    CITIES.map(async (city) => (await partner.search({ city, pageSize: 50 })).success),
  );
  const sockets: Socket[] = [];
  for (const city of CITIES) {
    sockets.push(await askWithoutReading(city));
    // Between them somebody who reads: his answers may stand where sent ones stood, never where waiting ones do.
    for (const [index, other] of CITIES.entries()) {
      const { success } = await partner.search({ city: other, pageSize: 50 });
      assert.deepEqual(success, expected[index]);
    }
  }
  const received = await Promise.all(sockets.map(readToEnd));
  for (const [index, answers] of received.entries()) {
    assert.equal(answers.length, REQUESTS);
    for (const { status, body } of answers) {
      assert.equal(status, 200);
      assert.deepEqual(JSON.parse(body), expected[index]);
    }
  }
});
