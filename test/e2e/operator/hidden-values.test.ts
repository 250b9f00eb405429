/** Values that are stored and that another value hides: their sender is told, and partners go on seeing what they saw. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { hotel, type Line } from '../../kit/catalogue-lines.ts';
import { WorkplaceHere } from '../../kit/commands-here.ts';
import { callSupply, startSupply, type SupplyAnswer, type SupplyRunning } from '../../kit/supply-client.ts';

let running: SupplyRunning;

before(async () => {
  running = await startSupply([]);
  const mapping = { propertyId: 'ponte', inventoryTypeId: 'double' };
  await put({});
  await call('PUT', 'mappings', { mappings: [{ externalKey: 'plan', ...mapping }] });
});
after(() => running.installation.close());

const call = (method: string, path: string, body?: unknown): Promise<SupplyAnswer> =>
  callSupply(running.service.operatorUrl, method, path, { token: running.pmsToken, body });

const put = (overrides: Line): Promise<SupplyAnswer> =>
  call('PUT', 'properties/ponte', hotel('ponte', overrides));

const patch = (set: object): Promise<SupplyAnswer> =>
  call('PATCH', 'calendars', {
    entries: [
      {
        propertyId: 'ponte',
        inventoryTypeId: 'double',
        dateFrom: '2026-12-02',
        dateTo: '2026-12-02',
        ...set,
      },
    ],
  });

const ari = (set: object): Promise<SupplyAnswer> =>
  call('POST', 'ari', { values: [{ rate_plan_id: 'plan', date: '2026-12-02', ...set }] });

const toldOf = ({ body }: SupplyAnswer): unknown => [
  body.changed,
  body.warnings.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
];

describe('a hidden value', () => {
  it('of an ARI message changes nothing, and is named: a rate under rates by guests', async () => {
    assert.deepEqual(toldOf(await ari({ rates: [{ occupancy: 1, rate: '80.00' }] })), [1, []]);
    const hidden = await ari({ rate: '150.00' });
    assert.deepEqual(toldOf(hidden), [0, [['/values/0/rate', 'VALUE_HIDDEN']]]);
    assert.equal(
      hidden.body.warnings[0].detail,
      'rate of double of ponte is stored, and does not count where ratesByGuests is set: clear that, or send the price by guests.',
    );
    const { body } = await call('GET', `messages/${hidden.body.messageId}`);
    assert.deepEqual([body.warningCount, body.warnings[0].code], [1, 'VALUE_HIDDEN']);
    assert.deepEqual(toldOf(await ari({ rates: null, rate: '150.00' })), [1, []]);
    assert.deepEqual(toldOf(await ari({ rates: [{ rate: '160.00' }] })), [1, []], 'a rate for all');
  });

  it('of a calendar entry changes nothing, and is named, also beside what hides it', async () => {
    const both = { ratesByGuests: { '2': '100.00' }, rate: '90.00' };
    assert.deepEqual(toldOf(await patch(both)), [1, [['/entries/0/rate', 'VALUE_HIDDEN']]]);
    assert.deepEqual(toldOf(await patch({ rate: '95.00' })), [0, [['/entries/0/rate', 'VALUE_HIDDEN']]]);
    assert.deepEqual(toldOf(await patch({ ratesByGuests: null })), [1, []], 'the rate shows again');
    assert.deepEqual(toldOf(await patch({ rate: null })), [1, []]);
  });

  it('may be units under a stop-sell that was sent before', async () => {
    assert.deepEqual(toldOf(await patch({ stopSell: true, availability: 5 })), [1, []]);
    assert.deepEqual(toldOf(await patch({ availability: 4 })), [
      0,
      [['/entries/0/availability', 'VALUE_HIDDEN']],
    ]);
    assert.deepEqual(toldOf(await patch({ stopSell: false })), [1, []]);
  });

  it('may be units or prices of nights that are closed manually', async () => {
    const { databasePath, time } = running.installation;
    const desk = new WorkplaceHere({ DATABASE_URL: `sqlite:${databasePath}` }, () => time.nowMs);
    const nights = ['--property', 'ponte', '--type', 'double', '--from', '2026-12-02', '--to', '2026-12-02'];
    try {
      await desk.json(['close', ...nights]);
      const sent = await patch({ availability: 3, rate: '111.00' });
      assert.deepEqual(toldOf(sent), [
        1,
        [
          ['/entries/0/availability', 'VALUE_HIDDEN'],
          ['/entries/0/rate', 'VALUE_HIDDEN'],
        ],
      ]);
      assert.match(sent.body.warnings[0].detail, /nights that are closed manually: open them/);
      assert.deepEqual(toldOf(await ari({ rate: '112.00' })), [1, [['/values/0/rate', 'VALUE_HIDDEN']]]);
      assert.deepEqual(toldOf(await patch({ availability: 0 })), [1, []]);
      await desk.json(['open', ...nights]);
      assert.deepEqual(toldOf(await patch({ availability: 3, rate: '113.00' })), [1, []]);
    } finally {
      await desk.remove();
    }
  });

  it('of a document is named: extra guests, and a rate of its own calendar', async () => {
    await patch({ ratesByGuests: { '2': '100.00' }, rate: '90.00' });
    const type = { inventoryTypeId: 'double', name: 'Double', guestsMax: 3, includedGuests: 2 };
    const kept = await put({ inventoryTypes: [{ ...type, extraGuestRate: '20.00' }] });
    assert.deepEqual(toldOf(kept), [
      true,
      [
        ['/inventoryTypes/0/calendar/rate', 'VALUE_HIDDEN'],
        ['/inventoryTypes/0/extraGuestRate', 'VALUE_HIDDEN'],
      ],
    ]);
    const nights = { dateFrom: '2026-12-01', dateTo: '2026-12-03', availability: 1, rate: '90.00' };
    assert.deepEqual(toldOf(await put({ inventoryTypes: [{ ...type, calendar: [nights] }] })), [true, []]);
    const free = { ...nights, rate: '0.00' };
    assert.deepEqual(toldOf(await put({ inventoryTypes: [{ ...type, calendar: [free] }] })), [
      true,
      [['/inventoryTypes/0/calendar/0/rate', 'RATE_ZERO']],
    ]);
  });
});
