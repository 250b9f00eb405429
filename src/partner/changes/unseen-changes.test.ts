/** States that no commit ever showed are told to nobody. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PropertyWrite } from '../../domain/ledger/stored-write.ts';
import type { SupplyWork } from '../../domain/ledger/message.ts';
import type { Storage } from '../../storage/storage.ts';
import { serveFeed, type Serving, toldOf } from '../../../test/suites/changes/feed-fixture.ts';
import { NOW_MS, type OpenFixture, withNewStorage } from '../../../test/suites/storage/fixture.ts';
import { describePostgres, openPostgresFixture } from '../../../test/suites/storage/postgres-fixture.ts';
import { openSqliteFixture } from '../../../test/suites/storage/sqlite-fixture.ts';
import { OPEN, suppliedWrite, supplyMessage } from '../../../test/suites/storage/supply-samples.ts';
import { samplePartner } from '../../../test/suites/storage/sample-rows.ts';

function visibleTo(all: PropertyWrite['property']['visibleTo'], name = 'a'): PropertyWrite {
  return suppliedWrite('a', [[OPEN], [OPEN]], { visibleTo: all, name });
}

const withdrawal: SupplyWork = { kind: 'withdrawal', propertyId: 'a' };

function documentOf(write: PropertyWrite): SupplyWork {
  return { kind: 'document', write };
}

/** In one batch: behind a message that is underway. */
async function send(storage: Storage, ...works: readonly SupplyWork[]): Promise<void> {
  const messages = [{ kind: 'confirmation' } as const, ...works].map((work) => supplyMessage('pms', work));
  const answers = await Promise.all(messages.map((message) => storage.applySupply(message)));
  assert.ok(answers.every((answer) => answer.kind === 'done' && answer.outcome.verdict === 'applied'));
}

/** Two partners that follow from before `act`; what each is told of it. */
async function toldOfActs(serving: Serving, act: () => Promise<unknown>) {
  const partnerIds = ['acme', 'bolt'];
  await serving.level();
  const ask = (partnerId: string, since?: string) => serving.feed.ask({ partnerId, since, limit: 10 });
  const cursors = await Promise.all(partnerIds.map(async (id) => toldOf(await ask(id)).next));
  await act();
  await serving.level();
  const answers = await Promise.all(partnerIds.map((id, index) => ask(id, cursors[index])));
  return answers.map((answer) =>
    toldOf(answer)
      .changes.map(({ change }) => change)
      .join(),
  );
}

function describeUnseen(open: OpenFixture): void {
  const withFeed = (
    work: (storage: Storage, told: (act: () => Promise<unknown>) => Promise<string[]>) => Promise<void>,
  ) =>
    withNewStorage(open, async (storage) => {
      for (const id of ['acme', 'bolt']) await storage.putPartner(samplePartner(id));
      const serving = await serveFeed(storage);
      try {
        await work(storage, (act) => toldOfActs(serving, act));
      } finally {
        await serving.stop();
      }
    });

  it('a property that one batch creates and withdraws', () =>
    withFeed(async (storage, told) => {
      assert.deepEqual(await told(() => send(storage, documentOf(visibleTo('all')), withdrawal)), ['', '']);
      // It can come for real afterwards.
      assert.deepEqual(await told(() => send(storage, documentOf(visibleTo('all')))), ['content', 'content']);
    }));

  it('a property that one batch shows to another partner and withdraws', () =>
    withFeed(async (storage, told) => {
      await send(storage, documentOf(visibleTo(['acme'])));
      assert.deepEqual(await told(() => send(storage, documentOf(visibleTo(['bolt'])), withdrawal)), [
        'gone',
        '',
      ]);
    }));

  it('a property that is gone already is not gone once more', () =>
    withFeed(async (storage, told) => {
      await send(storage, documentOf(visibleTo('all')));
      assert.deepEqual(await told(() => send(storage, withdrawal)), ['gone', 'gone']);
      assert.deepEqual(await told(() => send(storage, documentOf(visibleTo('all')), withdrawal)), ['', '']);
    }));

  it('what left a view, once its time is over and not before', () =>
    withFeed(async (storage, told) => {
      await send(storage, documentOf(visibleTo('all')));
      const hide = () => send(storage, documentOf(visibleTo(['bolt'])));
      assert.equal(await storage.forgetViews(NOW_MS, 10), 0);
      const isTold = await told(async () => {
        await hide();
        assert.equal(await storage.forgetViews(NOW_MS, 10), 0);
      });
      assert.deepEqual(isTold, ['gone', '']);
      await send(storage, documentOf(visibleTo('all')));
      const isForgotten = await told(async () => {
        await hide();
        assert.equal(await storage.forgetViews(NOW_MS + 1, 10), 1);
      });
      assert.deepEqual(isForgotten, ['', '']);
      assert.deepEqual(await told(() => send(storage, documentOf(visibleTo('all')))), ['content', '']);
    }));

  it('the first of two writes of one id', () =>
    withFeed(async (storage, told) => {
      const twice = [visibleTo(['bolt'], 'x'), visibleTo(['acme'], 'y')];
      assert.deepEqual(await told(() => storage.writeProperties(twice)), ['content', '']);
      const there = [visibleTo(['bolt'], 'z'), visibleTo(['acme'], 'y')];
      assert.deepEqual(await told(() => storage.writeProperties(there)), ['', '']);
    }));
}

describe('The feed of changes tells nobody of: SQLite', () => describeUnseen(openSqliteFixture));
describePostgres('The feed of changes tells nobody of', (server) =>
  describeUnseen(openPostgresFixture(server)),
);
