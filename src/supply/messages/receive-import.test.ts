import { presentErrors } from './message-body.ts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { hotel } from '../../../test/kit/catalogue-lines.ts';
import { openTemporaryStorage, type TemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import { createMessageIds } from '../../storage/supply/message-id.ts';
import { LINE_BYTES_MAX } from '../text/ndjson-lines.ts';
import { INLINE_BYTES_MAX } from './message-limits.ts';
import { openMessageParser, type MessageParser } from './message-parser.ts';
import { receiveImport } from './receive-import.ts';

const DOUBLE = { inventoryTypeId: 'double', name: 'Double', guestsMax: 2 };

/** A document with so many entries, about 90 bytes each, one for each night. */
function manyNights(propertyId: string, entryCount: number, overrides: object = {}): object {
  const firstMs = Date.UTC(2026, 11, 1);
  const calendar = Array.from({ length: entryCount }, (_, index) => {
    const date = new Date(firstMs + (index % 700) * 86_400_000).toISOString().slice(0, 10);
    return { dateFrom: date, dateTo: date, availability: index % 5, rate: `${100 + (index % 7)}.00` };
  });
  return hotel(propertyId, { inventoryTypes: [{ ...DOUBLE, calendar, ...overrides }] });
}

describe('An import as a message', () => {
  const parser = openMessageParser();
  let database: TemporaryStorage;
  let messageCount = 0;
  before(async () => {
    database = await openTemporaryStorage();
  });
  after(async () => {
    await parser.close();
    await database.close();
  });

  /** In chunks as a socket brings them; `texts` are the lines that were read. */
  async function send(lines: readonly string[], source = 'pms') {
    const texts: string[] = [];
    const watched: MessageParser = {
      ...parser,
      readLine(options) {
        texts.push(options.text);
        return parser.readLine(options);
      },
    };
    const body = Buffer.from(lines.join('\n'));
    async function* chunks(): AsyncGenerator<Buffer, void> {
      for (let start = 0; start < body.length; start += 65_536) yield body.subarray(start, start + 65_536);
    }
    const result = await receiveImport(
      {
        storage: database.storage,
        parser: watched,
        clock: () => 1,
        horizonNights: 730,
        bookingOrigins: [],
        newMessageId: createMessageIds(() => String(++messageCount)),
      },
      { source, idempotencyKey: null, target: '', chunks: chunks() },
    );
    assert.ok(result.kind === 'done');
    return { ...result.counts, ...result.outcome, warnings: presentErrors(result.warnings), texts };
  }

  it('ends the same wherever its lines are read: short ones here, long ones in the thread', async () => {
    const documents = [manyNights('short', 100), manyNights('long', 4_000), manyNights('longer', 90_000)];
    const lines = documents.map((document) => JSON.stringify(document));
    assert.ok(lines[0]!.length < INLINE_BYTES_MAX && lines[1]!.length > INLINE_BYTES_MAX);
    const { read, created, texts } = await send(lines);
    assert.deepEqual([read, created, texts], [3, 3, lines]);
    const again = await send(lines.toReversed());
    assert.deepEqual([again.created, again.changed, again.unchanged], [0, 0, 3]);
    for (const id of ['short', 'long', 'longer']) {
      const [kept] = (await database.storage.findProperty(id))!.calendars;
      const sameNights = (await send([JSON.stringify(manyNights(id, id === 'short' ? 100 : 700))])).unchanged;
      assert.ok(kept!.nights.byteLength > 0);
      assert.equal(sameNights, 1, `${id} has the nights that its last entries say`);
    }
  });

  it('names a long line that is wrong, of another source, or not the first of its property', async () => {
    await send([JSON.stringify(manyNights('theirs', 1_000))], 'other');
    const { read, rejected, created, warnings } = await send([
      JSON.stringify(manyNights('wrong', 1_000, { guestsMax: 0 })),
      JSON.stringify(manyNights('priced', 1_000, { priceSource: 'channel' })),
      JSON.stringify(manyNights('theirs', 1_000)),
      JSON.stringify(manyNights('twice', 1_000)),
      JSON.stringify(manyNights('twice', 1_001)),
      JSON.stringify(manyNights('broken', 1_000)).slice(0, -1),
    ]);
    assert.deepEqual([read, created, rejected], [6, 1, 5]);
    const reasons = warnings.map(({ pointer, detail }) => `${pointer} ${detail}`).toSorted();
    const expected = [
      /^\/lines\/0 Line 1: inventoryTypes\[0\]\.guestsMax: must be/,
      /^\/lines\/1 Line 2: inventoryTypes\[0\]\.calendar: has prices, .* "channel" only/,
      /^\/lines\/2 Line 3: propertyId: theirs belongs to another source/,
      /^\/lines\/4 Line 5: propertyId: twice is already on an earlier line/,
      /^\/lines\/5 Line 6: is not JSON/,
    ];
    for (const [index, pattern] of expected.entries()) assert.match(reasons[index] ?? '', pattern);
  });

  it('refuses a line over the limit by name, and takes the others', async () => {
    const padded = (length: number): string => {
      const document = JSON.stringify(hotel(`of-${length}`));
      return document + ' '.repeat(length - document.length);
    };
    const lines = [padded(LINE_BYTES_MAX), padded(LINE_BYTES_MAX + 1), padded(2_000)];
    const { read, created, rejected, warnings, texts } = await send(lines);
    assert.deepEqual([read, created, rejected], [3, 2, 1]);
    assert.deepEqual(warnings, [
      {
        pointer: '/lines/1',
        code: 'LINE_REJECTED',
        detail: 'Line 2: is longer than 8 MiB; give each property a line of its own.',
      },
    ]);
    assert.deepEqual(
      texts.map(({ length }) => length),
      [LINE_BYTES_MAX, 2_000],
    );
  });
});
