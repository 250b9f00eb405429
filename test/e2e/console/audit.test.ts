/** The audit page: a sentence for each act, day by day, and what it can be asked for. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { recordAct } from '../../../src/access/audit-trail.ts';
import { AUDIT_ROWS_SHOWN_MAX } from '../../../src/console/pages/audit/read.ts';
import { AUDIT_TEXTS } from '../../../src/console/pages/audit/messages.ts';
import { CONSOLE_FORMS } from '../../../src/console/reading/console-forms.ts';
import { unescapeHtml } from '../../../src/http/html/html.ts';
import { double, hotel } from '../../kit/catalogue-lines.ts';
import { type ConsoleClient, signInTo } from '../../kit/console-client.ts';
import { startSupply, type SupplyRunning } from '../../kit/supply-client.ts';
import { describePostgres } from '../../suites/storage/postgres-fixture.ts';

const ENGLISH = { 'accept-language': 'en-GB' };
const CASA = '/console/properties/casa';

const ACTS_FOLDER = join(import.meta.dirname, '../../../src/operator/acts');

it('Every act that changes something has a sentence', async () => {
  const said = new Set(Object.keys(AUDIT_TEXTS['en-GB'].did));
  const files = readdirSync(ACTS_FOLDER).filter((name) => name.endsWith('-acts.ts'));
  const modules = await Promise.all(
    files.map((name) => import(join(ACTS_FOLDER, name)) as Promise<Readonly<Record<string, unknown>>>),
  );
  const rows = modules.flatMap((own) => Object.values(own)).filter(isAct);
  assert.ok(rows.length > 30, String(rows.length));
  const acts = rows.filter(({ audit }) => audit !== 'reads').map(({ name }) => name);
  const forms = Object.values(CONSOLE_FORMS)
    .filter((form) => !('row' in form))
    .map(({ command }) => command);
  const silent = [...acts, ...forms].filter((name) => !said.has(name) && name !== 'ask-again');
  assert.deepEqual(silent, []);
});

function isAct(value: unknown): value is { readonly name: string; readonly audit: unknown } {
  return typeof value === 'object' && value !== null && 'audit' in value && 'name' in value;
}

describe('The audit page', () => describeAudit(async () => undefined));
describePostgres('The audit page on PostgreSQL', (server) => describeAudit(() => server().createDatabase()));

function describeAudit(openDatabase: () => Promise<string | undefined>): void {
  let running: SupplyRunning;
  let ada: ConsoleClient;
  let grace: ConsoleClient;
  before(async () => {
    running = await startSupply(
      [
        hotel('casa', {
          name: 'Casa <b>Verde</b>',
          inventoryTypes: [double({ inventoryTypeId: 'family', name: 'Family room' }), double()],
        }),
      ],
      {},
      await openDatabase(),
    );
    const { installation, service } = running;
    ada = await signInTo(installation, service.operatorUrl, { role: 'admin', name: 'Ada' });
    grace = await signInTo(installation, service.operatorUrl, { role: 'admin', name: 'Grace' });
    const nights = { type: 'family', from: '2026-12-24', to: '2026-12-26' };
    assert.equal((await ada.act(`${CASA}/close`, nights)).status, 303);
    assert.equal((await ada.act(`${CASA}/nights-save`, { ...nights, rate: '150' })).status, 303);
    assert.equal((await grace.act('/console/partners/partner-create', { name: 'Guide' })).status, 303);
    assert.equal((await grace.act('/console/partners/acme/issue', { quota: '10' })).status, 200);
  });
  after(() => running.installation.close());
  before(async () => {
    const author = running.installation.storage.asAuthor({ person: 'Ada', role: 'admin', act: 'odd act' });
    await recordAct(
      author,
      'odd',
      async () => undefined,
      () => ({ constructor: '1', toString: '2' }) as never,
    );
  });

  const sentences = async (query = '', headers: Readonly<Record<string, string>> = ENGLISH) => {
    const { text } = await ada.get(`/console/audit${query}`, headers);
    return [...text.matchAll(/<li data-act="([^"]*)"[^>]*>([^]*?)<\/li>/g)].map(([, act, html = '']) => ({
      act,
      html,
      text: unescapeHtml(html.replaceAll(/<[^>]*>/g, ''))
        .replaceAll(/\s+/g, ' ')
        .trim(),
    }));
  };

  it('says who did what to which nights of which room, from what to what, with links', async () => {
    const all = await sentences();
    const closed = all.find(({ act }) => act === 'close');
    assert.match(
      closed!.text,
      /^\d\d:\d\d UTC Ada closed Casa <b>Verde<\/b>, Family room, Thu 24 Dec 2026 – Sat 26 Dec 2026$/,
    );
    assert.ok(closed!.html.includes('href="../console/properties/casa"'), closed!.html);
    assert.ok(!closed!.html.includes('Casa <b>'), 'names are escaped');
    const priced = all.find(({ act }) => act === 'nights set');
    assert.match(priced!.text, /Sat 26 Dec 2026 rate 120\.00 → 150\.00$/);
    const made = all.find(({ act }) => act === 'partner create');
    assert.match(made!.text, /UTC Grace created the partner \S+/);
    assert.match(made!.html, /href="\.\.\/console\/partners\/[^"]+"/);
    const italian = await sentences('', { 'accept-language': 'it-IT' });
    assert.match(italian.find(({ act }) => act === 'close')!.text, /Ada ha chiuso Casa/);
    const odd = all.find(({ act }) => act === 'odd act');
    assert.match(odd!.text, /constructor 1, toString 2$/, 'a field is looked up among our words alone');
    for (const { act, text } of italian)
      assert.ok(!/\b(?:signed|closed|made|false|true|\w+Id|\w+At)\b/.test(text), `${act}: ${text}`);
  });

  it('is filtered by who, by act and by a part of the id, and tells what it cannot read', async () => {
    const actsOf = async (query: string) => [...new Set((await sentences(query)).map(({ act }) => act))];
    assert.deepEqual(await actsOf('?person=Grace&act=partner+create'), ['partner create']);
    assert.deepEqual(await actsOf('?act=close'), ['close']);
    assert.deepEqual(await actsOf('?on=CASA%2Ffam'), ['nights set', 'close']);
    assert.deepEqual(await actsOf('?person=nobody'), []);
    const { text } = await ada.get('/console/audit?since=soon&page=0', ENGLISH);
    assert.match(text, /cannot be used: Not older than/);
    const rows = await ada.rows<readonly { readonly act: string }[]>('/console/audit?act=close');
    assert.deepEqual(
      rows.map(({ act }) => act),
      ['close'],
      'JSON is filtered too',
    );
  });

  it('has a heading for each day, and leads to older entries', async () => {
    const { text } = await ada.get('/console/audit', ENGLISH);
    assert.match(text, /<h2><time datetime="2026-11-20">Fri 20 Nov 2026<\/time><\/h2>/);
    for (let index = 0; index < AUDIT_ROWS_SHOWN_MAX; index += 1)
      await ada.act(`${CASA}/${index % 2 === 0 ? 'close' : 'open'}`, {
        type: 'double',
        from: '2027-01-01',
        to: '2027-01-01',
      });
    const first = await ada.get('/console/audit?person=Ada', ENGLISH);
    assert.equal((await sentences('?person=Ada')).length, AUDIT_ROWS_SHOWN_MAX);
    const next = /rel="next" href="\.\.\/([^"]+)"/.exec(first.text)?.[1];
    assert.equal(next && unescapeHtml(next), 'console/audit?person=Ada&page=2');
    assert.match(first.text, /<a class="skip" href="#next">[^]*<a rel="next" [^>]*id="next">/);
    const older = await sentences('?person=Ada&page=2');
    assert.ok(older.length >= 3 && older.some(({ act }) => act === 'sign-in'), JSON.stringify(older));
  });
}
