import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NOW_MS, type OpenFixture, withStorage } from './fixture.ts';

export function describeTasks(open: OpenFixture): void {
  describe('tasks', () => {
    it('belong to who claims them first, until the claim ends', () =>
      withStorage(open, async (storage) => {
        const claim = (holder: string, nowMs: number, untilMs: number) =>
          storage.claimTask('delete', holder, { nowMs: NOW_MS + nowMs, untilMs: NOW_MS + untilMs });
        assert.equal(await storage.readClaimEnd('delete'), 0);
        assert.equal(await claim('a', 0, 10), true);
        assert.equal(await storage.readClaimEnd('delete'), NOW_MS + 10);
        assert.equal(await claim('b', 9, 20), false);
        assert.equal(await claim('a', 9, 19), true, 'its holder may claim it again');
        assert.equal(await claim('b', 18, 30), false);
        assert.equal(await claim('b', 19, 30), true);
        assert.equal(await claim('a', 20, 40), false);
        assert.equal(await claim('b', 21, 21), true, 'given back');
        assert.equal(await claim('a', 21, 40), true);
        const other = { nowMs: NOW_MS, untilMs: NOW_MS + 1 };
        assert.equal(await storage.claimTask('another', 'b', other), true);
        assert.equal(await storage.readRevision(), 0);
      }));

    it('are free where a claim ends later than any may: its clock was ahead', () =>
      withStorage(open, async (storage) => {
        const claim = (holder: string, aheadMs: number, longestMs?: number) =>
          storage.claimTask('delete', holder, {
            nowMs: NOW_MS + aheadMs,
            untilMs: NOW_MS + aheadMs + 10,
            ...(longestMs === undefined ? {} : { longestMs }),
          });
        assert.equal(await claim('a', 1_000), true);
        assert.equal(await claim('b', 0), false);
        assert.equal(await claim('b', 0, 1_010), false);
        assert.equal(await claim('b', 0, 1_009), true);
        assert.equal(await storage.readClaimEnd('delete'), NOW_MS + 10);
      }));

    it('are of nobody while the clock shows no time', () =>
      withStorage(open, async (storage) => {
        const term = { nowMs: Number.NaN, untilMs: Number.NaN };
        assert.equal(await storage.claimTask('delete', 'a', term), false);
        assert.equal(await storage.readClaimEnd('delete'), 0);
      }));

    it('are given to one of many that ask at once', () =>
      withStorage(open, async (storage, { openAnother }) => {
        const askers = [storage, await openAnother(), await openAnother(), await openAnother()];
        const term = { nowMs: NOW_MS, untilMs: NOW_MS + 1000 };
        const answers = await Promise.all(
          askers.map((asker, index) => asker.claimTask('delete', `holder ${index}`, term)),
        );
        assert.equal(answers.filter(Boolean).length, 1);
      }));
  });
}
