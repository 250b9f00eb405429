/** The form of a property, as people send it: what it saves, what it refuses, and two people at once. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AuditRow } from '../../../src/access/audit-trail.ts';
import { PROPERTY_DOCUMENT } from '../../../src/domain/document/property-grammar.ts';
import { SPARE_ROWS_MAX } from '../../../src/console/pages/property-form/fields.ts';
import { presentLayer } from '../../../src/supply/native/shown-document.ts';
import { hotelWith, nights } from '../../kit/catalogue-lines.ts';
import { type ConsoleAnswer, type ConsoleClient, signInTo } from '../../kit/console-client.ts';
import { fieldsOfForm } from '../../kit/form-fields.ts';
import { callSupply, startSupply, type SupplyRunning } from '../../kit/supply-client.ts';
import { describePostgres } from '../../suites/storage/postgres-fixture.ts';

const PONTE = '/console/properties/ponte/edit';
const NEW = '/console/new-property';
const ENGLISH = { 'accept-language': 'en-GB' };

const LINES = [
  hotelWith('ponte', [nights('2026-12-01', '2026-12-31', { availability: 2, rate: '120.00' })]),
  hotelWith('race', [nights('2026-12-01', '2026-12-31', { availability: 2, rate: '120.00' })]),
];

function suite(start: () => Promise<SupplyRunning>): void {
  let running: SupplyRunning;
  let ada: ConsoleClient;
  let bob: ConsoleClient;
  let viewer: ConsoleClient;

  before(async () => {
    running = await start();
    const url = running.service.operatorUrl;
    ada = await signInTo(running.installation, url, { role: 'operator', name: 'Ada' });
    bob = await signInTo(running.installation, url, { role: 'operator', name: 'Bob' });
    viewer = await signInTo(running.installation, url, { role: 'viewer', name: 'Vera' });
  });
  after(async () => {
    await running.installation.close();
  });

  const drawn = async (client: ConsoleClient, path: string): Promise<Map<string, string>> => {
    const page = await client.get(path, ENGLISH);
    assert.equal(page.status, 200, page.text);
    return fieldsOfForm(page.text, 'property-save');
  };
  const send = (
    client: ConsoleClient,
    path: string,
    fields: ReadonlyMap<string, string>,
  ): Promise<ConsoleAnswer> =>
    client.post(`${path}/property-save`, Object.fromEntries(fields), {
      ...ENGLISH,
      'sec-fetch-site': 'same-origin',
    });
  const stored = async (propertyId: string) => {
    const layered = await running.installation.storage.findLayers(propertyId);
    assert.ok(layered);
    return { source: layered.stored.source, document: presentLayer(layered, layered.stored.source) };
  };

  it('takes decimal commas, grouped thousands and invisible characters, as sheets do', async () => {
    await running.installation.importLines([hotelWith('commas', [])]);
    const path = '/console/properties/commas/edit';
    const fields = await drawn(ada, path);
    fields
      .set('cleaningFee', '40,50')
      .set('bathrooms', '1,5\u200b')
      .set('inventoryTypes[0].extraGuestRate', '1.012,50')
      .set('taxes[0].code', 'vat')
      .set('taxes[0].kind', 'tax')
      .set('taxes[0].logic', 'percent')
      .set('taxes[0].percent', '7,5');
    const saved = await send(ada, path, fields);
    assert.equal(saved.status, 303, saved.text);
    const { document } = await stored('commas');
    assert.deepEqual([document['cleaningFee'], document['bathrooms']], ['40.50', 1.5]);
    assert.equal((document['inventoryTypes'] as { extraGuestRate: string }[])[0]?.extraGuestRate, '1012.50');
    assert.equal((document['taxes'] as { percent: string }[])[0]?.percent, '7.5');
  });

  it('takes children by age and the ages of a tax beside the rooms and prices, which it says in words', async () => {
    await running.installation.importLines([
      hotelWith('children', [], {
        ageBands: [{ untilAge: 1 }],
        taxes: [{ code: 'stay', kind: 'city_tax', logic: 'per_person_per_night', amount: '1.00' }],
      }),
    ]);
    const path = '/console/properties/children/edit';
    const { text } = await ada.get(path, ENGLISH);
    assert.match(text, /Under 14 is free: up to and including 13\./);
    const italian = await ada.get(path, { 'accept-language': 'it-IT' });
    assert.match(italian.text, /Gratis sotto i 14 anni: fino a 13 compresi\./);
    const at = (name: string): number => text.indexOf(`name="${name}"`);
    assert.ok(at('inventoryTypes[0].guestsMax') < at('ageBands[0].untilAge'), 'beside the rooms');
    assert.ok(at('ageBands[0].untilAge') < at('cleaningFee'), 'before other prices');
    const fields = await drawn(ada, path);
    fields
      .set('ageBands[0].untilAge', '2')
      .set('ageBands[0].occupies', 'false')
      .set('ageBands[1].untilAge', '12')
      .set('ageBands[1].rate', '15,00')
      .set('taxes[0].code', 'city-tax')
      .set('taxes[0].kind', 'city_tax')
      .set('taxes[0].logic', 'per_person_per_night')
      .set('taxes[0].amount', '3,50')
      .set('taxes[0].exemptUntilAge', '9')
      .set('taxes[0].ages', 'untilAge=15;amount=1.75');
    const saved = await send(ada, path, fields);
    assert.equal(saved.status, 303, saved.text);
    const { document } = await stored('children');
    assert.deepEqual(document['ageBands'], [
      { untilAge: 2, occupies: false },
      { untilAge: 12, rate: '15.00' },
    ]);
    const [tax] = document['taxes'] as readonly { exemptUntilAge: number; ages: unknown }[];
    assert.deepEqual([tax?.exemptUntilAge, tax?.ages], [9, [{ untilAge: 15, amount: '1.75' }]]);
    fields.set('ageBands[1].untilAge', '18');
    assert.equal((await send(ada, path, fields)).status, 422);
  });

  it('shows a property of any id on its own page, also one that is called as a part of the console', async () => {
    for (const id of ['new', 'edit', 'property-save', 'setup']) {
      await running.installation.importLines([hotelWith(id, [], { name: `House ${id}` })], {
        source: `s-${id}`,
      });
      const page = await ada.get(`/console/properties/${id}`, ENGLISH);
      assert.deepEqual([page.status, page.text.includes(`House ${id}`)], [200, true]);
      const form = await ada.get(`/console/properties/${id}/edit`, ENGLISH);
      assert.deepEqual([form.status, form.text.includes(`House ${id}`)], [200, true]);
    }
  });

  it('saves what is typed, and changes nothing else: neither calendars nor other fields', async () => {
    const before = await stored('ponte');
    const fields = await drawn(ada, PONTE);
    assert.equal((await send(ada, PONTE, fields)).status, 303);
    assert.deepEqual(await stored('ponte'), before);
    fields
      .set('name.it-IT', 'Albergo <Ponte>')
      .set('name.en-GB', 'Bridge "Hotel"')
      .set('cleaningFee', '25.50');
    fields.set('amenities', 'wifi\r\n\r\n lift ');
    const answer = await send(ada, PONTE, fields);
    assert.equal(answer.status, 303, answer.text);
    assert.equal(answer.location, PONTE);
    assert.deepEqual(await stored('ponte'), {
      source: 'catalogue',
      document: {
        ...before.document,
        name: { 'it-IT': 'Albergo <Ponte>', 'en-GB': 'Bridge "Hotel"' },
        cleaningFee: '25.50',
        amenities: ['wifi', 'lift'],
      },
    });
  });

  it('has a blank row of what a property needs, and none beside rows that are there', async () => {
    await running.installation.importLines([hotelWith('rows', [])]);
    for (const path of [NEW, '/console/properties/rows/edit']) {
      const names = [...(await drawn(ada, path)).keys()];
      const rows = names.filter((name) => /^(?:inventoryTypes\[\d\]\.inventoryTypeId|taxes\[.*)$/.test(name));
      assert.deepEqual(rows, ['inventoryTypes[0].inventoryTypeId'], path);
    }
  });

  it('creates a property, row by row, without a script', async () => {
    const first = await drawn(ada, NEW);
    first.set('propertyId', 'nuova').set('name.it-IT', 'Casa Nuova').set('propertyType', 'apartment');
    first.set('location.city.it-IT', 'Roma').set('location.country', 'IT').set('bathrooms', '1.5');
    first.set('currency', 'EUR').set('timezone', 'Europe/Rome');
    first.set('inventoryTypes[0].inventoryTypeId', 'whole').set('inventoryTypes[0].name.it-IT', 'Tutta');
    first.set('inventoryTypes[0].guestsMax', '4');
    const more = await send(ada, NEW, new Map([...first, ['add', 'taxes']]));
    assert.equal(more.status, 200, more.text);
    const second = fieldsOfForm(more.text, 'property-save');
    for (const [name, text] of first) assert.equal(second.get(name), text, name);
    second.set('taxes[0].code', 'vat').set('taxes[0].kind', 'tax').set('taxes[0].logic', 'percent');
    second.set('taxes[0].percent', '10');
    const answer = await send(ada, NEW, second);
    assert.equal(answer.status, 303, answer.text);
    assert.equal(answer.location, '/console/properties/nuova/edit');
    const { source, document } = await stored('nuova');
    assert.equal(source, 'catalogue');
    assert.deepEqual(
      [document['name'], document['bathrooms'], document['cancellation']],
      [{ 'it-IT': 'Casa Nuova' }, 1.5, null],
    );
    const again = await send(ada, NEW, second);
    assert.equal(again.status, 422);
    assert.match(again.text, /href="#propertyId"/);
  });

  it('takes names for codes, tells the mistakes in Italian, and marks what is required alone', async () => {
    const italian = { 'accept-language': 'it-IT', 'sec-fetch-site': 'same-origin' };
    const page = await ada.get(PONTE, { 'accept-language': 'it-IT' });
    assert.match(page.text, /<option value="IT">Italia<\/option>/);
    assert.match(page.text, /<bdi>EUR<\/bdi>: euro/);
    const labelOf = (name: string) =>
      new RegExp(`<label for="${name}"[\\s\\S]*?</label>`).exec(page.text)?.[0] ?? '';
    assert.match(labelOf('bathrooms'), /obbligatorio/);
    assert.doesNotMatch(labelOf('rating.score'), /obbligatorio/, 'of a rating, which may be left out');
    const fields = fieldsOfForm(page.text, 'property-save');
    fields
      .set('location.country', 'francia')
      .set('currency', 'Franco svizzero')
      .set('timezone', 'europe/paris');
    fields.set('propertyType', 'Villa').set('amenities.pool', '1');
    const path = `${PONTE}/property-save`;
    const wrong = new Map([...fields, ['bathrooms', 'due'], ['cleaningFee', '1,505']]);
    const refused = await ada.post(path, Object.fromEntries(wrong), italian);
    assert.match(refused.text, /deve essere un numero da 0 a 10000, non &quot;due&quot;/);
    assert.match(refused.text, /deve essere un importo non negativo[\s\S]*<b class="count">1</);
    assert.equal((await ada.post(path, Object.fromEntries(fields), italian)).status, 303);
    const { document } = await stored('ponte');
    const { country } = document['location'] as { readonly country: string };
    assert.deepEqual(
      [country, document['currency'], document['timezone'], document['propertyType']],
      ['FR', 'CHF', 'Europe/Paris', 'villa'],
    );
    assert.ok((document['amenities'] as readonly string[]).includes('pool'));
    const next = await ada.get(NEW, ENGLISH);
    assert.match(next.text, /are those of ponte, which was saved last/);
    const defaults = fieldsOfForm(next.text, 'property-save');
    assert.deepEqual(
      ['location.country', 'currency', 'timezone', 'propertyId'].map((name) => defaults.get(name)),
      ['FR', 'CHF', 'Europe/Paris', ''],
    );
  });

  it('copies a property without its id and its registration number', async () => {
    const fields = await drawn(ada, PONTE);
    fields.set('registrationNumber', 'IT027042A1').set('houseRules.it-IT', 'Niente feste');
    assert.equal((await send(ada, PONTE, fields)).status, 303);
    const page = await ada.get(`${NEW}?from=ponte`, ENGLISH);
    assert.match(page.text, /A copy of ponte, not saved yet/);
    const copy = fieldsOfForm(page.text, 'property-save');
    assert.deepEqual(
      ['propertyId', 'registrationNumber', 'houseRules.it-IT', 'inventoryTypes[0].inventoryTypeId'].map(
        (name) => copy.get(name),
      ),
      ['', '', 'Niente feste', 'double'],
    );
    assert.equal((await send(ada, NEW, copy.set('propertyId', 'ponte-due'))).status, 303);
    const { document } = await stored('ponte-due');
    assert.deepEqual(
      [document['houseRules'], document['registrationNumber']],
      [{ 'it-IT': 'Niente feste' }, null],
    );
    const types = document['inventoryTypes'] as readonly { readonly calendar?: readonly unknown[] }[];
    assert.deepEqual(types[0]?.calendar ?? [], [], 'no nights');
    assert.equal((await ada.get(`${NEW}?from=nobody`, ENGLISH)).status, 200);
  });

  it('refuses with the words of an import, beside each field, and loses nothing that was typed', async () => {
    const before = await stored('ponte');
    const fields = await drawn(ada, PONTE);
    fields.set('bathrooms', 'two').set('location.country', 'XX').set('cleaningFee', '1,505');
    fields
      .set('checkIn.until', '25:00')
      .set('inventoryTypes[0].guestsMax', '0')
      .set('bookingUrl', 'https://evil.example/');
    const refused = await send(ada, PONTE, fields);
    assert.equal(refused.status, 422);
    assert.match(refused.text, /must be a number from 0 to 10000, not &quot;two&quot;/);
    for (const name of [
      'bathrooms',
      'location.country',
      'cleaningFee',
      'checkIn.from',
      'inventoryTypes[0].guestsMax',
    ]) {
      assert.ok(refused.text.includes(`href="#${encodeURIComponent(name)}"`), name);
      assert.ok(refused.text.includes(`id="${name}-wrong"`), name);
    }
    const back = fieldsOfForm(refused.text, 'property-save');
    for (const [name, text] of fields) assert.equal(back.get(name), text, name);
    assert.deepEqual(await stored('ponte'), before);
    const site = await drawn(ada, PONTE);
    assert.match(
      (await send(ada, PONTE, site.set('bookingUrl', 'https://evil.example/'))).text,
      /which “Booking sites that properties may name” does not list/,
    );
  });

  it('tells the second of two people what changed, and keeps what both typed', async () => {
    const [mine, theirs] = [await drawn(ada, PONTE), await drawn(bob, PONTE)];
    theirs.set('cleaningFee', '11.00').set('seller', 'Bob Srl');
    assert.equal((await send(bob, PONTE, theirs)).status, 303);
    mine.set('cleaningFee', '99.00').set('houseRules.en-GB', 'No parties');
    const told = await send(ada, PONTE, mine);
    assert.equal(told.status, 422, told.text);
    assert.match(told.text, /11\.00[\s\S]*99\.00/);
    const merged = fieldsOfForm(told.text, 'property-save');
    assert.equal(merged.get('cleaningFee'), '99.00');
    assert.equal(merged.get('houseRules.en-GB'), 'No parties');
    assert.equal(merged.get('seller'), 'Bob Srl');
    assert.equal((await send(ada, PONTE, merged)).status, 303);
    const { document } = await stored('ponte');
    assert.deepEqual([document['cleaningFee'], document['seller']], ['99.00', 'Bob Srl']);
  });

  it('with more rows than a property may have comes back at one more, and beyond is refused undrawn', async () => {
    const fields = await drawn(ada, PONTE);
    const withTaxes = (count: number) =>
      new Map([
        ...fields,
        ...Array.from({ length: count }, (_none, index) => [`taxes[${index}].code`, `t${index}`] as const),
      ]);
    const most = PROPERTY_DOCUMENT.fields['taxes']!.part.schema['maxItems'] as number;
    const spare = await send(ada, PONTE, withTaxes(most + SPARE_ROWS_MAX));
    assert.equal(spare.status, 422);
    assert.equal(fieldsOfForm(spare.text, 'property-save').get(`taxes[${most}].code`), `t${most}`);
    for (const count of [most + SPARE_ROWS_MAX + 1, 5_900]) {
      const refused = await send(ada, PONTE, withTaxes(count));
      assert.equal(refused.status, 403, String(count));
      assert.match(refused.text, /more rows than a property may have/);
      assert.ok(refused.text.length < 20_000, String(refused.text.length));
    }
  });

  it('whose document of before cannot be read counts all as typed, however deep or long it is', async () => {
    for (const drawnFrom of [
      '['.repeat(1_000_000),
      `{"taxes":[${'{},'.repeat(200_000)}{}]}`,
      `{"seller":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`,
    ]) {
      const fields = await drawn(ada, PONTE);
      const told = await send(ada, PONTE, new Map([...fields, ['mark', 'other'], ['drawnFrom', drawnFrom]]));
      assert.equal(told.status, 422, told.text.slice(0, 1_000));
      assert.ok(told.text.length < 500_000, String(told.text.length));
    }
  });

  it('lets one of many win who send at the same moment', async () => {
    const path = '/console/properties/race/edit';
    const forms = [await drawn(ada, path), await drawn(bob, path)];
    const answers = await Promise.all(
      Array.from({ length: 7 }, (_none, index) =>
        send(
          index % 2 === 0 ? ada : bob,
          path,
          new Map([...forms[index % 2]!, ['seller', `Seller ${index}`]]),
        ),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 422, 422, 422, 422, 422, 422]);
    const winner = answers.findIndex(({ status }) => status === 303);
    assert.equal((await stored('race')).document['seller'], `Seller ${winner}`);
  });

  it('a feed that changes nights meanwhile does not conflict', async () => {
    const fields = await drawn(ada, PONTE);
    const body = {
      entries: [
        {
          propertyId: 'ponte',
          inventoryTypeId: 'double',
          dateFrom: '2026-12-05',
          dateTo: '2026-12-06',
          availability: 0,
        },
      ],
    };
    await callSupply(running.service.operatorUrl, 'POST', 'calendars', { token: running.pmsToken, body });
    assert.equal((await send(ada, PONTE, fields)).status, 303);
  });

  it('is read only for a property of another source, and says whose it is', async () => {
    const body = hotelWith('pms-hotel', []);
    const put = await callSupply(running.service.operatorUrl, 'PUT', 'properties/pms-hotel', {
      token: running.pmsToken,
      body,
    });
    assert.ok(put.status < 300, JSON.stringify(put));
    const path = '/console/properties/pms-hotel/edit';
    const page = await ada.get(path, ENGLISH);
    assert.match(page.text, /belongs to the source pms/);
    assert.doesNotMatch(page.text, /<button[^>]*>Save the property/);
    const fields = fieldsOfForm(page.text, 'property-save');
    assert.equal((await send(ada, path, fields.set('seller', 'Mine'))).status, 422);
    assert.equal((await stored('pms-hotel')).source, 'pms');
  });

  it('is refused to a viewer, from a page elsewhere or a body above its limit', async () => {
    assert.doesNotMatch((await viewer.get(PONTE, ENGLISH)).text, /<button[^>]*>Save the property/);
    const fields = await drawn(viewer, PONTE);
    assert.equal((await send(viewer, PONTE, fields)).status, 403);
    assert.equal((await ada.get('/console/properties/nobody/edit')).status, 404);
    const own = await drawn(ada, PONTE);
    assert.equal((await ada.post(`${PONTE}/property-save`, Object.fromEntries(own), {})).status, 403);
    const large = await send(ada, PONTE, new Map([...own, ['description.en-GB', 'x'.repeat(2 * 2 ** 20)]]));
    assert.equal(large.status, 403);
    assert.match(large.text, /more than 2 MB/);
  });

  it("previews the traveller's page as it is typed, marked and without a way on, and saves nothing", async () => {
    const before = await stored('ponte');
    const fields = await drawn(ada, PONTE);
    fields
      .set('preview', '1')
      .set('name.it-IT', 'Nome <nuovo>')
      .set('name.en-GB', 'New <name>')
      .set('cleaningFee', '7.00');
    fields
      .set('preview.checkIn', '2026-12-10')
      .set('preview.checkOut', '2026-12-12')
      .set('preview.locale', 'en-GB');
    const page = await send(ada, PONTE, fields);
    assert.equal(page.status, 200, page.text);
    assert.match(page.text, /data-outcome="unchanged"/);
    assert.match(page.text, /<h1[^>]*>New &lt;name&gt;</);
    assert.match(page.text, /This is a preview for you/);
    assert.match(page.text, /247\.00/);
    assert.doesNotMatch(page.text, /<form|<script/);
    assert.match(page.text, /<link rel="stylesheet" href="data:text\/css;base64,/, 'its look comes with it');
    const sold = await send(ada, PONTE, fields.set('preview.checkOut', '2028-12-12'));
    assert.equal(sold.status, 422);
    assert.match(sold.text, /href="#preview.checkIn"/);
    const none = await send(ada, PONTE, fields.set('preview.checkOut', '2026-12-11').set('quoting', 'false'));
    assert.match(none.text, /data-outcome="unavailable"/);
    assert.deepEqual(await stored('ponte'), before);
    assert.equal((await send(viewer, PONTE, fields)).status, 403);
  });

  it('leaves in the audit trail who changed what from what to what', async () => {
    const rows = await ada.rows<readonly AuditRow[]>('/console/audit');
    const saved = rows.find(
      ({ act, on, person }) => act === 'property save' && on === 'ponte' && person === 'Bob',
    );
    assert.deepEqual(saved?.to, { cleaningFee: ['25.50', '11.00'], seller: ['', 'Bob Srl'] });
  });
}

describe('the form of a property (SQLite)', () => suite(() => startSupply(LINES)));
describePostgres('the form of a property (PostgreSQL)', (server) =>
  suite(async () => startSupply(LINES, {}, await server().createDatabase())),
);
