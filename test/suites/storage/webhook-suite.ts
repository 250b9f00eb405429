import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HandoffVisit } from '../../../src/storage/attribution/store.ts';
import type { ConversionReport } from '../../../src/storage/conversions/store.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import {
  type ChangeListener,
  type NewDelivery,
  TRIES_MAX,
  type Webhook,
  WEBHOOK_EVENTS,
  WEBHOOK_KEYS_MAX,
  WEBHOOKS_PER_PARTNER_MAX,
} from '../../../src/storage/webhooks/store.ts';
import { NOW_MS, type OpenFixture, withStorage } from './fixture.ts';
import { sampleCredential, samplePartner, sampleQuote } from './sample-rows.ts';

const DAY_MS = 86_400_000;
const TERM = { nowMs: NOW_MS, leaseUntilMs: NOW_MS + 30_000 };

export function sampleWebhook(webhookId: string, changes: Partial<Webhook> = {}): Webhook {
  return {
    webhookId,
    partnerId: 'partner',
    url: 'https://partner.example/hooks?token=hidden',
    events: WEBHOOK_EVENTS,
    createdAtMs: NOW_MS,
    disabledAtMs: null,
    disabledReason: null,
    failingSinceMs: null,
    ...changes,
  };
}

export function sampleKey(name: string, createdAtMs = NOW_MS) {
  return { secret: `secret-${name}`, privateKey: `private-${name}`, createdAtMs };
}

export function sampleDelivery(deliveryId: string, changes: Partial<NewDelivery> = {}): NewDelivery {
  return { deliveryId, webhookId: 'a', event: 'webhook.test', body: '{}', createdAtMs: NOW_MS, ...changes };
}

function visit(quoteId: string, changes: Partial<HandoffVisit> = {}): HandoffVisit {
  return {
    quoteId,
    openedCount: 1,
    firstOpenedAtMs: NOW_MS,
    outcome: 'unchanged',
    priceChangePerMille: null,
    continuedAtMs: null,
    ...changes,
  };
}

function booking(quoteId: string, reference: string, changes: Partial<ConversionReport> = {}) {
  return {
    quoteId,
    reference,
    status: 'booked',
    total: null,
    currency: null,
    atMs: NOW_MS,
    ...changes,
  } as const;
}

/** With a partner `partner` and webhook `a` of it. */
function withWebhook(
  open: OpenFixture,
  body: (storage: Storage, openAnother: () => Promise<Storage>) => Promise<void>,
  changes: Partial<Webhook> = {},
): Promise<void> {
  return withStorage(open, async (storage, { openAnother }) => {
    await storage.putPartner(samplePartner('partner'));
    assert.equal(await storage.insertWebhook(sampleWebhook('a', changes), sampleKey('a')), 'inserted');
    await body(storage, openAnother);
  });
}

async function eventsOf(storage: Storage, webhookId = 'a'): Promise<string[]> {
  return (await storage.listDeliveries(webhookId, 100)).map(({ event }) => event).toSorted();
}

/** Takes a delivery that is due, and says what came of it. */
async function attempt(
  storage: Storage,
  kind: 'delivered' | 'failed',
  { nowMs = NOW_MS, nextAttemptAtMs = NOW_MS + 1 } = {},
): Promise<void> {
  const [due] = await storage.listDueDeliveries(nowMs);
  assert.ok(due);
  const [taken] = await storage.takeDeliveries([due.deliveryId], { nowMs, leaseUntilMs: nowMs + 30_000 });
  assert.ok(taken);
  const outcome =
    kind === 'failed' ? { kind, status: 500, nextAttemptAtMs } : ({ kind, status: 204 } as const);
  assert.ok(await storage.settleDelivery(taken, outcome, nowMs));
}

export function describeWebhooks(open: OpenFixture): void {
  describe('webhooks', () => {
    it('that are disabled do not count, until they are enabled', () =>
      withStorage(open, async (storage) => {
        await storage.putPartner(samplePartner('partner'));
        const insert = (webhookId: string) =>
          storage.insertWebhook(sampleWebhook(webhookId), sampleKey(webhookId));
        for (let count = 0; count < WEBHOOKS_PER_PARTNER_MAX; count += 1)
          assert.equal(await insert(`w${count}`), 'inserted');
        assert.equal(await insert('next'), 'tooMany');
        await storage.disableWebhook('w0', NOW_MS, 'operator');
        assert.equal(await insert('next'), 'inserted');
        assert.equal(await storage.enableWebhook('w0'), 'tooMany');
        assert.equal((await storage.deleteWebhook('next'))?.webhookId, 'next');
        assert.equal(await storage.deleteWebhook('next'), undefined);
        assert.equal(((await storage.enableWebhook('w0')) as Webhook).disabledReason, null);
      }));

    it('keep the reason of the operator, whatever is answered late', () =>
      withStorage(open, async (storage) => {
        await storage.putPartner(samplePartner('partner'));
        await storage.insertWebhook(sampleWebhook('a'), sampleKey('a'));
        await storage.disableWebhook('a', NOW_MS, 'operator');
        for (const reason of ['gone', 'failing'] as const)
          assert.equal((await storage.disableWebhook('a', NOW_MS, reason))?.disabledReason, 'operator');
      }));

    it('at another URL begin again: a try under way settles nothing, and old keys end when they are told to', () =>
      withStorage(open, async (storage) => {
        await storage.putPartner(samplePartner('partner'));
        await storage.insertWebhook(sampleWebhook('a'), sampleKey('a'));
        await storage.insertDeliveries([sampleDelivery('d')]);
        const term = { nowMs: NOW_MS, leaseUntilMs: NOW_MS + 30_000 };
        const [taken] = await storage.takeDeliveries(['d'], term);
        await storage.updateWebhook('a', { url: 'https://other.example/' });
        assert.equal(
          await storage.settleDelivery(taken!, { kind: 'failed', status: 410, nextAttemptAtMs: 1 }, NOW_MS),
          undefined,
        );
        await storage.rotateWebhookKey('a', sampleKey('b', NOW_MS + 1), NOW_MS + 1_000);
        const keyCount = async () => {
          const [again] = await storage.takeDeliveries(['d'], term);
          assert.equal(again?.url, 'https://other.example/');
          await storage.settleDelivery(again!, { kind: 'given-back' }, NOW_MS);
          return again?.keys.length;
        };
        assert.equal(await keyCount(), 2);
        assert.equal(await storage.endOldWebhookKeys('a', NOW_MS), 1);
        assert.equal(await keyCount(), 1);
        assert.equal(await storage.endOldWebhookKeys('nobody', NOW_MS), undefined);
      }));

    it('of a disabled partner send no test, and say why a try had no status', () =>
      withStorage(open, async (storage) => {
        await storage.putPartner(samplePartner('partner'));
        await storage.insertWebhook(sampleWebhook('a'), sampleKey('a'));
        await storage.insertDeliveries([sampleDelivery('d')]);
        const [taken] = await storage.takeDeliveries(['d'], { nowMs: NOW_MS, leaseUntilMs: NOW_MS + 1 });
        const wrong = { code: 'connectionFailedWith', values: { code: 'ECONNRESET' } } as const;
        const failed = {
          kind: 'failed',
          status: null,
          error: 'away',
          wrong,
          nextAttemptAtMs: NOW_MS,
        } as const;
        await storage.settleDelivery(taken!, failed, NOW_MS);
        const [tried] = await storage.listDeliveries('a', 1);
        assert.deepEqual([tried?.lastError, tried?.lastWrong], ['away', wrong]);
        const [again] = await storage.takeDeliveries(['d'], { nowMs: NOW_MS, leaseUntilMs: NOW_MS + 1 });
        await storage.settleDelivery(again!, { kind: 'delivered', status: 204 }, NOW_MS);
        const [delivered] = await storage.listDeliveries('a', 1);
        assert.deepEqual([delivered?.lastError, delivered?.lastWrong], [null, null]);
        await storage.putPartner({ ...samplePartner('partner'), disabled: true });
        const test = sampleDelivery('e');
        assert.equal(await storage.insertTestDelivery(test), 'partnerDisabled');
        assert.equal(await storage.insertTestDelivery({ ...test, webhookId: 'nobody' }), 'unknown');
      }));

    describeWebhookActs(open);
    describeOutbox(open);
    describeSending(open);
    describeAnnouncing(open);
  });
}

function describeWebhookActs(open: OpenFixture): void {
  it('are of a partner that exists, so many of each', () =>
    withWebhook(open, async (storage) => {
      assert.equal(
        await storage.insertWebhook(sampleWebhook('b', { partnerId: 'nobody' }), sampleKey('b')),
        'partnerUnknown',
      );
      for (let count = 1; count < WEBHOOKS_PER_PARTNER_MAX; count += 1)
        assert.equal(await storage.insertWebhook(sampleWebhook(`x${count}`), sampleKey('x')), 'inserted');
      assert.equal(await storage.insertWebhook(sampleWebhook('b'), sampleKey('b')), 'tooMany');
      assert.deepEqual(await storage.findWebhook('a'), sampleWebhook('a'));
      assert.equal((await storage.listWebhooks()).length, WEBHOOKS_PER_PARTNER_MAX);
    }));

  it('are in the audit trail, without secrets and without the path of the URL', () =>
    withStorage(open, async (storage) => {
      await storage.putPartner(samplePartner('partner'));
      const signed = storage.asAuthor({ person: 'command line', role: null, act: 'webhook create' });
      await signed.insertWebhook(sampleWebhook('a'), sampleKey('a'));
      await signed.rotateWebhookKey('a', sampleKey('b', NOW_MS + 1), NOW_MS + DAY_MS);
      await signed.disableWebhook('a', NOW_MS, 'operator');
      await signed.enableWebhook('a');
      await signed.insertTestDelivery(sampleDelivery('t'));
      await attempt(storage, 'delivered');
      await signed.replayDelivery('t');
      const entries = await storage.readAudit(0, 100);
      assert.equal(entries.length, 6);
      assert.doesNotMatch(JSON.stringify(entries), /secret|private|hidden/);
    }));

  it('sign with old keys until these end, and with so many at once', () =>
    withWebhook(open, async (storage) => {
      for (let count = 1; count < WEBHOOK_KEYS_MAX; count += 1) {
        const key = sampleKey(`b${count}`, NOW_MS + count);
        assert.equal(await storage.rotateWebhookKey('a', key, NOW_MS + count + DAY_MS), 'rotated');
      }
      const last = sampleKey('z', NOW_MS + 9);
      assert.equal(await storage.rotateWebhookKey('a', last, NOW_MS + DAY_MS), 'tooMany');
      assert.equal(await storage.rotateWebhookKey('nobody', last, NOW_MS), 'unknown');
      const signedAt = async (nowMs: number): Promise<string[]> => {
        await storage.insertDeliveries([sampleDelivery(`at-${nowMs}`)]);
        const [taken] = await storage.takeDeliveries([`at-${nowMs}`], { nowMs, leaseUntilMs: nowMs });
        return taken!.keys.map(({ secret }) => secret);
      };
      const all = ['secret-b4', 'secret-b3', 'secret-b2', 'secret-b1', 'secret-a'];
      assert.deepEqual(await signedAt(NOW_MS + DAY_MS), all);
      assert.deepEqual(await signedAt(NOW_MS + 1 + DAY_MS), all.slice(0, -1));
      assert.deepEqual(await signedAt(NOW_MS + 9 * DAY_MS), ['secret-b4']);
      const later = sampleKey('late', NOW_MS + 2 * DAY_MS);
      assert.equal(await storage.rotateWebhookKey('a', later, NOW_MS + 3 * DAY_MS), 'rotated');
    }));

  it('get a new key twice in a millisecond, and under a clock that went back', () =>
    withWebhook(open, async (storage) => {
      for (const [name, atMs] of [
        ['b', NOW_MS],
        ['c', NOW_MS],
        ['d', NOW_MS - DAY_MS],
      ] as const)
        assert.equal(await storage.rotateWebhookKey('a', sampleKey(name, atMs), NOW_MS + DAY_MS), 'rotated');
      await storage.insertDeliveries([sampleDelivery('t')]);
      const [taken] = await storage.takeDeliveries(['t'], { nowMs: NOW_MS, leaseUntilMs: NOW_MS });
      const secrets = taken!.keys.map(({ secret }) => secret);
      assert.deepEqual(secrets, ['secret-d', 'secret-c', 'secret-b', 'secret-a']);
    }));

  it('drop what waits when they are disabled, and what happens until they are enabled', () =>
    withWebhook(open, async (storage) => {
      await storage.insertQuote(sampleQuote('q'));
      await storage.insertQuote(sampleQuote('r'));
      await storage.insertTestDelivery(sampleDelivery('t'));
      const disabled = await storage.disableWebhook('a', NOW_MS, 'failing');
      assert.deepEqual([disabled?.disabledAtMs, disabled?.disabledReason], [NOW_MS, 'failing']);
      const again = await storage.disableWebhook('a', NOW_MS + 5, 'operator');
      assert.deepEqual([again?.disabledAtMs, again?.disabledReason], [NOW_MS, 'operator']);
      await storage.recordVisits([visit('q')]);
      assert.equal(await storage.insertTestDelivery(sampleDelivery('u')), 'disabled');
      assert.equal(await storage.replayDelivery('t'), 'disabled');
      const [dropped] = await storage.listDeliveries('a', 9);
      assert.deepEqual([dropped?.status, dropped?.nextAttemptAtMs], ['failed', null]);
      assert.deepEqual(await storage.enableWebhook('a'), sampleWebhook('a'));
      await storage.recordVisits([visit('q'), visit('r')]);
      assert.deepEqual(await eventsOf(storage), ['quote.opened', 'webhook.test']);
      assert.equal(await storage.enableWebhook('nobody'), 'unknown');
      assert.equal(await storage.disableWebhook('nobody', 1, 'gone'), undefined);
    }));

  it('are counted by state', () =>
    withWebhook(open, async (storage) => {
      for (const id of ['b', 'c', 'd']) await storage.insertWebhook(sampleWebhook(id), sampleKey(id));
      await storage.disableWebhook('b', NOW_MS, 'operator');
      await storage.disableWebhook('c', NOW_MS, 'gone');
      await storage.insertDeliveries([sampleDelivery('t'), sampleDelivery('u', { createdAtMs: NOW_MS - 7 })]);
      assert.deepEqual(await storage.summarizeWebhooks(), {
        counts: { ok: 2, failing: 0, disabled: 1, stopped: 1 },
        oldestUntriedMs: NOW_MS - 7,
      });
      await attempt(storage, 'failed');
      await attempt(storage, 'failed');
      assert.deepEqual(await storage.summarizeWebhooks(), {
        counts: { ok: 1, failing: 1, disabled: 1, stopped: 1 },
        oldestUntriedMs: null,
      });
    }));
}

function describeOutbox(open: OpenFixture): void {
  it('are told once of each thing that a traveller does with a quote, by two processes', () =>
    withWebhook(open, async (storage, openAnother) => {
      const other = await openAnother();
      await storage.insertQuote(sampleQuote('q', { propertyId: 'ponte' }));
      await storage.recordVisits([visit('q', { openedCount: 0, firstOpenedAtMs: null, outcome: null })]);
      assert.deepEqual(await eventsOf(storage), []);
      await storage.recordVisits([visit('q', { outcome: null })]);
      assert.deepEqual(await eventsOf(storage), ['quote.opened']);
      const changed = visit('q', { outcome: 'price_changed', continuedAtMs: NOW_MS + 9 });
      await Promise.all([storage.recordVisits([changed]), other.recordVisits([changed])]);
      await other.recordVisits([changed, visit('unknown')]);
      assert.deepEqual(await eventsOf(storage), ['quote.continued', 'quote.opened', 'quote.price_changed']);
      const stored = await storage.listDeliveries('a', 9);
      const taken = await storage.takeDeliveries(
        stored.map(({ deliveryId }) => deliveryId),
        TERM,
      );
      const bodies = taken.map(({ body }) => body);
      assert.deepEqual(
        bodies
          .map((body) => JSON.parse(body) as object)
          .find((body) => 'type' in body && body.type === 'quote.continued'),
        {
          type: 'quote.continued',
          timestamp: new Date(NOW_MS + 9).toISOString(),
          data: { quoteId: 'q', propertyId: 'ponte' },
        },
      );
    }));

  it('are told once that a quote was booked, by however many reports at once', () =>
    withWebhook(open, async (storage, openAnother) => {
      const other = await openAnother();
      await storage.insertQuote(sampleQuote('q'));
      await storage.recordConversion(booking('q', 'early', { status: 'cancelled' }));
      assert.deepEqual(await eventsOf(storage), []);
      const reports = ['r1', 'r2', 'r3', 'r1'].map((reference, index) =>
        (index % 2 === 0 ? storage : other).recordConversion(booking('q', reference)),
      );
      await Promise.all(reports);
      assert.deepEqual(await eventsOf(storage), ['quote.converted']);
    }));

  it('hear of their own partner, of what they listen to, and of no quote of the sandbox', () =>
    withWebhook(
      open,
      async (storage) => {
        await storage.putPartner(samplePartner('other'));
        await storage.insertWebhook(sampleWebhook('b', { partnerId: 'other' }), sampleKey('b'));
        await storage.insertQuote(sampleQuote('q'));
        await storage.insertQuote(sampleQuote('test', { isTest: true }));
        await storage.recordVisits([visit('q'), visit('test', { continuedAtMs: NOW_MS })]);
        await storage.recordConversion(booking('q', 'r'));
        await storage.recordConversion(booking('test', 't'));
        assert.deepEqual(await eventsOf(storage, 'a'), ['quote.converted']);
        assert.deepEqual(await eventsOf(storage, 'b'), []);
      },
      { events: ['quote.converted'] },
    ));

  it('are told of hundreds of visits at once', () =>
    withWebhook(open, async (storage) => {
      const ids = Array.from({ length: 77 }, (_, index) => `q${index}`);
      for (const id of ids) await storage.insertQuote(sampleQuote(id));
      await storage.recordVisits(ids.map((id) => visit(id)));
      assert.equal((await storage.listDeliveries('a', 1000)).length, ids.length);
    }));

  it('are told nothing while their partner is disabled', () =>
    withWebhook(open, async (storage) => {
      await storage.insertTestDelivery(sampleDelivery('t'));
      await storage.updatePartner('partner', { disabled: true });
      await storage.insertQuote(sampleQuote('q'));
      await storage.recordVisits([visit('q')]);
      assert.deepEqual(await eventsOf(storage), ['webhook.test']);
      assert.deepEqual(await storage.listDueDeliveries(NOW_MS), []);
    }));
}

function describeSending(open: OpenFixture): void {
  it('of two that take a delivery at once, one gets it; the lease ends', () =>
    withWebhook(open, async (storage, openAnother) => {
      const other = await openAnother();
      await storage.insertTestDelivery(sampleDelivery('t'));
      const due = [{ webhookId: 'a', partnerId: 'partner', deliveryId: 't', isFailing: false }];
      assert.deepEqual(await storage.listDueDeliveries(NOW_MS), due);
      const both = await Promise.all([storage, other].map((one) => one.takeDeliveries(['t'], TERM)));
      assert.deepEqual(
        both.flat().map(({ deliveryId, attempts }) => [deliveryId, attempts]),
        [['t', 1]],
      );
      assert.deepEqual(await storage.listDueDeliveries(NOW_MS), []);
      assert.deepEqual(await storage.listDueDeliveries(TERM.leaseUntilMs), due);
      // Who was late is not heard any more.
      assert.equal((await storage.takeDeliveries(['t'], { ...TERM, nowMs: TERM.leaseUntilMs })).length, 1);
      const late = { deliveryId: 't', attempts: 1 };
      assert.equal(await storage.settleDelivery(late, { kind: 'delivered', status: 200 }, NOW_MS), undefined);
      await storage.settleDelivery({ deliveryId: 't', attempts: 2 }, { kind: 'given-back' }, NOW_MS);
      assert.deepEqual(await storage.listDueDeliveries(NOW_MS), due);
    }));

  it('are due at once whatever the clock says, and fail after so many tries', () =>
    withWebhook(open, async (storage) => {
      await storage.insertTestDelivery(sampleDelivery('t', { createdAtMs: NOW_MS + DAY_MS }));
      for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
        assert.deepEqual((await storage.listDueDeliveries(NOW_MS + tries)).length, 1);
        await attempt(storage, 'failed', { nowMs: NOW_MS + tries, nextAttemptAtMs: NOW_MS + tries + 1 });
      }
      const [failed] = await storage.listDeliveries('a', 9);
      assert.deepEqual(
        [failed?.status, failed?.attempts, failed?.lastStatus, failed?.nextAttemptAtMs],
        ['failed', TRIES_MAX, 500, null],
      );
      assert.equal((await storage.findWebhook('a'))?.failingSinceMs, NOW_MS + 1);
      const replayed = await storage.replayDelivery('t');
      assert.equal((replayed as { status: string }).status, 'pending');
      assert.equal(await storage.replayDelivery('t'), 'pending');
      assert.equal(await storage.replayDelivery('nobody'), 'unknown');
      await attempt(storage, 'failed');
      assert.deepEqual(await storage.listDueDeliveries(Number.MAX_SAFE_INTEGER), []);
      await storage.replayDelivery('t');
      await attempt(storage, 'delivered');
      const [delivered] = await storage.listDeliveries('a', 9);
      assert.deepEqual([delivered?.status, delivered?.lastStatus], ['delivered', 204]);
      assert.equal((await storage.findWebhook('a'))?.failingSinceMs, null);
    }));

  it('are due again when the clock that planned them was ahead', () =>
    withWebhook(open, async (storage) => {
      await storage.insertDeliveries([sampleDelivery('t'), sampleDelivery('u')]);
      await attempt(storage, 'failed', { nextAttemptAtMs: NOW_MS + 60_000 });
      await attempt(storage, 'failed', { nowMs: NOW_MS + DAY_MS, nextAttemptAtMs: NOW_MS + DAY_MS + 1 });
      assert.equal(await storage.recallDeliveries(NOW_MS), 1);
      assert.equal((await storage.listDueDeliveries(NOW_MS)).length, 1);
    }));

  it('are deleted by age, and beyond so many of each, apart from notices of credentials', () =>
    withWebhook(open, async (storage) => {
      await storage.insertWebhook(sampleWebhook('b'), sampleKey('b'));
      const many = Array.from({ length: 12 }, (_, index) =>
        sampleDelivery(`d${String(index).padStart(2, '0')}`, { createdAtMs: NOW_MS + index }),
      );
      const notice = sampleDelivery('c', { event: 'credential.expiring', createdAtMs: NOW_MS + 2 });
      await storage.insertDeliveries([...many, notice, sampleDelivery('b', { webhookId: 'b' })]);
      assert.equal(await storage.deleteDeliveriesBefore(NOW_MS + 2, 2), 2);
      assert.equal(await storage.deleteDeliveriesBefore(NOW_MS + 2, 2), 1);
      assert.equal(await storage.trimDeliveries(5, 3), 3);
      assert.equal(await storage.trimDeliveries(5, 3), 2);
      assert.equal(await storage.trimDeliveries(5, 3), 0);
      const kept = (await storage.listDeliveries('a', 99)).map(({ deliveryId }) => deliveryId);
      assert.deepEqual(kept, ['d11', 'd10', 'd09', 'd08', 'd07', 'c']);
    }));
}

function describeAnnouncing(open: OpenFixture): void {
  const PAUSE_MS = 300_000;
  const news = (deliveryId: string, createdAtMs = NOW_MS): NewDelivery =>
    sampleDelivery(deliveryId, { event: 'changes.available', createdAtMs });
  const listener = async (storage: Storage): Promise<ChangeListener> =>
    (await storage.listChangeListeners())[0]!;

  it('are told of changes once by two processes, and one message waits at most', () =>
    withWebhook(open, async (storage, openAnother) => {
      const other = await openAnother();
      const first = await listener(storage);
      const created = await storage.readRevision();
      assert.deepEqual(first, {
        webhookId: 'a',
        partnerId: 'partner',
        changesRevision: created,
        changesAtMs: null,
      });
      const told = (after: number): number => created + after;
      for (const partnerId of ['b', 'c', 'd']) await storage.putPartner(samplePartner(partnerId));
      const said = await Promise.all(
        [storage, other].map((one, index) =>
          one.announceChanges(first, told(1), news(`n${index}`), PAUSE_MS),
        ),
      );
      assert.deepEqual(said.toSorted(), [false, true]);
      assert.equal((await listener(storage)).changesRevision, told(1));
      // The first one, which nobody has tried, tells of these, too.
      const later = news('later');
      assert.equal(await storage.announceChanges(await listener(storage), told(2), later, PAUSE_MS), false);
      assert.equal((await listener(storage)).changesRevision, told(2));
      await attempt(storage, 'failed', { nextAttemptAtMs: NOW_MS + DAY_MS });
      const soon = news('soon', NOW_MS + PAUSE_MS - 1);
      assert.equal(await storage.announceChanges(await listener(storage), told(3), soon, PAUSE_MS), false);
      assert.equal((await listener(storage)).changesRevision, told(2));
      const late = news('late', NOW_MS + PAUSE_MS);
      // No more than the database has.
      assert.equal(await storage.announceChanges(await listener(storage), told(9), late, PAUSE_MS), true);
      assert.equal((await listener(storage)).changesRevision, told(3));
      const statuses = (await storage.listDeliveries('a', 9)).map(({ status }) => status);
      assert.deepEqual(statuses, ['pending', 'failed']);
    }));

  it('begin again from now on when they are enabled', () =>
    withWebhook(open, async (storage) => {
      await storage.disableWebhook('a', NOW_MS, 'operator');
      assert.deepEqual(await storage.listChangeListeners(), []);
      await storage.putPartner(samplePartner('another'));
      await storage.enableWebhook('a');
      assert.equal((await listener(storage)).changesRevision, await storage.readRevision());
    }));

  it('are asked for by credentials that end soon and were not revoked', () =>
    withWebhook(open, async (storage) => {
      const credential = (
        credentialId: string,
        expiresAtMs: number | null,
        revokedAtMs: number | null = null,
      ) =>
        sampleCredential(credentialId, {
          partnerId: 'partner',
          tokenHash: credentialId,
          expiresAtMs,
          revokedAtMs,
        });
      await storage.putCredentials([
        credential('ended', NOW_MS),
        credential('soon', NOW_MS + 1),
        credential('edge', NOW_MS + 9),
        credential('later', NOW_MS + 10),
        credential('never', null),
        credential('revoked', NOW_MS + 5, NOW_MS),
      ]);
      const expiring = await storage.listExpiringCredentials(NOW_MS, NOW_MS + 9);
      assert.deepEqual(expiring, [
        { credentialId: 'soon', expiresAtMs: NOW_MS + 1, webhookId: 'a' },
        { credentialId: 'edge', expiresAtMs: NOW_MS + 9, webhookId: 'a' },
      ]);
    }));
}
