/** Why a stay is not priced, and which stays can be had instead, over HTTP. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { StayPrices } from '../../../src/contract/partner/price-schemas.ts';
import { ALL_SCOPE_NAMES } from '../../../src/contract/partner/scopes.ts';
import { formatLocalDate, localToday } from '../../../src/domain/local-date.ts';
import { hotel } from '../../kit/catalogue-lines.ts';
import { until } from '../../kit/command-line.ts';
import { type Installation, NOW_MS, openInstallation, type Served } from '../../kit/installation.ts';
import { PartnerClient } from '../../kit/partner-client.ts';

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
    return by.ask<StayPrices>('priceStays', { method: 'POST', path: '/prices/v1/stays', body });
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
