import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inEnglish, isSayable, sayWrong, type Told, Wrong } from '../../domain/wrong.ts';
import { whyUnanswered } from '../../partner/webhooks/webhook-changes.ts';
import type { Delivery } from '../../storage/webhooks/store.ts';
import { supplyPage } from '../pages/supply/page.ts';
import type { SupplyShown } from '../pages/supply/read.ts';
import { todayPage } from '../pages/today/page.ts';
import type { TodayShown } from '../pages/today/read.ts';
import { webhookPage } from '../pages/webhooks/page.ts';
import type { WebhookShown } from '../pages/webhooks/read.ts';
import { viewOf } from './elements.ts';
import { formatPage, type PageParts } from './frame.ts';
import { storedReason } from './reason-text.ts';

/** As a newer release stores them, or somebody by hand. */
const STRANGE: readonly unknown[] = [
  undefined,
  null,
  'required',
  {},
  { code: 'required' },
  { code: 'required', values: null },
  { code: 'toString', values: {} },
  { code: 'neverHeardOf', values: {} },
  { code: 'tooLong', values: {} },
  { code: 'tooLong', values: { max: null } },
  { code: 'urlWrong', values: { wrong: { code: 'neverHeardOf', values: {} } } },
];

const VIEW = viewOf({
  locale: 'it-IT',
  root: '/',
  nowMs: 0,
  formId: 'f',
  person: undefined,
  leadsToSetup: false,
});
const drawn = (parts: PageParts): string => formatPage(VIEW, 'supply', '', parts);
const IN_ENGLISH = /<span lang="en"><bdi[^>]*>it failed<\/bdi><\/span>/;

describe('A stored reason', () => {
  const said = (wrong: unknown): string => storedReason(VIEW, wrong, 'it failed').text;

  it('is sayable where this program has its code, and a value for each name', () => {
    const told = JSON.parse(JSON.stringify(new Wrong('notGiven', { wrong: new Wrong('notText'), given: 1 })));
    assert.ok(isSayable(told));
    assert.match(said(told), /<bdi[^>]*>deve essere un testo, non 1<\/bdi>/);
    for (const strange of STRANGE) assert.ok(!isSayable(strange), JSON.stringify(strange));
  });

  for (const strange of STRANGE)
    it(`is said in English on every page where it is ${JSON.stringify(strange)}`, () => {
      assert.match(said(strange), IN_ENGLISH);
      const wrong = strange as Wrong;
      const task = {
        what: 'failingFeed',
        subject: 'ponte',
        values: { type: 'double', reason: 'it failed' },
        path: '/',
        wrong,
      } as const;
      const today: TodayShown = { rows: [], items: [task], numbers: [], progress: undefined };
      assert.match(drawn(todayPage(VIEW, today)), IN_ENGLISH);
      assert.match(drawn(webhookPage(VIEW, delivered('it failed', wrong))), IN_ENGLISH);
      const page = drawn(supplyPage(VIEW, supplied(wrong)));
      assert.equal(page.split(IN_ENGLISH).length - 1, 4, 'a failing feed twice, an error and a warning');
    });
});

describe('Why a delivery had no answer', () => {
  const wrong = new Wrong('connectionFailedWith', { code: 'ECONNRESET' });
  const english = inEnglish(wrong);
  const stored = (lastWrong: Told | null) => whyUnanswered({ lastError: english, lastWrong } as Delivery);

  it('is said in the language of the page', () => {
    const page = drawn(webhookPage(VIEW, delivered(english, stored(wrong))));
    assert.ok(page.includes(sayWrong(wrong, 'it-IT')) && !page.includes(english), page);
  });

  it('is the English where an earlier release tried last, and left the code as it was', () => {
    assert.equal(stored(null), null);
    assert.equal(stored(new Wrong('noAnswer')), null);
    assert.deepEqual(stored(wrong), wrong);
  });
});

function delivered(lastError: string, wrong: Told | null): WebhookShown {
  const endpoint = {
    webhookId: 'wh_1',
    partnerId: 'acme',
    host: 'a.example',
    events: [],
    createdAt: '2026-11-30T08:00:00.000Z',
    disabledAt: null,
    disabledReason: null,
    failingSince: null,
  };
  const row = {
    deliveryId: 'msg_1',
    event: 'quote.opened',
    status: 'pending',
    attempts: 1,
    lastStatus: null,
    lastError,
    nextAttemptAt: null,
    createdAt: '2026-11-30T08:00:00.000Z',
  } as const;
  return { endpoint, rows: [row], wrongs: [wrong], hasMore: false };
}

function supplied(wrong: Wrong): SupplyShown {
  const feed = {
    feedId: 'feed_1',
    name: null,
    propertyId: 'ponte',
    inventoryTypeId: 'double',
    host: 'a.example',
    every: '1800s',
    state: 'failing',
    confirmedAt: null,
    nextPollAt: '2026-11-30T09:00:00.000Z',
    events: null,
    nights: null,
    failure: 'it failed',
  } as const;
  const mistake = { pointer: '', code: 'FIELD_INVALID', detail: 'it failed', wrong };
  const message = {
    messageId: 'm',
    source: 's',
    kind: 'ari',
    verdict: 'refused',
    changed: 0,
    receivedAt: '2026-11-30T09:00:00.000Z',
    errorCount: 1,
    warningCount: 1,
    errors: [],
    warnings: [],
  };
  return {
    rows: { freshness: [], feeds: [feed], messages: [message] },
    names: new Map(),
    firstMistakes: new Map([['m', { errors: mistake, warnings: mistake }]]),
    sources: [],
    held: [],
    connections: [],
    mappings: [],
    failures: new Map([['feed_1', wrong]]),
    failing: [feed],
    nextPath: undefined,
    more: { freshness: false, feeds: false, mappings: false },
    search: undefined,
    unread: [],
  } as unknown as SupplyShown;
}
