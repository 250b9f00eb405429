/** One process judges for all: new stays first, and again when a city has changed. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JudgedUnmet, StoredUnmet } from '../../storage/activity/store.ts';
import type { JudgeQuestion } from './judge-stored.ts';
import { NOTHING_JUDGED, type StayJudgement } from './unmet-causes.ts';
import { BACKGROUND_FAILURES } from '../../storage/tasks/repeat.ts';
import { startDenialAnalysis } from './denial-analysis.ts';

const NOW_MS = 1_000_000_000;
const CHECK_IN = 20_000;

function stay(city: string, searches: number): StoredUnmet {
  const dates = { checkIn: CHECK_IN, nights: 2, guests: 2, childAges: '' };
  return { city, country: 'IT', ...dates, searches, judgedAtMs: null, judgement: null };
}

/** A table of stays and of claims, shared by several processes. */
function openTable(stays: StoredUnmet[]) {
  const claim = { holder: '', untilMs: 0 };
  const recorded: JudgedUnmet[] = [];
  const storage = {
    async claimTask(_task: string, holder: string, { nowMs, untilMs }: { nowMs: number; untilMs: number }) {
      if (claim.holder !== holder && claim.untilMs > nowMs) return false;
      Object.assign(claim, { holder, untilMs });
      return true;
    },
    readUnmet: async () => [...stays],
    async recordJudgements(judged: readonly JudgedUnmet[]) {
      recorded.push(...judged);
      for (const { judgedAtMs, judgement, city } of judged) {
        const index = stays.findIndex((one) => one.city === city);
        stays[index] = { ...stays[index]!, judgedAtMs, judgement };
      }
    },
  };
  return { storage, recorded, claim };
}

const BLOCKED = { propertyId: 'p0', inventoryTypeId: 'double', rule: 'sold_out', night: 20_000 } as const;
const OPENING: StayJudgement = {
  causes: [{ rule: 'sold_out', source: 'pms', properties: 1 }],
  blocked: [BLOCKED],
  nearest: { distance: 1, properties: 1 },
  isPassed: false,
};

function start(
  { storage }: ReturnType<typeof openTable>,
  holder: string,
  override: Partial<Parameters<typeof startDenialAnalysis>[0]> = {},
) {
  const warnings: string[] = [];
  const judge = startDenialAnalysis({
    storage,
    clock: () => NOW_MS,
    holder,
    horizonNights: 100,
    isReady: () => true,
    logger: {
      error: (_fields, message) => void warnings.push(message),
      warn: (_fields, message) => void warnings.push(message),
    },
    propertiesOf: () => ({ propertyIds: ['one'], revision: 1 }),
    judge: async ({ stays }) => stays.map(() => OPENING),
    pauses: { firstMs: 1, roundMs: 1 },
    ...override,
  });
  return { ...judge, warnings };
}

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await sleep(1);
}

describe('The judge of stays that found nothing', () => {
  it('adds up all properties of a city, a hundred at a time, and looks no further than the nearest', async () => {
    const table = openTable([stay('Venezia', 3)]);
    const propertyIds = Array.from({ length: 201 }, (_, index) => `p${index}`);
    const questions: JudgeQuestion[] = [];
    const judge = start(table, 'a', {
      propertiesOf: () => ({ propertyIds, revision: 1 }),
      async judge(question) {
        questions.push(question);
        return question.stays.map(() => OPENING);
      },
    });
    await until(() => table.recorded.length > 0);
    await judge.stop();
    assert.deepEqual(
      questions.flatMap((question) => question.propertyIds),
      propertyIds,
    );
    assert.deepEqual(
      questions.map(({ stays }) => stays[0]!.nearestDistance),
      [undefined, 1, 1],
    );
    assert.deepEqual(JSON.parse(table.recorded[0]!.judgement!), {
      causes: [{ rule: 'sold_out', source: 'pms', properties: 3 }],
      blocked: [BLOCKED, BLOCKED],
      nearest: { checkIn: CHECK_IN + 1, properties: 3 },
    });
  });

  it('one process of all judges stays; another goes on when it stops', async () => {
    const table = openTable([stay('Venezia', 3)]);
    const first = start(table, 'a');
    await until(() => table.recorded.length === 1);
    const asked: string[] = [];
    const second = start(table, 'b', {
      async judge({ stays }) {
        asked.push('b');
        return stays.map(() => OPENING);
      },
      // Another state than the one that the first has judged.
      clock: () => NOW_MS + 11_000,
    });
    await sleep(20);
    assert.deepEqual(asked, [], 'the first one has the claim');
    await first.stop();
    await until(() => asked.length > 0);
    await second.stop();
  });

  it('judges again when the city has changed, not before', async () => {
    const table = openTable([stay('Venezia', 3)]);
    const city = { revision: 1, nowMs: NOW_MS, rounds: 0 };
    const judge = start(table, 'a', {
      clock: () => city.nowMs,
      propertiesOf() {
        city.rounds += 1;
        return { propertyIds: ['one'], revision: city.revision };
      },
    });
    await until(() => city.rounds > 3);
    assert.equal(table.recorded.length, 1);
    city.nowMs += 11_000;
    const before = city.rounds;
    await until(() => city.rounds > before + 2);
    assert.equal(table.recorded.length, 1);
    city.revision = 2;
    await until(() => table.recorded.length === 2);
    await judge.stop();
  });

  it('goes on with other cities when one can not be judged, and says so once', async () => {
    const table = openTable([stay('Venezia', 9), stay('Como', 1)]);
    let failures = 0;
    const judge = start(table, 'a', {
      propertiesOf: (city) => ({ propertyIds: [city], revision: 1 }),
      async judge({ stays, propertyIds }) {
        if (propertyIds[0] === 'Venezia') {
          failures += 1;
          throw new Error('out of memory');
        }
        return stays.map(() => OPENING);
      },
    });
    await until(() => table.recorded.length === 1 && failures > 3);
    await judge.stop();
    assert.equal(table.recorded[0]!.city, 'Como');
    assert.ok(judge.warnings.every((line) => line === 'stays that found nothing are not judged now'));
    assert.ok(BACKGROUND_FAILURES.get('judge unmet demand')! > 3);
  });

  it('says nothing of a stay whose check-in has passed, and waits for the catalogue', async () => {
    const table = openTable([stay('Venezia', 9)]);
    let isReady = false;
    const judge = start(table, 'a', {
      isReady: () => isReady,
      judge: async ({ stays }) => stays.map(() => NOTHING_JUDGED),
    });
    await sleep(10);
    assert.equal(table.claim.holder, '');
    isReady = true;
    await until(() => table.recorded.length === 1);
    await judge.stop();
    assert.equal(table.recorded[0]!.judgement, null);
  });
});
