/** Why a stay is not priced, and which stays can be had instead, over HTTP. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StayPrices } from '../../../src/contract/partner/price-schemas.ts';
import type { ValidationIssue } from '../../../src/contract/partner/issue-codes.ts';
import { ALL_SCOPE_NAMES } from '../../../src/contract/partner/scopes.ts';
import { formatLocalDate, localToday } from '../../../src/domain/local-date.ts';
import { hotel } from '../../kit/catalogue-lines.ts';
import { until } from '../../kit/command-line.ts';
import { type Installation, NOW_MS, openInstallation, type Served } from '../../kit/installation.ts';
import { PartnerClient } from '../../kit/partner-client.ts';

const PATH = '/prices/v1/stays';
/** Each state of a property is shown for about so long. */
const SHOWN_MS = 300;
/** Over several changes. */
const ANSWERS_MIN = 50;
const TODAY = localToday('Europe/Rome', NOW_MS);
const day = (ahead: number): string => formatLocalDate(TODAY + ahead);

function open(more: object) {
  return [
    { dateFrom: day(0), dateTo: day(400), availability: 1, rate: '100.00' },
    { dateFrom: day(30), dateTo: day(30), ...more },
  ];
}
const type = (calendar: object[]) => ({ inventoryTypeId: 'double', name: 'Double', guestsMax: 2, calendar });

describe('Why a stay is not priced', () => {
  let installation: Installation;
  let service: Served;
  let token: string;
  let client: PartnerClient;
  let test: PartnerClient;

  before(async () => {
    installation = await openInstallation();
    await installation.importLines([
      hotel('no-arrival', { inventoryTypes: [type(open({ closedToArrival: true }))] }),
      hotel('closed', { inventoryTypes: [type(open({ stopSell: true }))] }),
      hotel('hidden', { visibleTo: ['somebody-else'], inventoryTypes: [type(open({ stopSell: true }))] }),
    ]);
    ({ token } = await installation.issue({ scopes: ALL_SCOPE_NAMES }));
    const tested = await installation.issue({ scopes: ALL_SCOPE_NAMES, isTest: true });
    service = await installation.serve();
    client = new PartnerClient(service.partnerUrl, token);
    test = new PartnerClient(service.partnerUrl, tested.token);
  });
  after(() => installation.close());

  const ask = async (propertyIds: readonly string[], from: number, to: number, by = client, guests = 2) => {
    const stay = { checkIn: day(from), checkOut: day(to), guests };
    const body = JSON.stringify({ propertyIds, stay, why: true });
    return by.ask<StayPrices>('priceStays', { method: 'POST', path: PATH, body });
  };
  const itemsOf = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).success.items;

  it('is said with the stays that can be had instead', async () => {
    const [arrival, closed, priced] = await itemsOf(['no-arrival', 'closed', 'no-arrival'], 30, 32);
    assert.deepEqual(arrival?.reasons, [{ code: 'CLOSED_TO_ARRIVAL', date: day(30) }]);
    assert.deepEqual(closed?.reasons, [{ code: 'NIGHTS_CLOSED', dates: [day(30)] }]);
    assert.deepEqual(
      arrival?.instead,
      [29, 31, 28].map((from) => ({
        checkIn: day(from),
        checkOut: day(from + 2),
        nights: 2,
        total: '200.00',
      })),
    );
    assert.deepEqual(priced, arrival);
    const [unasked] = await itemsOf(['closed'], 40, 42);
    assert.deepEqual([unasked?.code, unasked?.reasons, unasked?.instead], [null, [], []]);
  });

  it('tells nothing of a hidden property that it does not tell of an unknown one', async () => {
    const unknown = await ask(['nobody'], 30, 32);
    const hidden = await ask(['hidden'], 30, 32);
    assert.equal(hidden.text, unknown.text.replace('nobody', 'hidden'));
    assert.equal(unknown.success.items[0]?.reasons?.length, 0);
    const ofTest = await ask(['test-gap'], 30, 32);
    assert.equal(ofTest.text, unknown.text.replace('nobody', 'test-gap'));
  });

  it('is said of each property of the sandbox that is made for it', async () => {
    const friday = Array.from({ length: 7 }, (_, index) => 21 + index).find(
      (ahead) => new Date((TODAY + ahead) * 86_400_000).getUTCDay() === 5,
    )!;
    const reasonsOf = async (id: string, from: number, to: number) =>
      (await itemsOf([id], from, to, test))[0]?.reasons;
    assert.deepEqual(await reasonsOf('test-weekend', friday, friday + 1), [{ code: 'MIN_STAY', nights: 2 }]);
    assert.deepEqual(await reasonsOf('test-gap', 9, 12), [
      { code: 'NIGHTS_CLOSED', dates: [day(10), day(11)] },
    ]);
    assert.deepEqual(await reasonsOf('test-sold-out', 9, 10), [{ code: 'NIGHTS_CLOSED', dates: [day(9)] }]);
    assert.deepEqual(await reasonsOf('test-quote-unavailable', 9, 10), [{ code: 'NO_PRICE', dates: [] }]);
  });

  it('is said of stays in the past, over the horizon and for too many guests', async () => {
    const [past] = await itemsOf(['closed'], -3, -1);
    assert.deepEqual(past?.reasons, [{ code: 'PAST', date: day(0) }]);
    assert.equal(past?.instead?.[0]?.checkIn, day(0));
    const [beyond] = await itemsOf(['closed'], 800, 802);
    assert.deepEqual(beyond?.reasons, [{ code: 'BEYOND_HORIZON', date: day(729) }]);
    const [crowd] = await itemsOf(['closed'], 40, 42, client, 30);
    assert.deepEqual(crowd?.reasons, [{ code: 'CAPACITY', guestsMax: 2 }]);
    assert.deepEqual(crowd?.instead, []);
  });

  it('is not said of questions that break a rule', async () => {
    const stay = { checkIn: day(30), checkOut: day(32), guests: 2 };
    const wrong = async (more: object) => {
      const body = JSON.stringify({ propertyIds: ['closed'], stay, why: true, ...more });
      const { status, problem } = await client.ask('priceStays', { method: 'POST', path: PATH, body });
      const { code, errors } = problem as { code: string; errors?: readonly ValidationIssue[] };
      return [status, code, ...(errors ?? []).map((issue) => `${issue.field} ${issue.code}`)];
    };
    const invalid = (issue: string) => [400, 'VALIDATION_ERROR', issue];
    for (const why of ['true', 1, null, {}, []])
      assert.deepEqual(await wrong({ why }), invalid('why TYPE_INVALID'), JSON.stringify(why));
    assert.deepEqual(await wrong({ stay: { ...stay, guests: 31 } }), invalid('stay.guests OUT_OF_RANGE'));
    assert.deepEqual(await wrong({ whyNot: true }), invalid('whyNot UNKNOWN_FIELD'));
  });

  it('is of the same revision as the stays instead, whatever changes meanwhile', async () => {
    const closed = open({ stopSell: true });
    const cheap = [
      { dateFrom: day(0), dateTo: day(400), availability: 1, rate: '50.00' },
      { dateFrom: day(30), dateTo: day(30), closedToArrival: true },
    ];
    const load = (calendar: object[]) =>
      installation.importLines([hotel('flips', { inventoryTypes: [type(calendar)] })]);
    const states = { NIGHTS_CLOSED: '200.00', CLOSED_TO_ARRIVAL: '100.00' } as const;
    await load(closed);
    await until(async () => (await itemsOf(['flips'], 30, 32))[0]?.code === 'STAY_UNAVAILABLE');
    let isOver = false;
    const flipping = (async () => {
      for (let turn = 0; !isOver; turn += 1) {
        await load(turn % 2 === 0 ? cheap : closed);
        await sleep(SHOWN_MS);
      }
    })();
    const seen = new Set<string>();
    let answers = 0;
    const asked = Array.from({ length: 100 }, () => 'flips');
    try {
      await until(async () => {
        const items = await itemsOf(asked, 30, 32);
        const [{ code } = { code: 'NO_PRICE' }] = items[0]!.reasons ?? [];
        seen.add(code);
        const total = states[code as keyof typeof states];
        assert.ok(total !== undefined, code);
        for (const { reasons, instead } of items) {
          assert.equal(reasons?.[0]?.code, code);
          assert.deepEqual(new Set(instead?.slice(0, 3).map((stay) => stay.total)), new Set([total]));
        }
        answers += 1;
        return seen.size === 2 && answers >= ANSWERS_MIN;
      });
    } finally {
      isOver = true;
      await flipping;
    }
  });

  it('is bounded: of a hundred properties of fifty types, all closed for sixty nights', async () => {
    const types = Array.from({ length: 50 }, (_, index) => ({
      ...type([{ dateFrom: day(0), dateTo: day(400), availability: 0, rate: '100.00' }]),
      inventoryTypeId: `type-${index}`,
    }));
    const ids = Array.from({ length: 100 }, (_, index) => `large-${index}`);
    await installation.importLines(ids.map((id) => hotel(id, { inventoryTypes: types })));
    await until(async () => (await itemsOf([ids.at(-1)!], 30, 31))[0]?.code === 'STAY_UNAVAILABLE');
    const startedAtMs = performance.now();
    const answer = await ask(ids, 30, 90);
    assert.ok(performance.now() - startedAtMs < 25_000, 'within the limits of long questions');
    if (answer.status === 503) return;
    const { items } = answer.success;
    assert.equal(items.length, 100);
    const dates = Array.from({ length: 60 }, (_, index) => day(30 + index));
    for (const { reasons, instead } of items)
      assert.deepEqual([reasons, instead], [[{ code: 'NIGHTS_CLOSED', dates }], []]);
  });

  it('is kept back by the operator with PARTNER_REASONS, the stays instead are not', async () => {
    const quiet = await installation.serve({ PARTNER_REASONS: 'off' });
    const by = new PartnerClient(quiet.partnerUrl, token);
    await until(async () => (await ask(['closed'], 30, 32, by)).status === 200);
    const [closed, unknown, priced] = await itemsOf(['closed', 'nobody'], 30, 32, by);
    assert.deepEqual([closed?.reasons, unknown?.reasons, priced], [null, null, undefined]);
    assert.equal(closed?.instead?.length, 3);
    assert.deepEqual(unknown?.instead, []);
    await quiet.close();
  });
});
