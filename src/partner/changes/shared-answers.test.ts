/** Equal questions share an answer; each that differs in anything gets its own, as if nobody else had asked. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import { keyring } from '../../../test/suites/changes/feed-fixture.ts';
import { NOW_MS } from '../../../test/suites/storage/fixture.ts';
import { samplePartner } from '../../../test/suites/storage/sample-rows.ts';
import { OPEN, suppliedWrite } from '../../../test/suites/storage/supply-samples.ts';
import { systemRandom } from '../../runtime/random.ts';
import type { HistoryMark } from '../../storage/history/revision.ts';
import type { Storage } from '../../storage/storage.ts';
import { CatalogueFeed } from './catalogue-feed.ts';
import type { FeedAnswer, FeedQuestion } from './change-feed.ts';
import { type FeedCursor, openCursor, sealCursor } from './feed-cursor.ts';
import { behind, type ShownCatalogue } from './recent-changes.ts';

const BOTH = ['acme', 'bolt'];

/** The clocks, and the state of memory. */
interface World {
  nowMs: number;
  uptimeMs: number;
  shown: ShownCatalogue | undefined;
}

function feedOf(storage: Storage, world: World): CatalogueFeed {
  return new CatalogueFeed({
    storage,
    shown: () => world.shown,
    pause: () => Promise.resolve(),
    uptimeMs: () => world.uptimeMs,
    keys: () => keyring,
    clock: () => world.nowMs,
    random: systemRandom,
    keptDays: 90,
  });
}

async function markOf(storage: Storage): Promise<HistoryMark> {
  const { newest: revision, stamp } = await storage.readMarks({ marks: [] });
  return { revision, stamp };
}

function ask(feed: CatalogueFeed, partnerId: string, cursor: FeedCursor, limit = 10): Promise<FeedAnswer> {
  const since = sealCursor(keyring, { partnerId, isTest: false }, cursor, systemRandom);
  return feed.ask({ partnerId, since, limit });
}

/** Without what each sealing makes again. */
function readable(answer: FeedAnswer, partnerId: string): unknown {
  if (answer.refused !== undefined) return answer;
  return { ...answer, next: openCursor(keyring, { partnerId, isTest: false }, answer.next) };
}

async function inWorld(work: (storage: Storage, world: World) => Promise<void>): Promise<void> {
  const temporary = await openTemporaryStorage();
  try {
    for (const id of BOTH) await temporary.storage.putPartner(samplePartner(id));
    await work(temporary.storage, { nowMs: NOW_MS, uptimeMs: 0, shown: undefined });
  } finally {
    await temporary.close();
  }
}

const write = (storage: Storage, id: string, given: object = {}, nights = [[OPEN], [OPEN]]) =>
  storage.writeProperties([suppliedWrite(id, nights, given)]);

async function show(storage: Storage, world: World): Promise<HistoryMark> {
  const history = await markOf(storage);
  world.shown = { revision: history.revision, history };
  return history;
}

/** A feed, and the cursor of a partner that has read the first property. */
async function begin(
  storage: Storage,
  world: World,
): Promise<{ readonly feed: CatalogueFeed; readonly since: string }> {
  await write(storage, 'a');
  const first = await show(storage, world);
  const cursor = { since: first, place: behind(first.revision), seen: first, atMs: NOW_MS };
  const since = sealCursor(keyring, { partnerId: 'acme', isTest: false }, cursor, systemRandom);
  return { feed: feedOf(storage, world), since };
}

describe('Shared answers of the feed of changes', () => {
  it('are distinguished by all that a question has', () =>
    inWorld(async (storage, world) => {
      await write(storage, 'a');
      const first = await show(storage, world);
      const start = { since: first, place: behind(first.revision), seen: first, atMs: NOW_MS };
      // One for all questions, and one for each that has answered no other.
      const feeds = Array.from({ length: 7 }, () => feedOf(storage, world));
      for (const feed of feeds) await ask(feed, 'acme', start);
      await write(storage, 'a', { name: 'other' });
      await write(storage, 'b', { visibleTo: ['acme'] });
      const second = await markOf(storage);
      await write(storage, 'a', { name: 'other' }, [[], [OPEN]]);
      const third = await show(storage, world);
      for (const feed of feeds)
        await ask(feed, 'acme', { ...start, since: third, place: behind(third.revision) });
      // Another thread shows it already.
      await write(storage, 'c');
      const fourth = await markOf(storage);

      const begun = { ...start, seen: third };
      const questions: readonly (readonly [string, FeedCursor, number?])[] = [
        ['acme', begun],
        ['bolt', begun],
        ['acme', begun, 1],
        ['acme', { ...begun, since: second }],
        ['acme', { ...begun, place: behind(second.revision) }],
        ['acme', { ...begun, seen: fourth }],
      ];
      const told: string[] = [];
      for (const [index, [partnerId, cursor, limit]] of questions.entries()) {
        const expected = readable(await ask(feeds[index]!, partnerId, cursor, limit), partnerId);
        const answer = readable(await ask(feeds.at(-1)!, partnerId, cursor, limit), partnerId);
        assert.deepEqual(answer, expected);
        told.push(JSON.stringify([partnerId, answer]));
      }
      assert.equal(new Set(told).size, questions.length, 'all of them differ');
    }));

  it('are distinguished by the partner and the limit beside one cursor, too', () =>
    inWorld(async (storage, world) => {
      const { feed, since } = await begin(storage, world);
      const question: FeedQuestion = { partnerId: 'acme', since, limit: 10 };
      await feed.ask(question);
      await write(storage, 'b');
      await write(storage, 'c');
      await show(storage, world);
      const whole = await feed.ask(question);
      assert.equal(await feed.ask(question), whole, 'one answer for all who ask the same');
      assert.deepEqual(whole.refused === undefined && whole.changes.length, 2);
      const page = await feed.ask({ ...question, limit: 1 });
      assert.deepEqual(page.refused === undefined && [page.changes.length, page.hasMore], [1, true]);
      assert.deepEqual(await feed.ask({ ...question, partnerId: 'bolt' }), { refused: 'invalid' });
    }));

  it('are of one state, and of one second', () =>
    inWorld(async (storage, world) => {
      const { feed, since } = await begin(storage, world);
      const answerOf = async () => {
        const answer = await feed.ask({ partnerId: 'acme', since, limit: 10 });
        assert.ok(answer.refused === undefined);
        const next = openCursor(keyring, { partnerId: 'acme', isTest: false }, answer.next);
        return [answer.changes.map(({ propertyId }) => propertyId).join(), (next as FeedCursor).atMs];
      };
      assert.deepEqual(await answerOf(), ['', NOW_MS]);
      await write(storage, 'b');
      await show(storage, world);
      assert.deepEqual(await answerOf(), ['b', NOW_MS]);
      world.nowMs += 1_001;
      world.uptimeMs += 1_001;
      assert.deepEqual(await answerOf(), ['b', NOW_MS + 1_001], 'a cursor is as old as its sweep');
    }));
});
