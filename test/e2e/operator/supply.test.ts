/**
 * The supply API as the operator's systems use it: on a real service, with what partners see beside it.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { issueOperatorToken } from '../../../src/access/operator-tokens.ts';
import { MESSAGE_KEPT_BYTES_MAX } from '../../../src/domain/ledger/message.ts';
import { december, double, hotel, type Line } from '../../kit/catalogue-lines.ts';
import { NOW_MS, valueOf } from '../../kit/installation.ts';
import { exchange } from '../../kit/raw-client.ts';
import {
  callSupply,
  startSupply,
  type SupplyAnswer,
  type SupplyCall,
  type SupplyRunning,
} from '../../kit/supply-client.ts';

import { DETAILS } from '../../kit/property-details.ts';

const STAY = { checkIn: '2026-12-01', checkOut: '2026-12-04' };
const BODY_LIMIT_BYTES = 200_000;

let running: SupplyRunning;
let anyToken: string;

before(async () => {
  running = await startSupply([], { SUPPLY_BODY_LIMIT_BYTES: String(BODY_LIMIT_BYTES) });
  ({ anyToken } = running);
});
after(() => running.installation.close());

const call = (method: string, path: string, options: Partial<SupplyCall> = {}): Promise<SupplyAnswer> =>
  callSupply(running.service.operatorUrl, method, path, { token: running.pmsToken, ...options });

/** Reads its own write: what is answered with a revision is shown to partners once this process has it. */
async function shown({ body }: SupplyAnswer): Promise<void> {
  const { body: now } = await call('GET', `revision?wait=10&atLeast=${body.revision}`);
  assert.ok(now.revision >= body.revision);
}

const isAvailable = async (propertyId: string): Promise<boolean> =>
  (await running.partner.availability(propertyId, STAY)).success.available;

function entry(propertyId: string, set: object): object {
  return { propertyId, inventoryTypeId: 'double', dateFrom: '2026-12-02', dateTo: '2026-12-02', ...set };
}

/** A property of its own for each test. */
async function put(propertyId: string, overrides: Line = {}): Promise<SupplyAnswer> {
  const answer = await call('PUT', `properties/${propertyId}`, { body: hotel(propertyId, overrides) });
  if (answer.status < 300) await shown(answer);
  return answer;
}

const issuesOf = ({ body }: SupplyAnswer): unknown[] =>
  (body.errors ?? []).map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]);

describe('a property', () => {
  it('has pictures and terms that the operator reads back, and no partner', async () => {
    await put('with-details');
    const seen = async (): Promise<readonly string[]> => {
      const search = await running.partner.search({ city: 'Venezia' });
      const one = await running.partner.property('with-details');
      return [search.text, one.text];
    };
    const before = await seen();
    assert.equal((await put('with-details', { ...DETAILS })).body.changed, true);
    assert.deepEqual(await seen(), before, 'byte for byte');
    const { document } = (await call('GET', 'properties/with-details')).body;
    for (const [name, value] of Object.entries(DETAILS)) assert.deepEqual(document[name], value, name);
    assert.equal((await call('PUT', 'properties/with-details', { body: document })).body.changed, false);

    const wrong = await put('with-details', { ...DETAILS, checkIn: { from: '25:00' } });
    assert.equal(wrong.status, 400);
    assert.deepEqual(issuesOf(wrong), [['/checkIn/from', 'FIELD_INVALID']]);
    assert.equal((await put('with-details')).body.changed, true);
    const cleared = (await call('GET', 'properties/with-details')).body.document;
    assert.deepEqual([cleared.images, cleared.payment], [[], null]);
    await shown(await call('DELETE', 'properties/with-details'));
  });

  it('is created, changed, read and withdrawn', async () => {
    const created = await put('managed');
    assert.deepEqual([created.status, created.body.propertyId, created.body.changed], [201, 'managed', true]);
    assert.equal(await isAvailable('managed'), true);
    const same = await put('managed');
    assert.deepEqual([same.status, same.body.changed], [200, false]);
    assert.equal((await put('managed', { name: 'New name' })).body.changed, true);

    const { body: read } = await call('GET', 'properties/managed');
    assert.deepEqual([read.source, read.document.name], ['pms', 'New name']);
    assert.equal(read.document.inventoryTypes[0].calendar[0].availability, 3);
    assert.deepEqual(read.confirmed, [{ source: 'pms', at: new Date(NOW_MS).toISOString() }]);
    assert.deepEqual((await call('PUT', 'properties/managed', { body: read.document })).body.changed, false);

    const withdrawn = await call('DELETE', 'properties/managed');
    assert.equal(withdrawn.status, 200);
    await shown(withdrawn);
    assert.equal((await running.partner.property('managed')).status, 404);
    for (const method of ['GET', 'DELETE']) {
      const gone = await call(method, 'properties/managed');
      assert.deepEqual([gone.status, gone.body.code], [404, 'SUPPLY_PROPERTY_NOT_FOUND']);
    }
  });

  it('is read as its source wrote it, whatever others have closed, so that it can be sent again', async () => {
    await put('by-others');
    const closing = { entries: [entry('by-others', { stopSell: true, availability: 0 })] };
    await shown(await call('PATCH', 'calendars?source=channel', { token: anyToken, body: closing }));
    const { body: read } = await call('GET', 'properties/by-others');
    assert.doesNotMatch(JSON.stringify(read.document), /"stopSell":true|calendarsOf/);
    assert.match(JSON.stringify(read.calendars), /"stopSell":true/);
    assert.equal((await call('PUT', 'properties/by-others', { body: read.document })).body.changed, false);
    const marked = { calendarsOf: ['channel'], ...read.document };
    assert.deepEqual(issuesOf(await call('PUT', 'properties/by-others', { body: marked })), [
      ['/calendarsOf', 'FIELD_INVALID'],
    ]);
  });

  it('is refused by field, and belongs to its source', async () => {
    const wrong = await call('PUT', 'properties/wrong', { body: hotel('wrong', { bathrooms: 1.3 }) });
    assert.deepEqual([wrong.status, wrong.body.code], [400, 'SUPPLY_VALIDATION_ERROR']);
    assert.deepEqual(issuesOf(wrong), [['/bathrooms', 'FIELD_INVALID']]);
    assert.deepEqual(issuesOf(await call('PUT', 'properties/a', { body: hotel('b') })), [
      ['/propertyId', 'FIELD_INVALID'],
    ]);
    assert.deepEqual(issuesOf(await call('PUT', 'properties/a', { body: '{' })), [['', 'JSON_INVALID']]);
    await put('owned');
    for (const method of ['PUT', 'DELETE']) {
      const body = method === 'PUT' ? hotel('owned') : undefined;
      const foreign = await call(method, 'properties/owned?source=other', { token: anyToken, body });
      assert.deepEqual([foreign.status, foreign.body.code], [403, 'SUPPLY_SOURCE_MISMATCH']);
    }
  });

  it('has no id that a path would climb with, whichever way it comes in', async () => {
    for (const dots of ['.', '..']) {
      const escaped = dots.replaceAll('.', '%2E');
      const asProperty = await call('PUT', `properties/${escaped}`, { body: hotel(dots) });
      assert.ok([400, 404].includes(asProperty.status), String(asProperty.status));
      const [type] = hotel('dotted')['inventoryTypes'] as Line[];
      const dotted = { inventoryTypes: [{ ...type, inventoryTypeId: dots }] };
      assert.deepEqual(issuesOf(await call('PUT', 'properties/dotted', { body: hotel('dotted', dotted) })), [
        ['/inventoryTypes/0/inventoryTypeId', 'FIELD_INVALID'],
      ]);
      const entries = [entry(dots, { availability: 1 }), { ...entry('a', {}), inventoryTypeId: dots }];
      assert.deepEqual(issuesOf(await call('PATCH', 'calendars', { body: { entries } })), [
        ['/entries/0/propertyId', 'FIELD_INVALID'],
        ['/entries/1/inventoryTypeId', 'FIELD_INVALID'],
      ]);
      const imported = await call('POST', 'import', { body: JSON.stringify(hotel(dots)) });
      assert.deepEqual([imported.status, imported.body.rejected], [200, 1]);
    }
  });
});

describe('a body that says something twice', () => {
  const twice = (value: unknown, at: string): string => JSON.stringify(value).replace(at, `${at},${at}`);
  /** So long that it is read in a thread. */
  const padded = (text: string): string => text.replace('{', `{${' '.repeat(40_000)}`);

  it('is refused by the place of the key, in every call', async () => {
    const document = JSON.stringify(hotel('twice')).replace(
      '"currency":"EUR"',
      '"currency":"EUR","currency":"USD"',
    );
    const entries = twice({ entries: [entry('twice', { availability: 1 })] }, '"availability":1');
    const value = { room_type_id: 'r', date: '2026-12-01', rate: '1.00' };
    const values = twice({ values: [value, value] }, '"rate":"1.00"');
    for (const pad of [(text: string) => text, padded]) {
      const rows = [
        ['PUT', 'properties/twice', document, '/currency'],
        ['PATCH', 'calendars', entries, '/entries/0/availability'],
        ['POST', 'ari', values, '/values/0/rate'],
      ] as const;
      for (const [method, path, body, pointer] of rows) {
        const refused = await call(method, path, { body: pad(body) });
        assert.deepEqual([refused.status, issuesOf(refused)], [400, [[pointer, 'FIELD_REPEATED']]], path);
        assert.equal(refused.body.errors[0].detail, 'Appears twice; keep one of them.');
      }
    }
    const lines = { body: document, headers: { 'content-type': 'application/x-ndjson' } };
    const imported = await call('POST', 'import', lines);
    assert.deepEqual([imported.body.rejected, imported.body.created], [1, 0]);
  });

  it('is nested no more than 32 levels deep, however large it is', async () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    for (const size of [40, BODY_LIMIT_BYTES / 2 - 100]) {
      for (const [method, path] of [
        ['PUT', 'properties/deep'],
        ['PATCH', 'calendars'],
        ['POST', 'ari'],
      ] as const) {
        const refused = await call(method, path, { body: `{"other":${nested(size)}}` });
        assert.deepEqual([refused.status, issuesOf(refused)], [400, [['', 'JSON_TOO_DEEP']]]);
      }
      const headers = { 'content-type': 'application/x-ndjson' };
      const imported = await call('POST', 'import', { body: `{"other":${nested(size)}}`, headers });
      assert.deepEqual([imported.status, imported.body.rejected], [200, 1]);
      assert.match(imported.body.warnings[0].detail, /nested more than 32 levels/);
    }
  });
});

describe('the calendar for other systems', () => {
  const fetchCalendar = (type: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(`${running.service.operatorUrl}/supply/v1/inventory-types/published/${type}/calendar.ics`, {
      headers: { authorization: `Bearer ${running.pmsToken}`, ...headers },
    });

  it('shows what is closed, folded, with stable UIDs and an ETag', async () => {
    await put('published', {
      name: 'Perché no; un nome, molto lungo, che non sta su una riga sola, mai è poi mai',
    });
    await shown(
      await call('PATCH', 'calendars', { body: { entries: [entry('published', { stopSell: true })] } }),
    );
    const answer = await fetchCalendar('double');
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'text/calendar; charset=utf-8');
    const text = await answer.text();
    assert.deepEqual(text.match(/^DT(START|END).*/gm)?.slice(2, 4), [
      'DTSTART;VALUE=DATE:20261202',
      'DTEND;VALUE=DATE:20261203',
    ]);
    assert.ok(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75));
    assert.match(text.replaceAll('\r\n ', ''), /^X-WR-CALNAME:Perché no\\; un nome\\, molto/m);
    assert.equal(text, await (await fetchCalendar('double')).text());

    const etag = answer.headers.get('etag')!;
    const known = await fetchCalendar('double', { 'if-none-match': `"other", W/${etag}` });
    assert.deepEqual([known.status, await known.text(), known.headers.get('etag')], [304, '', etag]);
    const open = { stopSell: false, minStayArrival: 2 };
    await shown(await call('PATCH', 'calendars', { body: { entries: [entry('published', open)] } }));
    assert.equal((await fetchCalendar('double', { 'if-none-match': etag })).status, 200);
    assert.equal((await fetchCalendar('unknown')).status, 404);
    assert.equal((await fetchCalendar('%00')).status, 400);
  });
});

describe('a message of calendar entries', () => {
  it('is seen by partners once it is followed, and changes nothing the second time', async () => {
    await put('closing');
    const closed = await call('PATCH', 'calendars', {
      body: { entries: [entry('closing', { availability: 0 })] },
    });
    assert.equal(closed.status, 200);
    assert.deepEqual([closed.body.changed, closed.body.unchanged, closed.body.warnings], [1, 0, []]);
    await shown(closed);
    assert.equal(await isAvailable('closing'), false);
    const again = await call('PATCH', 'calendars', {
      body: { entries: [entry('closing', { availability: 0 })] },
    });
    assert.deepEqual([again.body.changed, again.body.unchanged], [0, 1]);
    assert.equal(again.body.revision, closed.body.revision);
  });

  it('of several sources ends in the strictest', async () => {
    await put('shared');
    const body = { entries: [entry('shared', { stopSell: true })] };
    const stopped = await call('PATCH', 'calendars?source=front-office', { token: anyToken, body });
    await shown(stopped);
    assert.equal(await isAvailable('shared'), false);
    await put('shared', { name: 'Written again' });
    assert.equal(await isAvailable('shared'), false, 'a document does not open what another source closed');
    const { body: read } = await call('GET', 'properties/shared');
    assert.deepEqual(
      read.layers.map(({ source }: { source: string }) => source),
      ['front-office', 'pms'],
    );
    assert.equal(read.document.inventoryTypes[0].calendar.length, 1, 'the document has its own layer only');
    assert.equal(read.calendars[0].calendar.length, 3);
    const closed = read.calendars[0].setBy[1];
    assert.deepEqual([closed.dateFrom, closed.dateTo], ['2026-12-02', '2026-12-02']);
    assert.deepEqual(
      closed.settings.map((one: Record<string, unknown>) => [
        one['source'],
        one['field'],
        one['value'],
        one['decides'],
        String(one['messageId']).startsWith('sm_'),
      ]),
      [
        ['front-office', 'stopSell', true, true, true],
        ['pms', 'availability', 3, true, true],
        ['pms', 'rate', '120.00', true, true],
      ],
    );
    const opened = { entries: [entry('shared', { stopSell: null })] };
    await shown(await call('PATCH', 'calendars?source=front-office', { token: anyToken, body: opened }));
    assert.equal(await isAvailable('shared'), true);
  });

  it('is whole or nothing, unless it says partial', async () => {
    await put('partly');
    const entries = [
      entry('partly', { availability: 0 }),
      entry('partly', { rate: 120 }),
      entry('nowhere', { availability: 0 }),
      { ...entry('partly', { availability: 0 }), inventoryTypeId: 'suite' },
    ];
    const invalid = await call('PATCH', 'calendars', { body: { entries } });
    const all = [
      ['/entries/1/rate', 'FIELD_INVALID'],
      ['/entries/2/propertyId', 'PROPERTY_UNKNOWN'],
      ['/entries/3/inventoryTypeId', 'INVENTORY_TYPE_UNKNOWN'],
    ];
    assert.deepEqual([invalid.status, invalid.body.code], [400, 'SUPPLY_VALIDATION_ERROR']);
    assert.deepEqual(issuesOf(invalid), all, 'those of shape and those of names');
    assert.match(invalid.body.detail, /^Nothing was applied: 3 mistakes\. /);
    const { body: kept } = await call('GET', 'messages?source=pms&limit=1');
    assert.deepEqual(issuesOf({ status: 200, body: kept.messages[0] }), all);
    assert.equal(kept.messages[0].errorCount, 3);
    const unknown = await call('PATCH', 'calendars', { body: { entries: entries.toSpliced(1, 1) } });
    assert.deepEqual(issuesOf(unknown), [
      ['/entries/1/propertyId', 'PROPERTY_UNKNOWN'],
      ['/entries/2/inventoryTypeId', 'INVENTORY_TYPE_UNKNOWN'],
    ]);
    assert.equal(await isAvailable('partly'), true);
    const partial = await call('PATCH', 'calendars?partial=true', { body: { entries } });
    assert.deepEqual([partial.status, partial.body.changed], [200, 1]);
    assert.deepEqual(issuesOf(partial), [
      ['/entries/1/rate', 'FIELD_INVALID'],
      ['/entries/2/propertyId', 'PROPERTY_UNKNOWN'],
      ['/entries/3/inventoryTypeId', 'INVENTORY_TYPE_UNKNOWN'],
    ]);
    await shown(partial);
    assert.equal(await isAvailable('partly'), false);
  });

  it("names no currency but the property's", async () => {
    await put('money');
    const set = (currency: unknown, more: object) => ({ ...entry('money', more), currency });
    const same = [set('EUR', { availability: 5 }), set(null, { maxStay: 9 })];
    const taken = await call('PATCH', 'calendars', { body: { entries: same } });
    assert.deepEqual([taken.status, taken.body.changed, taken.body.warnings], [200, 2, []]);
    const entries = [
      set('EUR', { availability: 4 }),
      set('USD', { rate: '83.00' }),
      set('eur', { maxStay: 3 }),
    ];
    const other = await call('PATCH', 'calendars', { body: { entries } });
    assert.equal(other.status, 400);
    assert.deepEqual(issuesOf(other), [
      ['/entries/1/currency', 'FIELD_INVALID'],
      ['/entries/2/currency', 'FIELD_INVALID'],
    ]);
    const alone = await call('PATCH', 'calendars', { body: { entries: [entries[1]] } });
    assert.match(JSON.stringify(alone.body), /Must be that of the property, EUR\./);
    const partial = await call('PATCH', 'calendars?partial=true', { body: { entries: entries.slice(0, 2) } });
    assert.deepEqual([partial.status, partial.body.changed], [200, 1]);
    assert.deepEqual(issuesOf(partial), [['/entries/1/currency', 'FIELD_INVALID']]);
    const { body: shownNow } = await call('GET', 'properties/money');
    assert.match(JSON.stringify(shownNow.document), /"availability":4/);
    assert.ok(!JSON.stringify(shownNow).includes('83.00'));
  });

  it('has prices of one source only', async () => {
    await put('priced');
    const body = { entries: [entry('priced', { rate: '1.00' })] };
    const refused = await call('PATCH', 'calendars?source=front-office', { token: anyToken, body });
    assert.deepEqual([refused.status, refused.body.code], [403, 'SUPPLY_SOURCE_MISMATCH']);
    assert.deepEqual(issuesOf(refused), [['/entries/0', 'PRICE_SOURCE_MISMATCH']]);
    const types = [double({ priceSource: 'channel', calendar: [december({ rate: null })] })];
    await put('priced', { inventoryTypes: types });
    const priced = await call('PATCH', 'calendars?source=channel', { token: anyToken, body });
    assert.equal(priced.status, 200);
    const own = await call('PATCH', 'calendars', { body });
    assert.equal(own.body.code, 'SUPPLY_SOURCE_MISMATCH');
  });

  it('names what is wrong with its media type as everything else', async () => {
    const headers = { 'content-type': 'text/plain', 'content-encoding': 'br' };
    for (const path of ['calendars', 'import']) {
      const method = path === 'import' ? 'POST' : 'PATCH';
      const refused = await call(method, path, { body: '{}', headers });
      assert.deepEqual([refused.status, refused.body.code], [400, 'SUPPLY_VALIDATION_ERROR']);
      assert.deepEqual(issuesOf(refused), [
        ['content-type', 'HEADER_INVALID'],
        ['content-encoding', 'HEADER_INVALID'],
      ]);
    }
  });

  it('says whose it is', async () => {
    const body = { entries: [] };
    assert.deepEqual(issuesOf(await call('PATCH', 'calendars', { token: anyToken, body })), [
      ['?source', 'PARAMETER_REQUIRED'],
    ]);
    const other = await call('PATCH', 'calendars?source=other', { body });
    assert.deepEqual([other.status, issuesOf(other)], [403, [['?source', 'SOURCE_MISMATCH']]]);
    assert.equal((await call('PATCH', 'calendars?source=pms', { body })).status, 200);
    const unknown = await call('PATCH', 'calendars?partial=yes&force=1', { body });
    assert.deepEqual(issuesOf(unknown), [
      ['?partial', 'PARAMETER_INVALID'],
      ['?force', 'PARAMETER_UNKNOWN'],
    ]);
  });

  it('is answered once more under its key, and another one is refused', async () => {
    await put('repeated');
    const headers = { 'idempotency-key': 'order 7' };
    const body = { entries: [entry('repeated', { availability: 0 })] };
    const [first, second] = await Promise.all([
      call('PATCH', 'calendars', { body, headers }),
      call('PATCH', 'calendars', { body, headers }),
    ]);
    assert.deepEqual(first, second);
    assert.equal(first?.body.changed, 1);
    const other = await call('PATCH', 'calendars', { body: { entries: [] }, headers });
    assert.deepEqual([other.status, other.body.code], [409, 'IDEMPOTENCY_KEY_REUSED']);
    const source = await call('PATCH', 'calendars?source=front-office', { token: anyToken, body, headers });
    assert.equal(source.status, 200, 'each source has its own keys');
  });

  it('is taken at the limit of its length, and refused one byte past it', async () => {
    const long = await call('PATCH', 'calendars', { body: ' '.repeat(BODY_LIMIT_BYTES + 1) });
    assert.deepEqual([long.status, long.body.code], [413, 'SUPPLY_PAYLOAD_TOO_LARGE']);
    const fits = `{"entries":[]}${' '.repeat(BODY_LIMIT_BYTES - 14)}`;
    assert.equal((await call('PATCH', 'calendars', { body: fits })).status, 200);
  });

  it('may be large: it is read in a thread of its own', async () => {
    await put('large');
    const entries = Array.from({ length: 1_000 }, (_, index) => entry('large', { availability: index % 7 }));
    const large = await call('PATCH', 'calendars', { body: { entries } });
    assert.deepEqual([large.status, large.body.changed + large.body.unchanged], [200, 1_000]);
    const wrong = await call('PATCH', 'calendars', {
      body: { entries: [...entries, { propertyId: 'large' }] },
    });
    assert.deepEqual(issuesOf(wrong), [['/entries/1000/inventoryTypeId', 'FIELD_REQUIRED']]);
    // The thread takes the body away; its hash is asked for before.
    const headers = { 'idempotency-key': 'large' };
    const send = (bodyEntries: readonly object[]) =>
      call('PATCH', 'calendars', { body: { entries: bodyEntries }, headers });
    const keyed = await send(entries);
    assert.deepEqual((await send(entries)).body, keyed.body);
    assert.deepEqual((await send(entries.toReversed())).status, 409);
    const [kept] = await running.installation.storage.listSourceHistory('large', 1);
    const merged = JSON.parse(kept!.change).types[0].entries as { set: object }[];
    assert.deepEqual(
      merged.map(({ set }) => set),
      [{ availability: 999 % 7 }],
    );
  });
});

describe('an ARI message', () => {
  it('goes through the mapping, and warns of what is not mapped', async () => {
    await put('mapped');
    const place = { source: 'pms', propertyId: 'mapped', inventoryTypeId: 'double' };
    await running.installation.storage.putSupplyMappings([
      { ...place, externalKey: 'room-1' },
      { ...place, externalKey: 'plan-1' },
    ]);
    const values = [
      { property_id: 'x', room_type_id: 'room-1', date: '2026-12-02', availability: 0 },
      { property_id: 'x', rate_plan_id: 'plan-1', date: '2026-12-03', rate: 9_000, min_stay_arrival: 2 },
      { property_id: 'x', room_type_id: 'room-9', date: '2026-12-02', availability: 5 },
    ];
    const sent = await call('POST', 'ari', { body: { values } });
    assert.equal(sent.status, 200);
    assert.equal(sent.body.changed, 2);
    assert.deepEqual(
      sent.body.warnings.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
      [['/values/2/room_type_id', 'SUPPLY_MAPPING_UNKNOWN']],
    );
    await shown(sent);
    assert.equal(await isAvailable('mapped'), false);
    const none = await call('POST', 'ari', { body: { values: [values[2]] } });
    assert.deepEqual([none.status, none.body.code], [422, 'SUPPLY_MAPPING_UNKNOWN']);
    const mixed = await call('POST', 'ari', { body: { values: [values[2], { ...values[0], rate: -1 }] } });
    assert.deepEqual(
      [mixed.status, issuesOf(mixed)],
      [
        400,
        [
          ['/values/0/room_type_id', 'SUPPLY_MAPPING_UNKNOWN'],
          ['/values/1/rate', 'FIELD_INVALID'],
        ],
      ],
    );
    const padded = { values: [...Array.from({ length: 600 }, () => values[2]), values[0]] };
    const large = await call('POST', 'ari', { body: padded });
    assert.deepEqual([large.status, large.body.unchanged, large.body.warnings.length], [200, 1, 100]);
  });

  it('takes whole minor units as the currency of each property has them', async () => {
    const currencies = { 'in-yen': 'JPY', 'in-dinar': 'KWD', 'in-euro': 'EUR' };
    const { storage } = running.installation;
    for (const [propertyId, currency] of Object.entries(currencies)) {
      await put(propertyId, { currency });
      await storage.putSupplyMappings([
        { source: 'pms', externalKey: propertyId, propertyId, inventoryTypeId: 'double' },
      ]);
    }
    const rate = (key: string, units: number) => ({ rate_plan_id: key, date: '2026-12-01', rate: units });
    const ratesOf = async (propertyId: string): Promise<unknown> =>
      (await call('GET', `properties/${propertyId}`)).body.document.inventoryTypes[0].calendar[0].rate;
    const values = [rate('in-yen', 12_000), rate('in-dinar', 12_340), rate('in-euro', 12_000)];
    // The second time it is read in a thread.
    for (const body of [values, [...values, ...Array.from({ length: 900 }, () => rate('in-yen', 12_000))]]) {
      const sent = await call('POST', 'ari', { body: { values: body } });
      assert.equal(sent.status, 200, JSON.stringify(sent.body));
      assert.equal(await ratesOf('in-yen'), '12000.00');
      assert.equal(await ratesOf('in-dinar'), '12.34');
      assert.equal(await ratesOf('in-euro'), '120.00');
    }
    const odd = await call('POST', 'ari', { body: { values: [values[0], rate('in-dinar', 12_345)] } });
    assert.deepEqual([odd.status, issuesOf(odd)], [400, [['/values/1/rate', 'FIELD_INVALID']]]);
    assert.match(odd.body.errors[0].detail, /KWD/);
  });
});

describe('an import', () => {
  const lines = (...documents: readonly unknown[]): string =>
    documents
      .map((document) => (typeof document === 'string' ? document : JSON.stringify(document)))
      .join('\n');
  const ndjson = { 'content-type': 'application/x-ndjson' };

  it('takes every good line, names the others, and leaves properties of other sources alone', async () => {
    await call('PUT', 'properties/theirs?source=other', { token: anyToken, body: hotel('theirs') });
    const body = lines(hotel('line-1'), '{', hotel('theirs', { name: 'Taken' }), hotel('line-2'));
    const imported = await call('POST', 'import', { body, headers: ndjson });
    assert.equal(imported.status, 200);
    const { read, created, rejected, changed, warnings } = imported.body;
    assert.deepEqual([read, created, rejected, changed], [4, 2, 2, 2]);
    assert.match(
      warnings.map(({ detail }: { detail: string }) => detail).join(),
      /Line 2: .*Line 3: .*another source/,
    );
    await shown(imported);
    assert.equal((await running.partner.property('line-2')).status, 200);
    const theirs = await call('GET', 'properties/theirs');
    assert.deepEqual([theirs.body.source, theirs.body.document.name === 'Taken'], ['other', false]);
    const again = await call('POST', 'import', { body, headers: { ...ndjson, 'idempotency-key': 'i' } });
    assert.deepEqual([again.body.created, again.body.unchanged], [0, 2]);
    const replayed = await call('POST', 'import', { body, headers: { ...ndjson, 'idempotency-key': 'i' } });
    assert.deepEqual(replayed, again);
    const reused = await call('POST', 'import', {
      body: lines(hotel('line-1')),
      headers: { ...ndjson, 'idempotency-key': 'i' },
    });
    assert.equal(reused.body.code, 'IDEMPOTENCY_KEY_REUSED');
  });

  it('is empty where the request has no body', async () => {
    const { hostname, port } = new URL(running.service.operatorUrl);
    const head = `Host: ${hostname}\r\nAuthorization: Bearer ${running.pmsToken}\r\n`;
    const { answers } = await exchange(Number(port), [`POST /supply/v1/import HTTP/1.1\r\n${head}\r\n`]);
    const [answer] = answers;
    const { status, body } = await call('POST', 'import', { body: '', headers: ndjson });
    assert.deepEqual([answer?.status, JSON.parse(answer?.body ?? '').code], [status, body.code]);
  });

  it('is bounded while it arrives', async () => {
    const chunk = Buffer.from(`${JSON.stringify(hotel('endless'))}\n`);
    let sentBytes = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sentBytes += chunk.length;
        if (sentBytes > 3 * BODY_LIMIT_BYTES) controller.close();
        else controller.enqueue(chunk);
      },
    });
    // The types of a browser know no `duplex`, without which Node sends no stream.
    const init: RequestInit & { duplex: 'half' } = {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { authorization: `Bearer ${running.pmsToken}`, ...ndjson },
    };
    const response = await fetch(`${running.service.operatorUrl}/supply/v1/import`, init);
    assert.equal(response.status, 413);
    assert.match(await response.text(), /SUPPLY_PAYLOAD_TOO_LARGE/);
  });
});

describe('what arrived', () => {
  it('is listed with its verdict, newest first', async () => {
    await put('listed');
    await call('PATCH', 'calendars', { body: { entries: [entry('listed', { availability: 0 })] } });
    const wrong = await call('PATCH', 'calendars', { body: { entries: [entry('listed', { rate: 1 })] } });
    const { body } = await call('GET', 'messages?source=pms&limit=1');
    assert.equal(body.messages.length, 1);
    const [newest] = body.messages;
    assert.deepEqual(
      [newest.verdict, newest.kind, newest.errors],
      ['refused', 'calendars', wrong.body.errors],
    );
    assert.ok(wrong.body.detail.includes(newest.messageId));
    const about = await call('GET', 'messages?propertyId=listed');
    assert.deepEqual(
      about.body.messages.map(({ kind, verdict }: { kind: string; verdict: string }) => [kind, verdict]),
      [
        ['calendars', 'applied'],
        ['property', 'applied'],
      ],
    );
    const bad = await call('GET', 'messages?limit=0');
    assert.deepEqual(issuesOf(bad), [['?limit', 'PARAMETER_INVALID']]);
  });
});

describe('what a message leaves behind', () => {
  const keptOf = async (key: string): Promise<number> => {
    const { storage } = running.installation;
    const [row] = await storage.listSupplyMessages({ source: 'pms', limit: 1 });
    const known = await storage.findSupplyKey('pms', key);
    return Buffer.byteLength(row!.detail) + Buffer.byteLength(JSON.stringify(known?.outcome ?? ''));
  };

  it('is bounded, and says how much there was', async () => {
    await put('bounded');
    const { storage } = running.installation;
    await storage.putSupplyMappings([
      { source: 'pms', externalKey: 'bounded', propertyId: 'bounded', inventoryTypeId: 'double' },
    ]);
    const good = { room_type_id: 'bounded', date: '2026-12-01', availability: 1 };
    const ids = (index: number) => ({
      propertyId: `${'p'.repeat(150)}${index}`,
      inventoryTypeId: 't'.repeat(160),
    });
    const quotes = '"\\'.repeat(80);
    const bodies = {
      // Fields with long names, one of them good, so that the message is applied.
      ari: Array.from({ length: 100 }, (_, index) => ({ ...good, [`${index}${'"x/'.repeat(200)}`]: 1 })),
      unknown: Array.from({ length: 200 }, (_, index) => ({ ...entry('bounded', {}), ...ids(index) })),
      wrong: Array.from({ length: 200 }, () => entry('bounded', { [quotes]: 1, rate: quotes })),
      mixed: Array.from({ length: 200 }, (_, index) =>
        index % 2 === 0 ? entry('bounded', { rate: quotes }) : { ...entry('bounded', {}), ...ids(index) },
      ),
    };
    for (const [name, items] of Object.entries(bodies)) {
      const isAri = name === 'ari';
      const path = isAri ? 'ari' : 'calendars?partial=true';
      const last = isAri ? good : entry('bounded', { availability: 1 });
      const body = { [isAri ? 'values' : 'entries']: [...items, last] };
      const sent = await call(isAri ? 'POST' : 'PATCH', path, { body, headers: { 'idempotency-key': name } });
      assert.equal(sent.status, 200, JSON.stringify(sent.body).slice(0, 500));
      const { body: list } = await call('GET', 'messages?source=pms&limit=1');
      const [kept] = list.messages;
      assert.equal(kept.errorCount + kept.warningCount, items.length, name);
      const namedCount = kept.errors.length + kept.warnings.length;
      assert.ok(namedCount > 20, `${name}: ${namedCount} named`);
      const keptBytes = await keptOf(name);
      assert.ok(keptBytes <= MESSAGE_KEPT_BYTES_MAX, `${name}: ${keptBytes} bytes`);
    }
  });
});

describe('the revision', () => {
  it('is waited for no longer than asked', async () => {
    const { body: now } = await call('GET', 'revision?wait=1');
    assert.equal(now.revision, now.databaseRevision);
    const startedAtMs = performance.now();
    const { status, body } = await call('GET', `revision?wait=1&atLeast=${now.revision + 1_000}`);
    assert.deepEqual([status, body.revision], [200, now.revision]);
    assert.ok(performance.now() - startedAtMs > 900);
    assert.equal((await call('GET', 'revision?wait=31')).status, 400);
  });
});

describe('the supply API', () => {
  it('describes itself, for machines and for people', async () => {
    const document = await fetch(`${running.service.operatorUrl}/supply/openapi.json`);
    const { openapi, paths } = (await document.json()) as { openapi: string; paths: Record<string, object> };
    assert.equal(openapi, '3.1.0');
    assert.deepEqual(Object.keys(paths['/supply/v1/properties/{propertyId}'] ?? {}), [
      'put',
      'delete',
      'get',
    ]);
    assert.ok(Object.keys(paths).every((path) => path.startsWith('/supply/v1/')));
    const operations = Object.values(paths).flatMap((path) => Object.entries(path));
    for (const [method, { parameters = [], tags }] of operations) {
      const names = parameters.map(
        (parameter: { in: string; name: string }) => `${parameter.in} ${parameter.name}`,
      );
      if (tags?.includes('Set-up')) continue;
      assert.equal(names.includes('header Idempotency-Key'), method !== 'get', `${method}: ${names.join()}`);
    }
    const page = await fetch(`${running.service.operatorUrl}/supply/docs`);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    const text = (await page.text()).replaceAll('<wbr />', '');
    assert.match(text, /PATCH[^]*\/supply\/v1\/calendars[^]*SUPPLY_VALIDATION_ERROR/);
  });

  it('asks for a token with the right', async () => {
    const { access } = running.installation;
    const { token } = valueOf(await issueOperatorToken(access, { name: 'reader', scopes: ['supply:read'] }));
    while ((await call('GET', 'revision', { token })).status === 401);
    const refused = await call('PATCH', 'calendars', { token, body: { entries: [] } });
    assert.deepEqual([refused.status, refused.body.code], [403, 'OPERATOR_SCOPE_INSUFFICIENT']);
    const partner = await fetch(`${running.service.partnerUrl}/supply/v1/revision`);
    assert.equal(partner.status, 404, 'nothing of it is on the partner listener');
  });
});
