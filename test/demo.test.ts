/**
 * The demo, as a child process: the calls that it prints are run unchanged.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { type Ended, firstLine, type Started, type Workplace, until } from './kit/command-line.ts';
import { WorkplaceHere } from './kit/commands-here.ts';
import { formatLocalDate, localToday } from '../src/domain/local-date.ts';
import { daysAhead } from './kit/catalogue-lines.ts';
import { browserMissing, startBrowser } from './kit/browser.ts';
import { programsMissing } from './kit/system-programs.ts';

const FREE_PORTS = { PORT: '0', OPERATOR_PORT: '0', WEB_PORT: '0' };
const curlMissing = programsMissing('curl');

interface Demo {
  readonly partnerUrl: string;
  readonly operatorUrl: string;
  readonly docsUrl: string;
  readonly supplyDocsUrl: string;
  readonly attribution: string;
  readonly webUrl: string;
  readonly handoffUrl: string;
  readonly partnerId: string;
  readonly credentialId: string;
  readonly token: string;
  readonly testToken: string;
  readonly calls: readonly string[];
}

describe('The demo', () => {
  const workplace = new WorkplaceHere(FREE_PORTS);
  after(async () => workplace.remove());
  let first: Demo;
  let startedAtMs = 0;

  let started: Started;
  before(async () => {
    writeFileSync(join(workplace.directory, '.env'), 'QUOTE_TTL_SECONDS=900\nHANDOFF_KEYS=\n');
    startedAtMs = Date.now();
    started = workplace.start(['demo', '--json']);
    first = JSON.parse(await firstLine(started));
  });

  it('prints a call per operation; each answers 2xx', { skip: curlMissing }, () => {
    assert.deepEqual(first.calls.map(runCall), [200, 200, 200, 201, 200, 200]);
  });

  it('has a past that its catalogue could have had', async () => {
    const rows = (await workplace.json(['requests', '--since', '14d', '--limit', '500'])) as {
      readonly city: string | null;
      readonly total: number | null;
      readonly correlationId: string;
    }[];
    const invented = rows.filter(({ correlationId }) => correlationId.startsWith('sample-'));
    assert.ok(invented.length > 100);
    const counts = new Map(
      await Promise.all(
        ['Antwerp', 'Venezia'].map(async (city) => {
          const headers = { authorization: `Bearer ${first.token}` };
          const found = await fetch(`${first.partnerUrl}/v1/properties?city=${city}`, { headers });
          const { pagination } = (await found.json()) as { readonly pagination: { readonly total: number } };
          return [city, pagination.total] as const;
        }),
      ),
    );
    const impossible = invented.filter(({ city, total }) => (total ?? 0) > (counts.get(city ?? '') ?? 0));
    assert.deepEqual(impossible, []);
  });

  it('counts the travellers of its links', async () => {
    for (const url of [first.docsUrl, first.supplyDocsUrl]) assert.equal((await fetch(url)).status, 200, url);
    const headers = { authorization: `Bearer ${first.testToken}` };
    const sandbox = await fetch(`${first.partnerUrl}/v1/properties?city=Testville`, { headers });
    assert.match(await sandbox.text(), /"propertyId":"test-always"/);
    const opened = await openTrusting(first.handoffUrl);
    assert.match(opened, /<main [^>]*data-outcome="unchanged"/);
    // From yesterday on: midnight may have passed since the quotes.
    const attribution = ['attribution', '--from', daysAhead(-1), '--to', daysAhead(0)];
    const countOpened = async (): Promise<number> =>
      (await workplace.json([...attribution, '--partner', 'demo'])).reduce(
        (sum: number, row: { opened: number }) => sum + row.opened,
        0,
      );
    await until(async () => (await countOpened()) === 1);
    const csv = await workplace.run([...attribution, '--csv']);
    // The quote of the link, and the one of the printed call where there is curl.
    assert.match(csv.stdout, /^\d{4}-\d\d-\d\d,demo,[12],1,0,1,0,0,0,0,0\r?$/m);
    assert.match((await workplace.run(first.attribution.split(' ').slice(1))).stdout, /\bdemo\b/);
    const twoWeeks = ['--from', daysAhead(-14), '--to', daysAhead(0)];
    const invented = await workplace.json(['attribution', ...twoWeeks, '--partner', 'sample']);
    assert.equal(invented.length, 14);
    for (const name of ['quotes', 'opened', 'priceChanged', 'continued', 'converted'])
      assert.ok(
        invented.some((row: Record<string, number>) => row[name]! > 0),
        name,
      );
    await followTheButton(first.handoffUrl);
  });

  it('prints a call whose link opens in a browser', { skip: curlMissing || browserMissing() }, () =>
    openInBrowser(first),
  );

  it('imports the sample, and says that it reads a .env', async () => {
    const { stderr } = await stop(started);
    assert.match(stderr, /QUOTE_TTL_SECONDS read from [^;]+\.env; NODE_ENV=production ignores that file/);
    assert.match(stderr, /importing Antwerp: 150 properties/);
    assert.match(stderr, /importing Italy: 6 properties/);
    assert.doesNotMatch(stderr, /Warning/);
  });

  it('moves the sample so that its first night is today', async () => {
    const { inventoryTypes } = await workplace.json(['property', 'show', 'trulli-della-valle']);
    // It was that day when the demo was started, or is by now.
    const days = [startedAtMs, Date.now()].map((ms) => localToday('Europe/Rome', ms));
    assert.ok(days.map(formatLocalDate).includes(inventoryTypes[0].calendar[0].dateFrom), days.join());
  });

  it('starts the second time with what is there, says how to reset, and replaces the token', async () => {
    await workplace.json(['property', 'withdraw', 'trulli-della-valle']);
    const stdout = await printedWithoutImport(workplace);
    assert.match(stdout, /nothing was imported again/);
    assert.match(stdout, /those of the run before are revoked/);
    assert.ok(stdout.includes(`delete ${workplace.databasePath}`));
    assert.ok(!stdout.includes(first.token));
    assert.equal((await workplace.run(['property', 'show', 'trulli-della-valle'])).code, 1);

    const credentials: { revokedAt: string | null; createdAt: string; expiresAt: string }[] =
      await workplace.json(['credential', 'list']);
    for (const { createdAt, expiresAt } of credentials)
      assert.ok(Date.parse(expiresAt) - Date.parse(createdAt) <= 24 * 3_600_000, 'no token outlives a day');
    assert.deepEqual(
      credentials.map(({ revokedAt }) => revokedAt === null),
      [false, false, true, true],
    );
    const partners: { partnerId: string }[] = await workplace.json(['partner', 'list']);
    assert.deepEqual(
      partners.map(({ partnerId }) => partnerId),
      ['demo', 'sample'],
    );
  });
});

describe('The demo on a database with data of its own', () => {
  const workplace = new WorkplaceHere(FREE_PORTS);
  after(async () => workplace.remove());

  it('imports nothing, and says so when nothing there can be quoted', async () => {
    await workplace.run(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
    const stdout = await printedWithoutImport(workplace);
    assert.match(stdout, /No property of this database can be quoted/);
    const partners: { partnerId: string }[] = await workplace.json(['partner', 'list']);
    assert.deepEqual(
      partners.map(({ partnerId }) => partnerId),
      ['acme', 'demo'],
    );
  });
});

/** Starts the demo until it has printed everything; it imports nothing. */
async function printedWithoutImport(workplace: Workplace): Promise<string> {
  const started = workplace.start(['demo']);
  await firstLine(started);
  await until(async () => started.printed.stdout.includes('Ctrl-C'));
  const { stdout, stderr } = await stop(started);
  assert.doesNotMatch(stderr, /importing/);
  return stdout;
}

/** Quotes as the printed call does, and opens the link of the answer. */
async function openInBrowser({ calls, webUrl }: Demo): Promise<void> {
  const { stdout } = spawnSync(calls[3] ?? '', { shell: true, encoding: 'utf8' });
  const { handoffUrl } = JSON.parse(stdout) as { readonly handoffUrl: string };
  assert.match(handoffUrl, /^https:\/\/localhost:8443\/handoff\?handoff=/);
  const browser = await startBrowser({ 'localhost:8443': new URL(webUrl).host });
  try {
    const page = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage();
    await page.goto(handoffUrl);
    assert.equal(await page.locator('main').getAttribute('data-outcome'), 'unchanged');
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Bridge Hotel');
    await page.locator('form button').first().click();
    await page.getByRole('heading', { name: 'Your booking site would be here' }).waitFor();
    const shown = await page.locator('dd').allInnerTexts();
    assert.deepEqual(
      [shown[0], ...shown.slice(4, 10)],
      ['hotel-ponte-venezia', '2', '2', '0', 'empty', 'en-GB', 'demo'],
    );
  } finally {
    await browser.close();
  }
}

/** As the button does, to the sample booking page; it shows what is sent as text. */
async function followTheButton(link: string): Promise<void> {
  const url = new URL(link.replace('//localhost', '//127.0.0.1'));
  const asked = request(new URL('/handoff/continue', url), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    rejectUnauthorized: false,
  }).end(url.search.slice(1));
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  assert.equal(response.statusCode, 303);
  const booking = new URL(response.headers.location ?? '');
  assert.equal(booking.hostname, 'localhost');
  assert.equal(booking.searchParams.get('propertyId'), 'hotel-ponte-venezia');
  booking.searchParams.set('quoteId', '<script>alert(1)</script>');
  const page = await openTrusting(booking.href);
  assert.match(page, /<dd>hotel-ponte-venezia<\/dd>/);
  assert.match(page, /<dd>&lt;script&gt;alert\(1\)&lt;\/script&gt;<\/dd>/);
  assert.doesNotMatch(page, /<script/);
  assert.equal(await openTrusting(new URL('/', booking).href), 'Not here.\n');
}

/** A page of the demo, whose certificate nobody knows. */
async function openTrusting(url: string): Promise<string> {
  const asked = request(url.replace('//localhost', '//127.0.0.1'), { rejectUnauthorized: false }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return await text(response);
}

/** The status of a printed call, run by a shell unchanged. */
function runCall(call: string): number {
  const { stdout } = spawnSync(`${call} -w "\n%{http_code}"`, { shell: true, encoding: 'utf8' });
  return Number(stdout.split('\n').at(-1));
}

async function stop({ child, ended }: Started): Promise<Ended> {
  child.kill('SIGTERM');
  const end = await ended;
  if (process.platform !== 'win32') assert.equal(end.code, 0);
  return end;
}
