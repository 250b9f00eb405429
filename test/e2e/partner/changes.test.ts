/**
 * What the operator changes while the service runs is in force within a second, without a restart; and what was
 * stored is there after one.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { revokeCredential, rotateCredential } from '../../../src/access/credential-changes.ts';
import { issueOperatorToken, revokeOperatorToken } from '../../../src/access/operator-tokens.ts';
import { updatePartner } from '../../../src/access/partner-changes.ts';
import { until } from '../../kit/command-line.ts';
import { december, double, hotel, hotelWith, inCity, nights } from '../../kit/catalogue-lines.ts';
import { exchange } from '../../kit/http-exchange.ts';
import { NOW_MS, type Running, startInstallation, valueOf } from '../../kit/installation.ts';
import { PartnerClient, quoteBody } from '../../kit/partner-client.ts';

const WITHIN_MS = 1_000;
const STAY = { checkIn: '2026-12-01', checkOut: '2026-12-04' };

let running: Running;
before(async () => {
  running = await startInstallation([
    hotel('changing', inCity('Roma')),
    hotel('leaving', inCity('Roma')),
    hotel('replaced', inCity('Napoli')),
    hotel('quoted', inCity('Torino')),
  ]);
});
after(() => running.installation.close());

/** Fails unless the answer is true within a second. */
async function soon(isTrue: () => Promise<boolean>): Promise<void> {
  await until(isTrue, WITHIN_MS);
}

async function idsIn(city: string, query: object = {}): Promise<readonly string[]> {
  const { items } = (await running.partner.search({ city, ...query })).success;
  return items.map(({ propertyId }) => propertyId);
}

const clientOf = (token: string) => new PartnerClient(running.service.partnerUrl, token);
const outcomeOf = async (token: string) => (await clientOf(token).property('changing')).outcome;

describe('a change of the catalogue', () => {
  it('shows a property that was added', async () => {
    await running.installation.importLines([hotel('arriving', inCity('Roma'))]);
    await soon(async () => (await idsIn('Roma')).includes('arriving'));
    assert.equal((await running.partner.property('arriving')).status, 200);
  });

  it('withdraws a property, and brings it back', async () => {
    assert.equal(await running.installation.storage.withdrawProperties(['leaving']), 1);
    await soon(async () => !(await idsIn('Roma')).includes('leaving'));
    const answers = [
      await running.partner.property('leaving'),
      await running.partner.availability('leaving', STAY),
      await running.partner.quote(quoteBody('leaving', STAY.checkIn, STAY.checkOut)),
    ];
    for (const { outcome } of answers) assert.equal(outcome, '404 PROPERTY_NOT_FOUND');

    await running.installation.importLines([hotel('leaving', inCity('Roma'))]);
    await soon(async () => (await idsIn('Roma')).includes('leaving'));
  });

  it('takes a night away that was closed', async () => {
    const isAvailable = async () => (await running.partner.availability('changing', STAY)).success.available;
    assert.equal(await isAvailable(), true);
    const closed = nights('2026-12-02', '2026-12-02', { stopSell: true });
    await running.installation.importLines([hotelWith('changing', [december(), closed], inCity('Roma'))]);
    await soon(async () => !(await isAvailable()));
    assert.ok(!(await idsIn('Roma', STAY)).includes('changing'));
    assert.ok((await idsIn('Roma', { checkIn: '2026-12-05', checkOut: '2026-12-07' })).includes('changing'));
  });

  it('changes texts, city, capacity and starting price together', async () => {
    const changed = hotel('changing', {
      ...inCity('Genova'),
      name: 'New name',
      inventoryTypes: [double({ guestsMax: 6, calendar: [december({ rate: '77.00' })] })],
    });
    await running.installation.importLines([changed]);
    await soon(async () => (await idsIn('Genova')).includes('changing'));
    const { name, capacity, startingPrice } = (await running.partner.property('changing')).success;
    assert.deepEqual([name, capacity.guests, startingPrice], ['New name', 6, '77.00']);
    assert.ok(!(await idsIn('Roma')).includes('changing'));
  });

  it('counts for a quote at once, for a quote reads the database', async () => {
    for (const rate of ['10.00', '20.00', '30.00']) {
      await running.installation.importLines([hotelWith('quoted', [december({ rate })], inCity('Torino'))]);
      const answer = await running.partner.quote(quoteBody('quoted', '2026-12-01', '2026-12-02'));
      assert.equal(answer.success.pricing.total, rate);
    }
  });

  it('leaves other sources alone when a file replaces its own', async () => {
    const { importLines } = running.installation;
    await importLines([hotel('other-1', inCity('Bari')), hotel('other-2', inCity('Bari'))], {
      source: 'other',
    });
    await soon(async () => (await idsIn('Bari')).length === 2);
    const { summary } = await importLines([hotel('other-2', inCity('Bari'))], {
      source: 'other',
      replace: true,
    });
    assert.equal(summary.withdrawn, 1);
    await soon(async () => (await idsIn('Bari')).length === 1);
    assert.deepEqual(await idsIn('Bari'), ['other-2']);
    assert.deepEqual(await idsIn('Napoli'), ['replaced']);
  });

  it('does not disturb what is asked meanwhile', async () => {
    const { importLines } = running.installation;
    const lines = Array.from({ length: 200 }, (_, index) => hotel(`wave-${index}`, inCity('Pisa')));
    const importing = importLines(lines);
    const asked = Array.from({ length: 50 }, () => idsIn('Napoli'));
    for (const ids of await Promise.all(asked)) assert.deepEqual(ids, ['replaced']);
    await importing;
    await soon(async () => (await running.partner.search({ city: 'Pisa' })).success.pagination.total === 200);
  });
});

describe('a change of who may call', () => {
  it('admits a new credential', async () => {
    const { token } = await running.installation.issue({ partnerId: 'newcomer' });
    await soon(async () => (await outcomeOf(token)) === '200');
  });

  it('refuses a credential that was revoked', async () => {
    const { token, credentialId } = await running.installation.issue();
    await soon(async () => (await outcomeOf(token)) === '200');
    valueOf(await revokeCredential(running.installation.access, credentialId));
    await soon(async () => (await outcomeOf(token)) === '401 PARTNER_ACCESS_REVOKED');
  });

  it('refuses and admits the credentials of a partner that is disabled and enabled', async () => {
    const { access, issue } = running.installation;
    const { token } = await issue({ partnerId: 'resting' });
    await soon(async () => (await outcomeOf(token)) === '200');
    valueOf(await updatePartner(access, 'resting', { disabled: true }));
    await soon(async () => (await outcomeOf(token)) === '401 PARTNER_ACCESS_REVOKED');
    valueOf(await updatePartner(access, 'resting', { disabled: false }));
    await soon(async () => (await outcomeOf(token)) === '200');
  });

  it('lets a rotated credential work for the overlap, and its successor from the start', async () => {
    const { access, issue, time } = running.installation;
    const old = await issue({ partnerId: 'rotating' });
    const next = valueOf(await rotateCredential(access, old.credentialId, { overlapMs: 60_000 }));
    await soon(async () => (await outcomeOf(next.token)) === '200');
    try {
      time.nowMs = NOW_MS + 59_999;
      assert.equal(await outcomeOf(old.token), '200');
      time.nowMs = NOW_MS + 60_000;
      assert.equal(await outcomeOf(old.token), '401 INVALID_PARTNER_CREDENTIAL');
      assert.equal(await outcomeOf(next.token), '200');
    } finally {
      time.nowMs = NOW_MS;
    }
  });

  it('authorises an origin, and takes it back', async () => {
    const { access, issue } = running.installation;
    const origin = 'https://browser.example';
    const { token } = await issue({ partnerId: 'browsing' });
    const statusFrom = async () => (await clientOf(token).with({ origin }).property('changing')).status;
    valueOf(await updatePartner(access, 'browsing', { origins: [origin] }));
    await soon(async () => (await statusFrom()) === 200);
    valueOf(await updatePartner(access, 'browsing', { origins: [] }));
    await soon(async () => (await statusFrom()) === 403);
  });

  it('admits a new operator token, and refuses it when it is revoked', async () => {
    const { access } = running.installation;
    const { operatorTokenId, token } = valueOf(await issueOperatorToken(access, { name: 'web' }));
    const asked = {
      method: 'POST',
      path: '/handoff/resolve',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"handoff":"x"}',
    };
    const status = async () => (await exchange(running.service.operatorUrl, asked)).status;
    await soon(async () => (await status()) === 400);
    valueOf(await revokeOperatorToken(access, operatorTokenId));
    await soon(async () => (await status()) === 401);
  });
});

describe('a restart', () => {
  it('loses nothing: catalogue, credentials, quotes and handoff keys', async () => {
    const { installation, partner } = running;
    const { token } = await installation.issue({ partnerId: 'staying' });
    const operatorToken = await installation.issueOperatorToken();
    const listed = (await partner.search({ city: 'Torino', ...STAY })).text;
    const { handoffUrl } = (await partner.quote(quoteBody('quoted', STAY.checkIn, STAY.checkOut))).success;
    await running.service.close();

    const again = await installation.serve();
    const client = new PartnerClient(again.partnerUrl, token);
    assert.equal((await client.search({ city: 'Torino', ...STAY })).text, listed);
    const resolved = await exchange(again.operatorUrl, {
      method: 'POST',
      path: '/handoff/resolve',
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ handoff: new URL(handoffUrl).searchParams.get('handoff') }),
    });
    assert.equal(resolved.status, 200);
    assert.equal(JSON.parse(Buffer.from(resolved.body).toString()).outcome, 'unchanged');
  });
});
