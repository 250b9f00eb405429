import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { openJobThread } from '../../runtime/job-thread.ts';
import { INLINE_BYTES_MAX } from './message-limits.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import { openMessageParser } from './message-parser.ts';
import type { ParseRequest } from './parse-thread.ts';

const PLACE = {
  source: 'channel',
  externalKey: 'room-1',
  propertyId: 'hotel-ponte',
  inventoryTypeId: 'double',
  currency: 'EUR',
};
const OVER = new Error('the test is over');

/** One that goes to the thread. */
function largeAri(): Uint8Array<ArrayBuffer> {
  const value = { rate_plan_id: 'room-1', date: '2026-12-01', rate: '120.00' };
  const values = Array.from({ length: 1000 }, () => value);
  const body = new TextEncoder().encode(JSON.stringify({ values }));
  assert.ok(body.byteLength > INLINE_BYTES_MAX);
  return body;
}

/** Entries of many properties: some 40 MB while they are read. */
function hungryMessage(): Uint8Array<ArrayBuffer> {
  const entries = Array.from({ length: 40_000 }, (_, index) => ({
    propertyId: `p${index}`,
    inventoryTypeId: 'double',
    availability: 1,
    dateFrom: '2026-12-01',
    dateTo: '2026-12-02',
  }));
  return new TextEncoder().encode(JSON.stringify({ entries }));
}

const sent = (body: Uint8Array, isHashed = false) => ({ body, isHashed });

describe('The parser of messages', () => {
  const parser = openMessageParser();
  after(() => parser.close());

  it('reads a large message with names whose places are looked up in between', async () => {
    const asked: (readonly string[])[] = [];
    const { propertyIds, changes, errors } = await parser.readAri(sent(largeAri()), async (keys) => {
      asked.push(keys);
      return [PLACE];
    });
    assert.deepEqual(asked, [['room-1']]);
    assert.deepEqual([propertyIds, changes.length, errors.named], [['hotel-ponte'], 1, []]);
  });

  it('hashes a body where its hash is wanted, while the thread has it', async () => {
    const options = { propertyId: 'p', source: 'pms', horizonNights: 730, bookingOrigins: [] };
    for (const large of [false, true]) {
      const makeBody = () => (large ? largeAri() : new TextEncoder().encode('{}'));
      for (const isHashed of [false, true]) {
        const expected = isHashed ? hash('sha256', makeBody(), 'hex') : '';
        const bodies = Array.from({ length: 4 }, makeBody);
        const read = await Promise.all([
          parser.readCalendars(sent(bodies[0]!, isHashed), { replaces: false }),
          parser.readAri(sent(bodies[1]!, isHashed), async () => [PLACE]),
          parser.readProperty(sent(bodies[2]!, isHashed), options),
          parser.readEmpty(sent(bodies[3]!, isHashed)),
        ]);
        for (const { bodyHash } of read) assert.equal(bodyHash, expected);
        for (const body of bodies) assert.equal(body.byteLength === 0, large, 'handed over, and not copied');
      }
    }
  });

  it('passes on that the places could not be looked up, and goes on', async () => {
    const away = new Error('the database is away');
    const failed = parser.readAri(sent(largeAri()), () => Promise.reject(away));
    await assert.rejects(failed, (error) => error === away);
    const { propertyIds } = await parser.readAri(sent(largeAri()), async () => [PLACE]);
    assert.deepEqual(propertyIds, ['hotel-ponte']);
  });

  it('refuses for now a message that needs more memory than the thread has, ends nothing else, and goes on', async () => {
    const small = openMessageParser(24);
    try {
      const refused = small.readCalendars(sent(hungryMessage()), { replaces: false });
      await assert.rejects(refused, StorageUnavailable);
      const { propertyIds } = await small.readAri(sent(largeAri()), async () => [PLACE]);
      assert.deepEqual(propertyIds, ['hotel-ponte']);
      const { errors } = await parser.readCalendars(sent(hungryMessage()), { replaces: false });
      assert.deepEqual(errors.named, [], 'the memory that the service gives the thread is enough');
    } finally {
      await small.close();
    }
  });
});

describe('The parser thread', () => {
  const thread = openJobThread<ParseRequest>({
    program: new URL('./parse-thread.ts', import.meta.url),
    name: 'parser in a test',
    whenLost: () => new Error('the thread was lost'),
  });
  after(() => thread.end(OVER));

  it('keeps the values of a message until they are asked for or given up', async () => {
    const names = await thread.ask({ ...sent(largeAri()), kind: 'ari', message: 1 });
    assert.deepEqual(names, { externalKeys: ['room-1'], bodyHash: '' });
    assert.equal(await thread.ask({ kind: 'ari-given-up', message: 1 }), true);
    assert.equal(await thread.ask({ kind: 'ari-given-up', message: 1 }), false, 'nothing is kept');
    const mapped = thread.ask({ kind: 'ari-mapped', message: 1, mappings: [PLACE] });
    await assert.rejects(mapped, { message: 'the values of this message are not here' });
  });
});
