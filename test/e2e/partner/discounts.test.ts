/** Discounts from the document to the stored quote: sent, printed, priced, cleared; partners see amounts only. */
import { said } from '../../kit/said.ts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { issueOperatorToken } from '../../../src/access/operator-tokens.ts';
import { daysAhead, hotel, type Line, openNow } from '../../kit/catalogue-lines.ts';
import { until, Workplace } from '../../kit/command-line.ts';
import { type Running, startInstallation, valueOf } from '../../kit/installation.ts';
import { quoteBody } from '../../kit/partner-client.ts';

const WEEKLY = { code: 'weekly', percent: '10', minNights: 7 };
const EARLY = {
  code: 'early-bird',
  name: { 'it-IT': 'Prenota prima', 'en-GB': 'Early bird' },
  percent: '12.50',
  minAdvanceDays: 11,
  inventoryTypeIds: ['double'],
};
const DISCOUNTS = [WEEKLY, EARLY];

let running: Running;
let token: string;
let workplace: Workplace;

before(async () => {
  const properties = ['with', 'imported'].map((id) => hotel(id, { discounts: DISCOUNTS }));
  running = await startInstallation([hotel('without'), ...properties]);
  const { access, databasePath } = running.installation;
  token = valueOf(await issueOperatorToken(access, { name: 'pms', source: 'catalogue' })).token;
  workplace = new Workplace({ DATABASE_URL: `sqlite:${databasePath}` });
  await until(async () => (await call('GET', 'revision')).status === 200);
});
after(async () => {
  await workplace.remove();
  await running.installation.close();
});

// oxlint-disable-next-line typescript/no-explicit-any -- a test looks into it as far as it wants
async function call(method: string, path: string, body?: Line): Promise<{ status: number; body: any }> {
  const response = await fetch(`${running.service.operatorUrl}/supply/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

const quote = async (propertyId: string, checkIn: string, checkOut: string) =>
  (await running.partner.quote(quoteBody(propertyId, checkIn, checkOut))).success;
const accommodationOf = async (propertyId: string, checkIn = '2026-12-01', checkOut = '2026-12-04') =>
  (await quote(propertyId, checkIn, checkOut)).pricing.accommodation;

describe('discounts', () => {
  it('change amounts of quotes, and no other byte that a partner reads', async () => {
    const { partner } = running;
    const alike = (text: string): string => text.replaceAll(/Hotel with(?:out)?|"with(?:out)?"/g, 'NAME');
    const property = async (id: string): Promise<string> => alike((await partner.property(id)).text);
    assert.equal(await property('with'), await property('without'));
    const stay = { checkIn: '2026-12-01', checkOut: '2026-12-08' };
    const availability = async (id: string): Promise<string> =>
      alike((await partner.availability(id, stay)).text);
    assert.equal(await availability('with'), await availability('without'));
    const quoted = async (id: string) => {
      const quoted = await quote(id, stay.checkIn, stay.checkOut);
      return { ...quoted, quoteId: '', handoffUrl: '', expiresAt: '', propertyId: 'NAME' };
    };
    const without = await quoted('without');
    assert.equal(without.pricing.total, '840.00');
    assert.deepEqual(await quoted('with'), {
      ...without,
      pricing: { ...without.pricing, accommodation: '735.00', total: '735.00' },
    });
  });

  it('are decided by the length of the stay and the days until it begins', async () => {
    assert.equal(await accommodationOf('with', '2026-12-01', '2026-12-03'), '210.00', '11 days ahead');
    running.installation.time.nowMs += 86_400_000;
    try {
      assert.equal(await accommodationOf('with', '2026-12-01', '2026-12-03'), '240.00', '10 days ahead');
      assert.equal(await accommodationOf('with', '2026-12-01', '2026-12-07'), '720.00', 'six nights');
      assert.equal(await accommodationOf('with', '2026-12-01', '2026-12-08'), '756.00', 'seven nights');
    } finally {
      running.installation.time.nowMs -= 86_400_000;
    }
  });

  it('are printed by quote show, in text and as JSON', async () => {
    const { quoteId } = await quote('with', '2026-12-01', '2026-12-04');
    const shown = await workplace.json(['quote', 'show', quoteId]);
    assert.deepEqual(shown.discount, { code: 'early-bird', percent: '12.50', amount: '45.00' });
    assert.deepEqual(shown.nights[0], {
      date: '2026-12-01',
      rate: '120.00',
      extraGuests: '0.00',
      discount: '15.00',
      price: '105.00',
    });
    const { stdout } = await workplace.run(['quote', 'show', quoteId]);
    assert.match(stdout, /^discount +early-bird, 12\.50 %: 45\.00\naccommodation +315\.00$/m);
    assert.match(stdout, /^2026-12-01 +120\.00 +0\.00 +15\.00 +105\.00$/m);
    const plain = await quote('without', '2026-12-01', '2026-12-04');
    assert.equal((await workplace.json(['quote', 'show', plain.quoteId])).discount, null);
    assert.match((await workplace.run(['quote', 'show', plain.quoteId])).stdout, /^discount +-$/m);
  });

  it('are printed by quote explain, with each type', async () => {
    // Commands go by the clock of the machine.
    const discounts = [{ code: 'long_stay', percent: '5', minNights: 2 }];
    await running.installation.importLines([openNow('now', { discounts })]);
    const asked = ['quote', 'explain', '--property', 'now', '--guests', '2', '--check-in', daysAhead(10)];
    const explained = await workplace.json([...asked, '--check-out', daysAhead(12)]);
    assert.deepEqual(explained.inventoryTypes[0].discount, {
      code: 'long_stay',
      percent: '5',
      amount: '12.00',
    });
    assert.equal(explained.inventoryTypes[0].pricing.accommodation, '228.00');
    const { stdout } = await workplace.run([...asked, '--check-out', daysAhead(12)]);
    assert.match(stdout, /^double \(Double\): eligible, 228\.00 EUR, discount long_stay, 5 %: 12\.00$/m);
    const shorter = await workplace.json([...asked, '--check-out', daysAhead(11)]);
    assert.equal(shorter.inventoryTypes[0].discount, null);
  });

  it('come back from property show as they were written, and import unchanged', async () => {
    const document = await workplace.json(['property', 'show', 'imported']);
    assert.deepEqual(document.discounts, DISCOUNTS);
    assert.deepEqual((await workplace.json(['property', 'show', 'without'])).discounts, []);
    const { summary } = await running.installation.importLines([document]);
    assert.deepEqual([summary.changed, summary.unchanged], [0, 1]);
  });

  it('are cleared by an import without them, and by a document that is sent', async () => {
    assert.equal(await accommodationOf('imported'), '315.00');
    const { summary } = await running.installation.importLines([hotel('imported')]);
    assert.equal(summary.changed, 1);
    assert.equal(await accommodationOf('imported'), '360.00');

    const put = (discounts?: readonly Line[]) =>
      call('PUT', 'properties/imported', hotel('imported', discounts === undefined ? {} : { discounts }));
    assert.equal((await put([{ ...EARLY, percent: '50' }])).body.changed, true);
    assert.equal(await accommodationOf('imported'), '180.00');
    const { document } = (await call('GET', 'properties/imported')).body;
    assert.deepEqual(document.discounts, [{ ...EARLY, percent: '50' }]);
    assert.equal((await call('PUT', 'properties/imported', document)).body.changed, false);
    assert.equal((await put()).body.changed, true);
    assert.equal(await accommodationOf('imported'), '360.00');
  });

  it('are refused with field and reason, in a file and in a message', async () => {
    const wrong = hotel('wrong', { discounts: [WEEKLY, { ...EARLY, inventoryTypeIds: ['suite'] }] });
    const { rejections } = await running.installation.importLines([wrong]);
    assert.equal(rejections[0]?.field, 'discounts[1].inventoryTypeIds[0]');
    assert.match(said(rejections[0]?.reason), /must be an inventory type of this property, not "suite"/);
    const { status, body } = await call('PUT', 'properties/wrong', wrong);
    assert.deepEqual([status, body.code], [400, 'SUPPLY_VALIDATION_ERROR']);
    assert.equal(body.errors[0].pointer, '/discounts/1/inventoryTypeIds/0');
    const twice = hotel('wrong', { discounts: [WEEKLY, WEEKLY] });
    assert.equal((await call('PUT', 'properties/wrong', twice)).body.errors[0].pointer, '/discounts/1/code');
  });
});
