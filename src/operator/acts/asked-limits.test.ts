/** The bounds of what is read and fetched for those who set supply up, each at its value and one past it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { feedDeps, subscribed } from '../../../test/kit/feed-deps.ts';
import { type FeedServer, startFeedServer } from '../../../test/kit/feed-server.ts';
import { openTemporaryStorage, type TemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import { NOW_MS } from '../../../test/suites/storage/fixture.ts';
import { OPEN, send, suppliedWrite } from '../../../test/suites/storage/supply-samples.ts';
import { formatMessageId } from '../../storage/supply/message-id.ts';
import { ENTRIES_KEPT_BYTES_MAX } from '../../domain/ledger/message.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import { keepEntries, parseStoredEntries } from '../../supply/messages/message-body.ts';
import { ENTRIES_ANSWERED_MAX, readMessages } from '../../supply/messages/read-supply.ts';
import { boundedTurns, POLLS_ASKED_MAX } from './act.ts';
import { pollNow } from '../../supply/ical/feed-changes.ts';

let temporary: TemporaryStorage;
let server: FeedServer;
before(async () => {
  temporary = await openTemporaryStorage(() => NOW_MS);
  server = await startFeedServer();
});
after(async () => {
  await server.close();
  await temporary.close();
});

describe('What is kept of entries', () => {
  it('is whole entries of at most 64 KB', () => {
    const sizeOf = (length: number): number => Buffer.byteLength(keepEntries(['x'.repeat(length)]) ?? '');
    let length = ENTRIES_KEPT_BYTES_MAX - 200;
    while (parseStoredEntries(keepEntries(['x'.repeat(length + 1)]) ?? '').leftOut === 0) length += 1;
    assert.ok(sizeOf(length) <= ENTRIES_KEPT_BYTES_MAX && sizeOf(length) > ENTRIES_KEPT_BYTES_MAX - 100);
    assert.deepEqual(parseStoredEntries(keepEntries(['x'.repeat(length + 1), 1]) ?? ''), {
      entries: [],
      leftOut: 2,
    });
    assert.equal(keepEntries([]), undefined);
  });

  it('leaves out what cannot be written again', () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 20_000; depth += 1) deep = [deep];
    assert.deepEqual(parseStoredEntries(keepEntries([1, deep]) ?? ''), { entries: [1], leftOut: 1 });
  });

  it('is shown as long as the answer has room', async () => {
    const { storage } = temporary;
    await storage.writeProperties([suppliedWrite('ponte', [[OPEN]])]);
    const entries = keepEntries(['x'.repeat(ENTRIES_KEPT_BYTES_MAX - 200)]) ?? '';
    const shownMax = Math.floor(ENTRIES_ANSWERED_MAX / entries.length);
    for (let count = 0; count <= shownMax; count += 1) {
      const messageId = formatMessageId(NOW_MS, String(count).padStart(5, '0'));
      await send(storage, 'many', { kind: 'confirmation' }, { messageId, entries, note: '{}' });
    }
    const messages = await readMessages(storage, { limit: 100 });
    const isShown = messages.map((message) => message['entries'] !== null);
    assert.deepEqual(isShown, [...Array.from({ length: shownMax }, () => true), false]);
  });
});

describe('Calendars that are fetched because somebody asked', () => {
  it('are eight at once and one of a feed; a further request is refused', async () => {
    const { storage } = temporary;
    const waiting: (() => void)[] = [];
    server.answer = (_request, response) => void waiting.push(() => response.writeHead(500).end());
    const deps = feedDeps(storage, () => NOW_MS);
    const inTurn = boundedTurns();
    const poll = (feedId: string) => inTurn(feedId, () => pollNow(deps, feedId));
    const ids = [];
    for (let count = 0; count <= POLLS_ASKED_MAX; count += 1) {
      ids.push(await subscribed(deps, { propertyId: 'ponte', url: `${server.url}/${count}` }));
    }
    const slow = ids.slice(1);
    const polls = slow.slice(1).map(poll);
    await assert.rejects(poll(slow[1]!), StorageUnavailable);
    polls.push(poll(slow[0]!));
    await assert.rejects(poll(ids[0]!), StorageUnavailable);
    while (waiting.length < POLLS_ASKED_MAX) await new Promise((resolve) => setTimeout(resolve, 5));
    for (const answer of waiting) answer();
    for (const polled of polls) assert.ok((await polled).ok);
    const again = poll(ids[0]!);
    while (waiting.length === POLLS_ASKED_MAX) await new Promise((resolve) => setTimeout(resolve, 5));
    waiting.at(-1)!();
    assert.ok((await again).ok);
  });
});
