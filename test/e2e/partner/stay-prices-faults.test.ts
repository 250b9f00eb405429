/** `/prices/v1` and `/content/v1` on bad nights: without their scopes, after a restart, on a database that went back. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import type { StayPriceList, StayPrices } from '../../../src/contract/partner/price-schemas.ts';
import { EXTRA_OPERATIONS } from '../../../src/contract/partner/extra-operations.ts';
import type { Operation } from '../../../src/contract/partner/operations.ts';
import { ALL_SCOPE_NAMES, EXTRA_SCOPES } from '../../../src/contract/partner/scopes.ts';
import { HOTEL_PONTE, hotel, inCity, openNow } from '../../kit/catalogue-lines.ts';
import { startServer, until } from '../../kit/command-line.ts';
import { WorkplaceHere } from '../../kit/commands-here.ts';
import { type EarlierCopy, earlierSqlite } from '../../kit/earlier-copy.ts';
import { type Running, startInstallation } from '../../kit/installation.ts';
import { type Answer, GOOD_REQUESTS, PartnerClient } from '../../kit/partner-client.ts';

/** More with `IMPORTED=100000`. */
const IMPORTED = Number(process.env['IMPORTED'] ?? 1_500);

/** Whether a credential has none of its scopes unless they are named. */
const isExtra = ({ scopes }: Operation): boolean => scopes.every((scope) => scope in EXTRA_SCOPES);

/** Each scope of the operation alone, and all of them. */
function lackingOf({ operationId, scopes }: Operation) {
  const alone = scopes.map((scope) => [scope]);
  return [...alone, ...(scopes.length > 1 ? [scopes] : [])].map((lacking) => ({ operationId, lacking }));
}

describe('Prices and content', () => {
  let running: Running;
  let copy: EarlierCopy;
  before(async () => {
    running = await startInstallation([HOTEL_PONTE]);
    copy = earlierSqlite(running.installation.databasePath);
  });
  after(() => running.installation.close());

  for (const { operationId, lacking } of EXTRA_OPERATIONS.flatMap(lackingOf)) {
    it(`${operationId} is refused to a credential that has every scope but ${lacking.join(' and ')}`, async () => {
      const scopes = ALL_SCOPE_NAMES.filter((name) => !lacking.includes(name));
      const { token } = await running.installation.issue({ scopes });
      const partner = new PartnerClient(running.service.partnerUrl, token);
      const ask = (): Promise<Answer<unknown>> => partner.ask(operationId, GOOD_REQUESTS[operationId]);
      await until(async () => (await ask()).status !== 401);
      const refused = await ask();
      assert.equal(refused.outcome, '403 PARTNER_SCOPE_INSUFFICIENT');
      assert.match(refused.header('www-authenticate') ?? '', new RegExp(`scope="${lacking.join(' ')}"`));
      assert.match(refused.problem.detail, new RegExp(`${lacking.join(' and ')}\\.$`));
      assert.ok(!refused.text.includes('Ponte'));
    });
  }

  it('are not granted by a scope that this release does not know, whatever it looks like', async () => {
    const { token, credentialId } = await running.installation.issue({ scopes: ['properties:read'] });
    const scopes = [
      'properties:read',
      '*',
      'prices:*',
      'prices:read:all',
      'Prices:Read',
      'content',
      'later:read',
    ];
    const database = new DatabaseSync(running.installation.databasePath);
    const change = database.prepare('UPDATE credentials SET scopes = ? WHERE credential_id = ?');
    assert.equal(change.run(JSON.stringify(scopes), credentialId).changes, 1);
    database.close();
    const another = await running.installation.serve();
    const partner = new PartnerClient(another.partnerUrl, token);
    assert.equal((await partner.search({ city: 'Venezia' })).status, 200);
    for (const { operationId } of EXTRA_OPERATIONS.filter(isExtra)) {
      const refused = await partner.ask(operationId, GOOD_REQUESTS[operationId]);
      assert.equal(refused.outcome, '403 PARTNER_SCOPE_INSUFFICIENT', operationId);
    }
    await another.close();
  });

  it('are answered or refused with 503 beside an import, and complete after it', async () => {
    const lines = Array.from({ length: IMPORTED }, (_, index) =>
      openNow(`imported-${index}`, { ...inCity('Torino'), cleaningFee: `${index % 90}.00` }),
    );
    const { token } = await running.installation.issue({ scopes: ALL_SCOPE_NAMES });
    await until(
      async () =>
        (await new PartnerClient(running.service.partnerUrl, token).search({ city: 'Venezia' })).status ===
        200,
    );
    let isOver = false;
    const imported = running.installation.importLines(lines).finally(() => (isOver = true));
    const path = `${GOOD_REQUESTS.searchStayPrices.path.replace('Venezia', 'Torino')}&sort=total`;
    const statuses = new Set<number>();
    const listed = async (): Promise<StayPriceList | undefined> => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${running.service.partnerUrl}${path}`, { headers });
      statuses.add(answer.status);
      const body = (await answer.json()) as StayPriceList;
      return answer.status === 200 ? body : undefined;
    };
    while (!isOver) {
      const page = await listed();
      const totals = (page?.items ?? []).map(({ pricing }) => Number(pricing?.total));
      assert.deepEqual(
        totals,
        totals.toSorted((one, other) => one - other),
      );
    }
    await imported;
    await until(async () => (await listed())?.pagination.total === IMPORTED);
    statuses.delete(503);
    assert.deepEqual([...statuses], [200]);
  });

  it('follow a database that goes back', async () => {
    const asked = GOOD_REQUESTS.priceStays;
    const total = async (): Promise<string | undefined> => {
      const { items } = (await running.partner.ask<StayPrices>('priceStays', asked)).success;
      return items[0]?.pricing?.total;
    };
    const houseRules = async (): Promise<unknown> => {
      const answer = await running.partner.ask('getPropertyContent', GOOD_REQUESTS.getPropertyContent);
      return (answer.success as { houseRules: unknown }).houseRules;
    };
    const first = await total();
    assert.ok(first !== undefined);
    await copy.keep();
    const lost = { ...HOTEL_PONTE, cleaningFee: '41.00', taxes: [], houseRules: 'Lost.' };
    await running.installation.importLines([lost]);
    await until(async () => (await total()) !== first && (await houseRules()) === 'Lost.');
    await copy.goBack();
    await until(async () => (await total()) === first && (await houseRules()) === null);
  });
});

describe('Prices and content after a restart from the catalogue file', () => {
  const workplace = new WorkplaceHere();
  after(() => workplace.remove());

  it('prices and content after a restart are the same to the byte, with their ETags', async () => {
    const lines = [
      openNow('cheap', { discounts: [{ code: 'two', percent: '12.5', minNights: 2 }] }),
      openNow('dear', { cleaningFee: '33.33', taxes: HOTEL_PONTE['taxes'] }),
      openNow('silent', { quoting: false }),
      hotel('closed', { inventoryTypes: [{ inventoryTypeId: 'double', name: 'Double', guestsMax: 2 }] }),
    ];
    const input = lines.map((line) => JSON.stringify(line)).join('\n');
    await workplace.json(['import', 'catalogue', '-'], { input });
    await workplace.run(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
    const scopes = ALL_SCOPE_NAMES.flatMap((scope) => ['--scope', scope]);
    const { token } = await workplace.json(['credential', 'issue', '--partner', 'acme', ...scopes]);
    const now = Date.now();
    const date = (days: number): string => new Date(now + days * 86_400_000).toISOString().slice(0, 10);
    const dates = { checkIn: date(5), checkOut: date(8) };
    const query = new URLSearchParams({ city: 'Venezia', ...dates, guests: '2' }).toString();
    const body = JSON.stringify({
      propertyIds: ['dear', 'silent', 'nobody', 'closed', 'cheap'],
      stay: { ...dates, guests: 2 },
    });
    const answersOf = async (from: string): Promise<readonly string[]> => {
      const server = await startServer(workplace);
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const answers: string[] = [];
      for (const [path, init] of [
        [`/prices/v1/stays?${query}&sort=total`, {}],
        [`/prices/v1/stays?${query}&sort=default&locale=en-GB`, {}],
        ['/prices/v1/stays', { method: 'POST', body }],
        [`/prices/v1/properties/dear/calendar?from=${date(1)}&nights=3`, {}],
        ['/content/v1/properties?city=Venezia', {}],
        ['/content/v1/properties/dear', {}],
      ] as const) {
        const answer = await fetch(`${server.partnerUrl}${path}`, { ...init, headers });
        assert.equal(answer.status, 200, path);
        answers.push(`${path} ${answer.headers.get('etag')} ${await answer.text()}`);
      }
      server.child.kill('SIGTERM');
      assert.match((await server.ended).stderr, new RegExp(`"from":"${from}"`));
      return answers;
    };
    const before = await answersOf('database');
    assert.equal(before.filter((answer) => / "[\w-]{22}" /.test(answer)).length, 2);
    assert.ok(before.some((answer) => answer.includes('"percent":"12.5"')));
    assert.deepEqual(await answersOf('file'), before);
  });
});
