/** Several feeds of one inventory type on consecutive days: partners see the closings of all of them. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { feedDeps, subscribed } from '../../../test/kit/feed-deps.ts';
import { calendarText, type FeedServer, startFeedServer } from '../../../test/kit/feed-server.ts';
import { openTemporaryStorage, type TemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import { FIRST_NIGHT, nightEntry, suppliedWrite } from '../../../test/suites/storage/supply-samples.ts';
import { decodeCalendar } from '../../domain/calendar-codec.ts';
import { formatLocalDate } from '../../domain/local-date.ts';
import { type NightRuns, valueAt } from '../../domain/night-runs.ts';
import { type FeedDeps, pollNow } from './feed-changes.ts';
import { sourceOfFeed } from './feed-layer.ts';

const DAY_MS = 86_400_000;
const NOON_MS = FIRST_NIGHT * DAY_MS + DAY_MS / 2;
const NIGHTS = 40;
const FEEDS = 3;

let nowMs = NOON_MS;
let database: TemporaryStorage;
let server: FeedServer;
/** The current text of each feed, by its path. */
const texts = new Map<string, string>();
before(async () => {
  database = await openTemporaryStorage(() => nowMs);
  server = await startFeedServer();
  server.answer = (request, response) => void response.writeHead(200).end(texts.get(request.url!));
});
after(async () => {
  await server.close();
  await database.close();
});

type Stay = readonly [number, number];

/** Nights that the stays close, as numbers after FIRST_NIGHT. */
function nightsOf(stays: readonly Stay[]): Set<number> {
  return new Set(stays.flatMap(([from, length]) => Array.from({ length }, (_, index) => from + index)));
}

function textOf(stays: readonly Stay[]): string {
  const day = (night: number): string => formatLocalDate(FIRST_NIGHT + night);
  return calendarText(...stays.map(([from, length]) => [day(from), day(from + length)] as const));
}

/** The rule of holding back once more, night by night. */
class NaiveFeed {
  closed = new Set<number>();
  #held: Set<number> | undefined;
  #heldUntil = 0;
  #stayCount = 0;

  poll(stays: readonly Stay[], today: number): void {
    const said = nightsOf(stays);
    const stayCount = this.#held === undefined ? this.#stayCount : 0;
    this.#stayCount = stays.length;
    const closed = [...this.closed].filter((night) => night >= today);
    const opened = closed.filter((night) => !said.has(night));
    const isRepeated = this.#held !== undefined && sameFrom(this.#held, said, today);
    if (isRepeated && today < this.#heldUntil) return;
    if (closed.length > 0 && opened.length * 2 >= closed.length && !isRepeated) {
      this.#held = said;
      const isEmpty = [...said].every((night) => night < today);
      const runCount = closed.filter((night) => !this.closed.has(night - 1) || night === today).length;
      // Six hours end before the next day, and after the next poll of this one.
      const isWaiting = isEmpty && (runCount > 1 || stayCount > 1);
      this.#heldUntil = isWaiting ? today + 1 : today;
      // New closings apply at once.
      this.closed = this.closed.union(said);
      return;
    }
    this.closed = said;
    this.#held = undefined;
  }
}

function sameFrom(one: Set<number>, other: Set<number>, today: number): boolean {
  const from = (nights: Set<number>): string =>
    [...nights]
      .filter((night) => night >= today)
      .toSorted((a, b) => a - b)
      .join();
  return from(one) === from(other);
}

/** Ranges closed for partners (last night excluded), up to `until`. */
async function closedOf(propertyId: string, from: number, until: number): Promise<Stay[]> {
  const stored = (await database.storage.findProperty(propertyId))!;
  const { stopSell } = decodeCalendar(stored.calendars[0]!.nights, stored.calendars[0]!.rates);
  return stopSell
    .map((run): Stay => [Math.max(run.from - FIRST_NIGHT, from), Math.min(run.until - FIRST_NIGHT, until)])
    .filter(([first, end]) => first < end);
}

async function layerOf(propertyId: string, feedId: string): Promise<NightRuns> {
  const { layers } = (await database.storage.findLayers(propertyId))!;
  const layer = layers.find(({ source }) => source === sourceOfFeed(feedId));
  return layer === undefined ? [] : decodeCalendar(layer.nights, layer.rates).stopSell;
}

async function subscribeAll(deps: FeedDeps, propertyId: string): Promise<string[]> {
  const feedIds: string[] = [];
  for (let feed = 0; feed < FEEDS; feed += 1)
    feedIds.push(await subscribed(deps, { propertyId, url: `${server.url}/${propertyId}/${feed}` }));
  return feedIds;
}

describe('Feeds over time', () => {
  it('end in the naive combination, in whichever order they are polled', async () => {
    const stay = fc.tuple(fc.nat(NIGHTS), fc.integer({ min: 1, max: 9 }));
    const step = fc.record({
      feed: fc.nat(FEEDS - 1),
      stays: fc.array(stay, { maxLength: 4 }),
      pollCount: fc.integer({ min: 1, max: 2 }),
      daysLater: fc.constantFrom(0, 0, 1, 3),
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
        run += 1;
        nowMs = NOON_MS;
        const propertyId = `property-${run}`;
        await database.storage.writeProperties([
          suppliedWrite(propertyId, [[nightEntry(-5, 90, { availability: 1 })]]),
        ]);
        const deps = feedDeps(database.storage, () => nowMs);
        const feedIds = await subscribeAll(deps, propertyId);
        const naive = feedIds.map(() => new NaiveFeed());
        let today = 0;
        for (const { feed, stays, pollCount, daysLater } of steps) {
          today += daysLater;
          nowMs += daysLater * DAY_MS;
          texts.set(`/${propertyId}/${feed}`, textOf(stays));
          for (let poll = 0; poll < pollCount; poll += 1) {
            // No state of a feed is in memory: each poll may be that of a new process.
            const before = await layerOf(propertyId, feedIds[feed]!);
            const polled = await pollNow(
              feedDeps(database.storage, () => nowMs),
              feedIds[feed]!,
            );
            assert.ok(polled.ok && polled.value.outcome !== 'failed');
            naive[feed]!.poll(stays, today);
            const layer = await layerOf(propertyId, feedIds[feed]!);
            for (const night of nightsOf(stays)) {
              if (night >= today)
                assert.equal(valueAt(layer, FIRST_NIGHT + night), 1, `${night} is said closed`);
            }
            if (polled.value.outcome !== 'held') continue;
            for (let night = today; night < NIGHTS + 12; night += 1) {
              if (valueAt(before, FIRST_NIGHT + night) !== 1) continue;
              assert.equal(valueAt(layer, FIRST_NIGHT + night), 1, `${night} is held`);
            }
          }
        }
        const stored = (await database.storage.findProperty(propertyId))!;
        const { stopSell } = decodeCalendar(stored.calendars[0]!.nights, stored.calendars[0]!.rates);
        for (let night = today; night < NIGHTS + 12; night += 1) {
          const isClosed = valueAt(stopSell, FIRST_NIGHT + night) === 1;
          assert.equal(
            isClosed,
            naive.some(({ closed }) => closed.has(night)),
            `night ${night}`,
          );
        }
      }),
      { seed: 11, numRuns: 30 },
    );
  });

  it('follow blocks that move every day (advance notice, booking window) and hold nothing back', async () => {
    nowMs = NOON_MS;
    await database.storage.writeProperties([
      suppliedWrite('moving', [[nightEntry(-5, 900, { availability: 1 })]]),
    ]);
    const deps = feedDeps(database.storage, () => nowMs);
    const [feedId] = await subscribeAll(deps, 'moving');
    for (let today = 0; today < 30; today += 1) {
      // Two days' notice, a booking window of a month, and one stay, which vanishes once past.
      const blocks: Stay[] = [
        [today, 2],
        [today + 30, 365],
      ];
      const stay: Stay[] = today < 15 ? [[10, 5]] : [];
      texts.set('/moving/0', textOf([...blocks, ...stay]));
      const polled = await pollNow(deps, feedId!);
      assert.ok(polled.ok && polled.value.outcome === 'changed', `day ${today}: ${JSON.stringify(polled)}`);
      const expected = nightsOf([...blocks, ...stay]);
      const closed = nightsOf(
        (await closedOf('moving', today, 800)).map(([from, end]) => [from, end - from]),
      );
      assert.deepEqual(
        [...closed].filter((night) => !expected.has(night)),
        [],
        `day ${today}`,
      );
      assert.deepEqual(
        [...expected].filter((night) => night >= today && !closed.has(night)),
        [],
      );
      nowMs += DAY_MS;
    }
  });

  it('close the nights that come within the horizon, of a calendar that never changes', async () => {
    nowMs = NOON_MS;
    await database.storage.writeProperties([
      suppliedWrite('far', [[nightEntry(-5, 900, { availability: 1 })]]),
    ]);
    const deps = feedDeps(database.storage, () => nowMs);
    const [feedId] = await subscribeAll(deps, 'far');
    const text = textOf([[700, 100]]);
    server.answer = (request, response) => {
      const isKnown = request.headers['if-none-match'] === '"1"';
      response.writeHead(isKnown ? 304 : 200, { etag: '"1"' }).end(isKnown ? '' : text);
    };
    for (let today = 0; today < 40; today += 1) {
      for (let poll = 0; poll < 3; poll += 1) await pollNow(deps, feedId!);
      const [block] = await closedOf('far', 0, today + 730);
      assert.deepEqual(block, [700, Math.min(800, today + 730)], `day ${today}`);
      nowMs += DAY_MS;
    }
    assert.ok(server.requests.some(({ headers }) => headers['if-none-match'] === '"1"'));
  });
});
