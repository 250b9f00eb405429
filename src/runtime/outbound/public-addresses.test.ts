/** Names, asked of a name server over a real socket. */
import assert from 'node:assert/strict';
import { createSocket, type Socket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { type LookupAll, openLookup } from './public-addresses.ts';

const ADDRESS = '93.184.215.14';
const NAME_AT = 12;
const TYPE_A = 1;
const RECORD_TTL_SECONDS = 60;
/** Names that the system's own lookup would work on for 20 s, two at a time. */
const DEAD_COUNT = 8;

/** Knows `good.example`, is silent about names that begin with `dead`, and denies all others. */
function answerTo(question: Buffer): Buffer | undefined {
  const labels: string[] = [];
  let at = NAME_AT;
  for (let length = question[at]!; length > 0; length = question[at]!) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const name = labels.join('.');
  if (name.startsWith('dead')) return undefined;
  const isKnown = name === 'good.example';
  const isFound = isKnown && question.readUInt16BE(at + 1) === TYPE_A;
  const header = Buffer.from(question.subarray(0, NAME_AT));
  header.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2);
  header.fill(0, 6);
  header.writeUInt16BE(isFound ? 1 : 0, 6);
  const record = Buffer.from([0xc0, NAME_AT, 0, 1, 0, 1, 0, 0, 0, RECORD_TTL_SECONDS, 0, 4]);
  const address = Buffer.from(ADDRESS.split('.').map(Number));
  const answer = isFound ? [record, address] : [];
  return Buffer.concat([header, question.subarray(NAME_AT, at + 5), ...answer]);
}

describe('A lookup', () => {
  let server: Socket;
  let lookup: LookupAll;
  before(async () => {
    server = createSocket('udp4').bind(0, '127.0.0.1');
    await once(server, 'listening');
    server.on('message', (question, { port, address }) => {
      const answer = answerTo(question);
      if (answer !== undefined) server.send(answer, port, address);
    });
    lookup = openLookup([`127.0.0.1:${server.address().port}`]);
  });
  after(() => server.close());
  const addressesOf = (host: string) =>
    new Promise<readonly LookupAddress[]>((resolve, reject) =>
      lookup(host, (error, addresses) => (error === null ? resolve(addresses) : reject(error))),
    );

  it('is answered at once beside names that are never answered, whose lookups end in time', async () => {
    const startedMs = performance.now();
    const dead = Array.from({ length: DEAD_COUNT }, (_, index) => addressesOf(`dead${index}.example`));
    const codes = Promise.all(dead.map((one) => one.catch((error: { code: string }) => error.code)));
    assert.deepEqual(await addressesOf('good.example'), [{ address: ADDRESS, family: 4 }]);
    assert.ok(performance.now() - startedMs < 1_500, 'before any of them ends');
    assert.deepEqual(new Set(await codes), new Set(['ETIMEOUT']));
    assert.ok(performance.now() - startedMs < 12_000);
  });

  it('asks the system for names that no name server knows', async () => {
    const addresses = (await addressesOf('localhost')).map(({ address }) => address);
    assert.ok(addresses.includes('127.0.0.1') || addresses.includes('::1'), addresses.join());
    // Without a network the system can't tell yet.
    const unknown = (error: NodeJS.ErrnoException) => ['ENOTFOUND', 'EAI_AGAIN'].includes(error.code ?? '');
    await assert.rejects(addressesOf('nobody.invalid'), unknown);
  });
});
