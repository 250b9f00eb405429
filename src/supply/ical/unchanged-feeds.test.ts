/** An unchanged calendar: it confirms, is not read again, and its closings stay. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { parsePropertyChange } from '../../domain/ledger/property-change.ts';
import { feedDeps, subscribed } from '../../../test/kit/feed-deps.ts';
import { calendarText, type FeedServer, startFeedServer, status } from '../../../test/kit/feed-server.ts';
import { openTemporaryStorage, type TemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import { suppliedWrite } from '../../../test/suites/storage/supply-samples.ts';
import { decodeCalendar } from '../../domain/calendar-codec.ts';
import { formatLocalDate } from '../../domain/local-date.ts';
import { sourceOfFeed } from './feed-layer.ts';
import { acceptFeed, type FeedDeps, pollNow, unsubscribeFeed } from './feed-changes.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 10, 21, 12);
const STAY = calendarText(['2026-12-20', '2026-12-24']);
const OTHER = calendarText(['2026-12-27', '2026-12-28']);

let nowMs = START_MS;
let database: TemporaryStorage;
let server: FeedServer;
let deps: FeedDeps;
let feedId: string;
/** For each message: whether it carried nights or only confirmed existing ones. */
let messages: ('nights' | 'confirmation')[];
before(async () => {
  database = await openTemporaryStorage(() => nowMs);
  server = await startFeedServer();
  const { storage } = database;
  deps = feedDeps(
    {
      ...storage,
      applySupply(message) {
        assert.ok(message.work.kind === 'calendars');
        const isEmpty = message.work.changes.every(
          (change) => parsePropertyChange(change).types.length === 0,
        );
        messages.push(isEmpty ? 'confirmation' : 'nights');
        return storage.applySupply(message);
      },
    },
    () => nowMs,
  );
});
after(async () => {
  await server.close();
  await database.close();
});
beforeEach(async () => {
  nowMs = START_MS;
  await database.storage.writeProperties([suppliedWrite('ponte', [[]])]);
  if (feedId !== undefined) await unsubscribeFeed(deps, feedId);
  feedId = await subscribed(deps, { propertyId: 'ponte', url: server.url });
  messages = [];
});

async function poll(text: string): Promise<string> {
  server.answer = status(200, {}, text);
  nowMs += MINUTE_MS;
  const polled = await pollNow(deps, feedId);
  assert.ok(polled.ok);
  return polled.value.outcome;
}

async function closed(): Promise<string> {
  const { calendars } = (await database.storage.findProperty('ponte'))!;
  const runs = calendars.flatMap(({ nights, rates }) => decodeCalendar(nights, rates).stopSell);
  return runs.map(({ from, until }) => `${formatLocalDate(from)}..${formatLocalDate(until)}`).join(' ');
}

describe('A calendar of the same bytes, from a server without validators', () => {
  it('confirms, and changes nothing', async () => {
    assert.equal(await poll(STAY), 'changed');
    const revision = await database.storage.readRevision();
    for (let count = 0; count < 3; count += 1) {
      assert.equal(await poll(STAY), 'unchanged');
      assert.equal((await database.storage.findFeed(feedId))!.confirmedAtMs, nowMs);
    }
    assert.equal(await database.storage.readRevision(), revision);
    assert.deepEqual(messages, ['nights', 'confirmation', 'confirmation', 'confirmation']);
  });

  it('is read as a whole once a day, and whenever a byte differs', async () => {
    await poll(STAY);
    nowMs += DAY_MS;
    assert.equal(await poll(STAY), 'unchanged');
    assert.equal(await poll(`${STAY}\r\n`), 'unchanged');
    assert.deepEqual(messages, ['nights', 'nights', 'nights']);
  });

  it('is read again after a person has accepted another one', async () => {
    await poll(STAY);
    assert.equal(await poll(OTHER), 'held');
    assert.ok((await acceptFeed(deps, feedId)).ok);
    assert.equal(await closed(), '2026-12-27..2026-12-28');
    assert.equal(await poll(STAY), 'held');
    assert.equal(await poll(STAY), 'changed');
    assert.equal(await closed(), '2026-12-20..2026-12-24');
  });

  it('is confirmed by no other one that is held back', async () => {
    const confirmedAt = async () =>
      (await database.storage.findLayers('ponte'))!.confirmations.find(
        ({ source }) => source === sourceOfFeed(feedId),
      )?.confirmedAtMs;
    await poll(STAY);
    assert.equal(await confirmedAt(), nowMs);
    const before = nowMs;
    assert.equal(await poll(OTHER), 'held');
    assert.equal(messages.at(-1), 'nights', 'it closes its nights at once');
    assert.equal(await confirmedAt(), before);
  });

  it('takes back what was held back', async () => {
    await poll(STAY);
    assert.equal(await poll(OTHER), 'held');
    assert.equal(await closed(), '2026-12-20..2026-12-24 2026-12-27..2026-12-28');
    assert.equal(await poll(STAY), 'changed', 'the closings of what was held back');
    assert.equal(await closed(), '2026-12-20..2026-12-24');
    assert.equal(await poll(OTHER), 'held', 'for the first time again');
    assert.equal(await poll(OTHER), 'changed');
    assert.equal(await closed(), '2026-12-27..2026-12-28');
  });

  it('is taken at its second time, though its nights are others by now', async () => {
    await poll(STAY);
    const late = OTHER.replace(';VALUE=DATE:20261227', ':20261227T223000Z').replace(
      ';VALUE=DATE:20261228',
      ':20261228T223000Z',
    );
    assert.equal(await poll(late), 'held');
    const east = suppliedWrite('ponte', [[]], { timezone: 'Pacific/Kiritimati' });
    await database.storage.writeProperties([east]);
    assert.equal(await poll(late), 'changed');
    assert.equal(await closed(), '2026-12-28..2026-12-29');
  });

  for (const [how, answer] of [
    ['the same bytes', status(200, { etag: '"1"' }, STAY)],
    ['304', status(304)],
  ] as const) {
    it(`closes its nights when its inventory type is back after a while (${how})`, async () => {
      server.answer = status(200, { etag: '"1"' }, STAY);
      assert.ok((await pollNow(deps, feedId)).ok);
      const [type] = suppliedWrite('ponte', [[]]).property.inventoryTypes;
      const inventoryTypes = [{ ...type!, inventoryTypeId: 'other' }];
      await database.storage.writeProperties([suppliedWrite('ponte', [[]], { inventoryTypes })]);
      server.answer = (request, response) =>
        (request.headers['if-none-match'] === undefined ? status(200, {}, STAY) : answer)(request, response);
      const away = await pollNow(deps, feedId);
      assert.ok(away.ok && away.value.outcome === 'failed');
      await database.storage.writeProperties([suppliedWrite('ponte', [[]])]);
      const back = await pollNow(deps, feedId);
      assert.ok(back.ok && back.value.outcome !== 'failed');
      assert.equal(await closed(), '2026-12-20..2026-12-24');
    });
  }
});
