/** Forms of acts: they refuse what their commands refuse, in the same words, lose nothing, and are in the trail. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { AUDIT_ROWS_MAX, type AuditRow, reportAudit } from '../../../src/access/audit-trail.ts';
import { askedFields } from '../../../src/console/reading/act-forms.ts';
import { CONSOLE_FORMS, type ConsoleActName } from '../../../src/console/reading/console-forms.ts';
import { MESSAGES } from '../../../src/console/web/messages/messages.ts';
import { unescapeHtml } from '../../../src/http/html/html.ts';
import { double, hotel } from '../../kit/catalogue-lines.ts';
import { WorkplaceHere } from '../../kit/commands-here.ts';
import { type ConsoleAnswer, type ConsoleClient, signInTo } from '../../kit/console-client.ts';
import { calendar, type FeedServer, startFeedServer, status } from '../../kit/feed-server.ts';
import { exchange } from '../../kit/http-exchange.ts';
import { callSupply, startSupply, type SupplyRunning } from '../../kit/supply-client.ts';
import { describePostgres } from '../../suites/storage/postgres-fixture.ts';

const PARTNERS = '/console/partners';
const ACME = `${PARTNERS}/acme`;
const PONTE = '/console/properties/ponte';
const SUPPLY = '/console/supply';
const TOKENS = '/console/tokens';
const IN_ENGLISH = { 'accept-language': 'en-GB', 'sec-fetch-site': 'same-origin' };
const JSON_ONLY = { accept: 'application/json', 'sec-fetch-site': 'same-origin' };

type Fields = Readonly<Record<string, string>>;

const SET = ['--property', 'ponte', '--type', 'double'];

/** What a command refuses, and the same as a form: act, page, fields, arguments of the command. */
const REFUSED: readonly (readonly [ConsoleActName, string, Fields, readonly string[]])[] = [
  ['partner-create', PARTNERS, { name: 'A', partnerId: 'a b' }, ['--name', 'A', '--partner-id', 'a b']],
  ['partner-create', PARTNERS, { name: 'A', partnerId: 'acme' }, ['--name', 'A', '--partner-id', 'acme']],
  ['partner-create', PARTNERS, { name: ' ' }, ['--name', ' ']],
  [
    'partner-create',
    PARTNERS,
    { name: 'A', origin: 'https://a.example\nb' },
    ['--name', 'A', '--origin', 'b'],
  ],
  ['partner-update', ACME, { name: 'x'.repeat(201) }, ['acme', '--name', 'x'.repeat(201)]],
  ['partner-update', ACME, {}, ['acme']],
  ['partner-update', ACME, { enable: 'yes', disable: 'yes' }, ['acme', '--enable', '--disable']],
  ['issue', ACME, { quota: '0' }, ['--partner', 'acme', '--quota', '0']],
  ['issue', ACME, { quota: '1', scope: 'all' }, ['--partner', 'acme', '--scope', 'all']],
  ['issue', ACME, { expires: '2020-01-01' }, ['--partner', 'acme', '--expires', '2020-01-01']],
  ['issue', ACME, { expires: 'soon' }, ['--partner', 'acme', '--expires', 'soon']],
  ['issue', ACME, { network: '10.0.0.0/33' }, ['--partner', 'acme', '--network', '10.0.0.0/33']],
  ['token-issue', TOKENS, { name: 'A', source: 'manual' }, ['--name', 'A', '--source', 'manual']],
  ['token-issue', TOKENS, { name: 'A', source: 'ä' }, ['--name', 'A', '--source', 'ä']],
  ['token-issue', TOKENS, { name: 'A\u0001' }, ['--name', 'A\u0001']],
  ['token-revoke', TOKENS, { operatorTokenId: 'ot_none' }, ['ot_none']],
  [
    'close',
    PONTE,
    { from: '2026-12-24', to: '2026-12-23' },
    ['--property', 'ponte', '--from', '2026-12-24', '--to', '2026-12-23'],
  ],
  [
    'open',
    PONTE,
    { type: 'attic', from: '2026-12-24', to: '2026-12-24' },
    ['--property', 'ponte', '--type', 'attic', '--from', '2026-12-24', '--to', '2026-12-24'],
  ],
  [
    'close',
    PONTE,
    { from: 'tomorrow', to: '2026-12-24' },
    ['--property', 'ponte', '--from', 'tomorrow', '--to', '2026-12-24'],
  ],
  [
    'nights-save',
    PONTE,
    { type: 'double', from: '2026-12-24', to: '2026-12-25' },
    [...SET, '--from', '2026-12-24', '--to', '2026-12-25'],
  ],
  [
    'nights-save',
    PONTE,
    { type: 'double', from: '2026-12-24', to: '2026-12-25', rate: '210.00', units: 'x' },
    [...SET, '--from', '2026-12-24', '--to', '2026-12-25', '--units', 'x'],
  ],
  [
    'nights-save',
    '/console/properties/sent',
    { type: 'double', from: '2026-12-24', to: '2026-12-25', rate: '210.00' },
    [
      '--property',
      'sent',
      '--type',
      'double',
      '--from',
      '2026-12-24',
      '--to',
      '2026-12-25',
      '--rate',
      '210.00',
    ],
  ],
  [
    'feed-add',
    PONTE,
    { type: 'double', url: 'ftp://x.example' },
    ['--property', 'ponte', '--type', 'double', '--url', 'ftp://x.example'],
  ],
  [
    'feed-add',
    PONTE,
    { type: 'double', url: 'https://x.example', every: '2d' },
    ['--property', 'ponte', '--type', 'double', '--url', 'https://x.example', '--every', '2d'],
  ],
  [
    'feed-add',
    SUPPLY,
    { property: 'none', type: 'double', url: 'https://x.example' },
    ['--property', 'none', '--type', 'double', '--url', 'https://x.example'],
  ],
  ['feed-update', SUPPLY, { feedId: 'feed_none' }, ['feed_none']],
  ['feed-update', SUPPLY, { feedId: 'feed_none', every: '2h' }, ['feed_none', '--every', '2h']],
  ['feed-update', SUPPLY, { feedId: 'feed_none', every: '2d' }, ['feed_none', '--every', '2d']],
  ['publish', PONTE, { type: 'attic' }, ['--property', 'ponte', '--type', 'attic']],
  ['webhook-create', ACME, { url: 'http://x.example' }, ['--partner', 'acme', '--url', 'http://x.example']],
  [
    'webhook-create',
    ACME,
    { url: 'https://x.example', event: 'quote.lost' },
    ['--partner', 'acme', '--url', 'https://x.example', '--event', 'quote.lost'],
  ],
  ['unpublish', PONTE, { type: 'double' }, ['--property', 'ponte', '--type', 'double']],
  [
    'mapping-set',
    SUPPLY,
    { source: 'manual', external: 'x', property: 'ponte', type: 'double' },
    ['--source', 'manual', '--external', 'x', '--property', 'ponte', '--type', 'double'],
  ],
  [
    'mapping-set',
    SUPPLY,
    { source: 'channex', external: 'x', property: 'a b', type: 'double' },
    ['--source', 'channex', '--external', 'x', '--property', 'a b', '--type', 'double'],
  ],
  [
    'mapping-delete',
    SUPPLY,
    { source: 'channex', external: 'y' },
    ['--source', 'channex', '--external', 'y'],
  ],
  ['source-retire', SUPPLY, { source: 'nobody' }, ['nobody', '--dry-run']],
  ['source-retire', SUPPLY, { source: 'manual', sure: 'yes' }, ['manual']],
];

/** A page names fields by their labels where the command names options. */
function unnamed(sentence: string): string {
  return sentence.replaceAll(/“[^”]*”|'?--[a-z-]+'?/g, 'OPTION');
}

const isSame = (one: string, other: string): boolean => unnamed(one).includes(unnamed(other));

describe('Forms of acts', () => {
  it('have a label for each of their fields, and a button', () => {
    const labels: Fields = { ...MESSAGES['en-GB'].words, ...MESSAGES['en-GB'].labels };
    for (const [act, form] of Object.entries(CONSOLE_FORMS))
      for (const { name } of askedFields(form)) assert.ok(labels[name], `${act}: ${name}`);
  });

  it('are each fed what their command refuses, unless it refuses nothing that a form can ask', () => {
    const fed = new Set<string>(REFUSED.map(([act]) => act));
    const rest = Object.keys(CONSOLE_FORMS).filter((act) => !fed.has(act));
    const others =
      'accept, ask-again, credential-update, feed-remove, feed-test, import-catalogue, import-rates, pictures-match, pictures-save, property-save, property-withdraw, revoke, rotate, send-now, settings-save';
    const ofWebhooks =
      'webhook-delete, webhook-disable, webhook-enable, webhook-end-old-keys, webhook-replay, webhook-rotate, webhook-test, webhook-update';
    // Theirs is `connections.test.ts`.
    const isOfConnections = (act: string): boolean => act.startsWith('connection-') || act === 'rooms-save';
    const left = rest.filter((act) => !isOfConnections(act));
    assert.equal(left.toSorted().join(', '), `${others}, ${ofWebhooks}`);
  });
});
describe('Forms of acts in the console', () => describeForms(async () => undefined));
describePostgres('Forms of acts in the console on PostgreSQL', (server) =>
  describeForms(() => server().createDatabase()),
);

function describeForms(openDatabase: () => Promise<string | undefined>): void {
  let running: SupplyRunning;
  let commands: WorkplaceHere;
  let feeds: FeedServer;
  let admin: ConsoleClient;
  let form: string;
  before(async () => {
    feeds = await startFeedServer();
    const given = await openDatabase();
    running = await startSupply(
      [
        hotel('ponte'),
        hotel('gone', { name: { 'it-IT': 'Villa Ünica', 'en-GB': 'Unique' } }),
        hotel('priced', { inventoryTypes: [double({ calendar: [] })] }),
        hotel('sent', { inventoryTypes: [double({ calendar: [], priceSource: 'channel' })] }),
      ],
      { ICAL_ALLOW_PRIVATE: 'true' },
      given,
    );
    const { installation, service } = running;
    const databaseUrl = given ?? `sqlite:${installation.databasePath}`;
    commands = new WorkplaceHere(
      { DATABASE_URL: databaseUrl, ICAL_ALLOW_PRIVATE: 'true' },
      () => installation.time.nowMs,
    );
    admin = await signInTo(installation, service.operatorUrl, { role: 'admin', name: 'Grace' });
    form = await admin.formToken();
    const night = { inventoryTypeId: 'double', dateFrom: '2026-12-24', dateTo: '2026-12-24', rate: '80.00' };
    const sent = await callSupply(service.operatorUrl, 'PATCH', 'calendars?source=channel', {
      token: running.anyToken,
      body: { entries: [{ propertyId: 'sent', ...night }] },
    });
    assert.equal(sent.status, 200, JSON.stringify(sent.body.errors));
  });
  after(async () => {
    await commands.remove();
    await running.installation.close();
    await feeds.close();
  });

  const trail = async (): Promise<readonly AuditRow[]> =>
    reportAudit(running.installation.storage, 0, AUDIT_ROWS_MAX);
  const rows = (...args: readonly string[]) =>
    commands.json([...args]) as Promise<readonly Record<string, unknown>[]>;
  const saysOf = ({ text }: ConsoleAnswer): string[] =>
    [...text.slice(text.indexOf('role="alert"')).matchAll(/<(?:p|span) data-reason>([^<]*)</g)].map(
      ([, said = '']) => unescapeHtml(said),
    );
  async function done(
    path: string,
    fields: Fields,
    location = path.slice(0, path.lastIndexOf('/')),
  ): Promise<void> {
    const answer = await admin.act(path, fields);
    assert.equal(answer.status, 303, answer.text);
    assert.equal(answer.location, location);
  }

  for (const [act, page, fields, args] of REFUSED)
    it(`refuse as ${CONSOLE_FORMS[act].command} does: ${JSON.stringify(fields)}`, async () => {
      // Without a page before each: a fast machine would ask more than a session may in a second.
      const sent = { form, ...fields };
      const italian = await admin.post(`${page}/${act}`, sent);
      assert.equal(italian.status, 422, italian.text);
      assert.doesNotMatch(italian.text, / lang="en/);
      const answer = await admin.post(`${page}/${act}`, sent, IN_ENGLISH);
      const said = saysOf(answer);
      assert.ok(said.length > 0, answer.text);
      const { stderr, code } = await commands.run([...CONSOLE_FORMS[act].command.split(' '), ...args]);
      assert.notEqual(code, 0);
      for (const sentence of said) {
        // Beside its field it begins with "It", where the command begins with the option.
        const ofOption = sentence.replace(/^It (.*)\.$/, '--option $1');
        const printed = unnamed(stderr.replaceAll(/\s+/g, ' '));
        assert.ok(
          [sentence, ofOption].some((one) => printed.includes(unnamed(one))),
          `${sentence}\n${stderr}`,
        );
      }
      for (const [name, text] of Object.entries(fields)) {
        if (askedFields(CONSOLE_FORMS[act]).every((field) => field.name !== name) || text.trim() === '')
          continue;
        const shown = unescapeHtml(answer.text);
        const isKept = shown.includes(`value="${text}"`) || shown.includes(`>\n${text}</textarea>`);
        assert.ok(isKept || name === 'scope' || name === 'event', `${name} was lost: ${shown}`);
      }
      const json = await admin.post(`${page}/${act}`, sent, JSON_ONLY);
      assert.ok(isSame((JSON.parse(json.text) as { detail: string }).detail, said[0]!), json.text);
    });

  it('link each mistake to its field, and tell what is wrong beside it', async () => {
    const { text } = await admin.act(`${PARTNERS}/partner-create`, { name: '', origin: 'nope' });
    for (const name of ['name', 'origin']) {
      assert.ok(text.includes(`<a href="#partner-create-${name}">`), text);
      assert.match(text, new RegExp(`id="partner-create-${name}"[^>]*aria-invalid="true"`));
      assert.ok(text.includes(`id="partner-create-${name}-wrong"`));
    }
    assert.match(text, /aria-describedby="partner-create-origin-hint partner-create-origin-wrong"/);
  });

  it('refuse bytes other than text', async () => {
    for (const bytes of ['%00', '%ED%A0%80'])
      assert.notEqual(
        (await postRaw(`${PARTNERS}/partner-create`, `name=a${bytes}b&partnerId=a${bytes}`)).status,
        500,
      );
    assert.equal(
      (await postRaw(`${SUPPLY}/mapping-set`, 'source=a&external=%00&property=ponte&type=x')).status,
      422,
    );
  });

  async function postRaw(path: string, body: string) {
    return exchange(admin.url, {
      method: 'POST',
      path,
      headers: {
        cookie: admin.cookie!,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: `form=${await admin.formToken()}&${body}`,
    });
  }

  it('create and change a partner; two at once take nothing back', async () => {
    await done(`${PARTNERS}/partner-create`, { name: 'Beta', partnerId: 'beta' }, `${PARTNERS}/beta`);
    const { text } = await admin.get(`${PARTNERS}/beta?did=partner-create`);
    assert.match(text, /role="status">\s*<p>[^<]*(?:Create a partner|Crea un partner)/);
    const path = `${PARTNERS}/beta/partner-update`;
    const shown = { 'was.name': 'Beta', 'was.origin': '' };
    await done(path, { ...shown, name: 'Beta', origin: 'https://a.example\r\nhttps://b.example' });
    await done(path, { ...shown, name: 'Beta Travel', origin: '' });
    const partner = async () =>
      (await rows('partner', 'list')).find(({ partnerId }) => partnerId === 'beta')!;
    assert.deepEqual(
      [(await partner())['name'], (await partner())['origins']],
      ['Beta Travel', ['https://a.example', 'https://b.example']],
    );
    const late = await admin.act(path, { ...shown, name: 'Beta Tours', origin: 'https://c.example' });
    assert.equal(late.status, 422);
    assert.ok(late.text.includes('value="Beta Tours"') && late.text.includes('https://c.example'), late.text);
    assert.ok(late.text.includes('name="was.name" value="Beta Travel"'), 'sent again, it applies');
    await done(path, {
      'was.name': 'Beta Travel',
      name: 'Beta Tours',
      'was.origin': 'https://a.example\nhttps://b.example',
      origin: '',
    });
    assert.deepEqual([(await partner())['name'], (await partner())['origins']], ['Beta Tours', []]);
    await done(path, { disable: 'yes' });
    assert.equal((await partner())['disabled'], true);
    await done(path, { enable: 'yes' });
    assert.equal((await partner())['disabled'], false);
    const [last] = await trail();
    assert.deepEqual(
      [last!.person, last!.act, last!.on, last!.from, last!.to],
      ['Grace', 'partner update', 'beta', { disabled: true }, { disabled: false }],
    );
  });

  it('issue a credential with its terms, shown once with the four calls', async () => {
    const fields = { quota: '77', expires: '2027-12-31', scope: 'properties:read' };
    const { text } = await admin.act(`${ACME}/issue`, fields, { 'sec-fetch-site': 'same-origin' });
    const token = /data-copy="[^"]*"[^>]*>(sp_[^<]+)</.exec(text)?.[1];
    assert.ok(token, text);
    const issued = (await rows('credential', 'list', '--partner', 'acme')).find(({ quota }) => quota === 77)!;
    assert.deepEqual(
      [issued['quota'], issued['scopes'], issued['expiresAt']],
      [77, ['properties:read'], '2027-12-31T00:00:00.000Z'],
    );
    const calls = [...text.matchAll(/<pre[^>]*><code>([^<]*)</g)].map(([, call = '']) => unescapeHtml(call));
    assert.equal(calls.length, 4);
    for (const call of calls) assert.ok(call.includes(`Bearer ${token}`) && call.includes('/v1/'), call);
    const json = await admin.act(`${ACME}/issue`, { test: 'yes' }, JSON_ONLY);
    assert.match((JSON.parse(json.text) as { token: string }).token, /^sp_test_/);
    assert.equal((await admin.act(`${PARTNERS}/nobody/issue`, {})).status, 404);
  });

  it('change quota and networks of a credential; what is left empty stays', async () => {
    await admin.act(`${ACME}/issue`, { quota: '78', network: '192.0.2.9/24\r\n2001:DB8::/32' });
    const all = () => rows('credential', 'list', '--partner', 'acme');
    const id = String((await all()).find(({ quota }) => quota === 78)!['credentialId']);
    const termsOf = async () => {
      const { quota, networks } = (await all()).find(({ credentialId }) => credentialId === id)!;
      return [quota, networks];
    };
    assert.deepEqual(await termsOf(), [78, ['192.0.2.0/24', '2001:db8::/32']]);
    const page = await admin.get(ACME);
    assert.ok(page.text.includes('192.0.2.0/24 2001:db8::/32'), page.text);
    assert.ok(page.text.includes(`<option value="${id}"`), page.text);
    const path = `${ACME}/credential-update`;
    const empty = { credentialId: id, quota: '', 'was.quota': '', network: '', 'was.network': '' };
    await done(path, { ...empty, quota: '79' });
    await done(path, { ...empty, network: '192.0.2.7' });
    assert.deepEqual(await termsOf(), [79, ['192.0.2.7/32']]);
    const wrong = await admin.act(path, { ...empty, network: '10.1/16' }, IN_ENGLISH);
    const reason = 'It must be a network such as 192.0.2.0/24 or 2001:db8::/32, or an address, or none.';
    assert.ok(saysOf(wrong).includes(reason), wrong.text);
    await done(path, { ...empty, network: 'none' });
    assert.deepEqual(await termsOf(), [79, []]);
    const [last] = await trail();
    assert.deepEqual(
      [last!.act, last!.on, last!.from, last!.to],
      ['credential update', id, { networks: ['192.0.2.7/32'] }, { networks: [] }],
    );
    assert.equal((await admin.act(path, { ...empty, credentialId: 'cr_none', quota: '1' })).status, 404);
  });

  it('issue and revoke operator tokens', async () => {
    const { text } = await admin.act(`${TOKENS}/token-issue`, {
      name: 'shop',
      scope: 'supply:write',
      source: 'channex',
    });
    assert.match(text, /<code class="secret"[^>]*>[^<]{20,}</);
    const named = async () => (await rows('operator-token', 'list')).find(({ name }) => name === 'shop')!;
    const token = await named();
    assert.deepEqual(
      [token['name'], token['source'], token['scopes']],
      ['shop', 'channex', ['supply:write']],
    );
    assert.deepEqual(await admin.rows(TOKENS), await rows('operator-token', 'list'));
    const operatorTokenId = String(token['operatorTokenId']);
    assert.ok((await admin.get(TOKENS)).text.includes(`value="${operatorTokenId}"`));
    await done(`${TOKENS}/token-revoke`, { operatorTokenId });
    assert.notEqual((await named())['revokedAt'], null);
    const [last] = await trail();
    assert.deepEqual(
      [last!.person, last!.act, last!.on],
      ['Grace', 'operator-token revoke', operatorTokenId],
    );
  });

  it('subscribe, fetch and unsubscribe calendars', async () => {
    feeds.answer = calendar(['2026-12-10', '2026-12-12']);
    await done(`${PONTE}/feed-add`, { type: 'double', url: `${feeds.url}/1.ics`, every: '1h', name: 'A' });
    const [feed] = await rows('ical', 'list');
    assert.deepEqual([feed!['propertyId'], feed!['every'], feed!['name']], ['ponte', '3600s', 'A']);
    const feedId = String(feed!['feedId']);
    const { text: note } = await admin.get(`${PONTE}?did=feed-add&feedId=${feedId}`);
    const fetch = new RegExp(`role="status">[^]*action="[^"]*/supply/feed-test"[^]*value="${feedId}"[^]*<h2`);
    assert.match(note, fetch, 'the next step stands in the note');
    assert.ok((await admin.get(PONTE)).text.includes(`/console/supply/feed-test"`));
    const fetched = await admin.act(`${SUPPLY}/feed-test`, { feedId });
    assert.equal(fetched.status, 200);
    for (const name of ['outcome', 'leftOut'])
      assert.ok(fetched.text.includes(`<code>${name}</code>`), fetched.text);
    const [{ text: offered }, changed] = [
      await admin.get(SUPPLY),
      { feedId, url: `${feeds.url}/2.ics`, every: '2h', name: '' },
    ];
    assert.ok(offered.includes(`<option value="${feedId}"`) && !offered.includes('1.ics'), offered);
    await done(`${SUPPLY}/feed-update`, changed);
    const [now] = await rows('ical', 'list');
    assert.deepEqual([now!['every'], now!['name'], now!['nights']], ['7200s', 'A', feed!['nights'] ?? 2]);
    feeds.answer = status(500);
    const failed = await admin.act(`${SUPPLY}/feed-test`, { feedId });
    assert.match(failed.text, /class="bad" data-reason>il feed .* non si è potuto leggere/);
    feeds.answer = status(200, { 'content-type': 'text/html' }, '<!doctype html>');
    const why = 'il calendario non si può usare: è una pagina web, non un calendario (text/html)';
    const failing = await admin.act(`${SUPPLY}/feed-test`, { feedId });
    const pages = await Promise.all([SUPPLY, PONTE, '/console'].map((path) => admin.get(path)));
    for (const { text } of [failing, ...pages]) {
      assert.ok(text.includes(why), text);
      assert.doesNotMatch(text, /<(?:bdi|span|p)[^>]* lang="en/);
    }
    await done(`${SUPPLY}/feed-remove`, { feedId });
    assert.deepEqual(await rows('ical', 'list'), []);
    assert.equal((await admin.act(`${SUPPLY}/feed-remove`, { feedId })).status, 404);
    const [last] = await trail();
    const terms = {
      propertyId: 'ponte',
      inventoryTypeId: 'double',
      host: new URL(feeds.url).host,
      name: 'A',
    };
    assert.deepEqual(
      [last!.act, last!.on, last!.from, last!.to],
      ['ical unsubscribe', feedId, { ...terms, every: '7200s' }, 'done'],
    );
    const entries = await trail();
    const update = entries.find(({ act }) => act === 'ical update')!;
    const { host } = terms;
    assert.deepEqual([update.on, update.from], [feedId, { host, every: '3600s' }]);
    assert.deepEqual(update.to, { host, every: '7200s' });
    const { from, to } = entries.find(({ act, on }) => act === 'ical subscribe' && on === 'ponte/double')!;
    assert.deepEqual([from, to], [null, { ...terms, every: '3600s' }]);
    assert.ok(!JSON.stringify(entries).includes('.ics'), 'no URL is in the trail');
  });

  it('publish a calendar, whose URL is shown once, and end it', async () => {
    const { text } = await admin.act(`${PONTE}/publish`, { type: 'double' });
    assert.match(text, /<code class="secret"[^>]*>https?:[^<]+</);
    assert.equal((await rows('ical', 'published')).length, 1);
    await done(`${PONTE}/unpublish`, { type: 'double' });
    assert.deepEqual(await rows('ical', 'published'), []);
    const [ended, begun] = await trail();
    assert.deepEqual([ended!.from, ended!.to], [{ published: true }, { published: false }]);
    assert.deepEqual([begun!.from, begun!.to], [{ published: false }, { published: true }]);
  });

  it('set and delete mappings, and say what may not be meant', async () => {
    const mapping = { source: 'channex', external: 'x-1', property: 'ponte', type: 'double' };
    await done(`${SUPPLY}/mapping-set`, mapping);
    const doubtful = await admin.act(`${SUPPLY}/mapping-set`, { ...mapping, external: 'x-2' });
    assert.match(doubtful.text, /class="warn" lang="en">This type is also mapped from x-1/);
    assert.ok((await admin.get(SUPPLY)).text.includes('name="external" value="x-2"'));
    for (const external of ['x-1', 'x-2'])
      await done(`${SUPPLY}/mapping-delete`, { source: 'channex', external });
    assert.deepEqual(await rows('mapping', 'list'), []);
    const target = { propertyId: 'ponte', inventoryTypeId: 'double' };
    const states = (await trail()).slice(0, 4).map(({ from, to }) => [from, to]);
    const [set, deleted] = [
      [null, target],
      [target, 'done'],
    ];
    assert.deepEqual(states, [deleted, deleted, set, set]);
  });

  it('retire a source only after its dry run was shown', async () => {
    const night = { dateFrom: '2026-12-24', dateTo: '2026-12-26', stopSell: true };
    const sent = await callSupply(running.service.operatorUrl, 'PATCH', 'calendars', {
      token: running.pmsToken,
      body: { entries: [{ propertyId: 'ponte', inventoryTypeId: 'double', ...night }] },
    });
    assert.equal(sent.status, 200, JSON.stringify(sent.body.errors));
    const isThere = async () => (await rows('source', 'list')).some(({ source }) => source === 'pms');
    const shown = await admin.act(`${SUPPLY}/source-retire`, { source: 'pms' });
    assert.match(shown.text, /<code>nights<\/code><\/dt>\s*<dd>3</);
    assert.match(shown.text, /name="sure" value="yes"/);
    assert.ok(await isThere());
    await done(`${SUPPLY}/source-retire`, { source: 'pms', sure: 'yes' });
    assert.ok(!(await isThere()));
    const [last, before] = await trail();
    assert.deepEqual(
      [last!.act, last!.on, last!.from],
      ['source retire', 'pms', { properties: 1, nights: 3 }],
    );
    assert.deepEqual(last!.to, { properties: 0, nights: 0 });
    assert.notEqual(before!.act, 'source retire', 'the dry run is not recorded');
  });

  it('set units, minimum stay and rate of nights, and take them back; all is refused where a system prices', async () => {
    const path = '/console/properties/priced/nights-save';
    const stay = { type: 'double', from: '2026-12-24', to: '2026-12-26' };
    await done(path, { ...stay, units: '4', minStay: '3' });
    const shown = async () => {
      const night = '/console/properties/priced/nights/double/2026-12-25';
      const { text } = await admin.get(night, { 'accept-language': 'en-GB' });
      return text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    };
    assert.match(await shown(), /Minimum stay on arrival/);
    const [last] = await trail();
    assert.deepEqual([last!.act, last!.on], ['nights set', 'priced/double 2026-12-24..2026-12-26']);
    const stretch = 'double 2026-12-24 to 2026-12-26';
    assert.deepEqual(last!.from, { [stretch]: { availability: null, minStayArrival: null } });
    assert.deepEqual(last!.to, { changed: true, [stretch]: { availability: 4, minStayArrival: 3 } });
    const answer = await admin.act(path, { ...stay, units: '2' });
    const location = String(answer.headers['location']);
    const { text } = await admin.get(`/console/properties/priced${location.slice(location.indexOf('?'))}`);
    const undo = text.slice(text.indexOf('role="status"'));
    assert.match(undo, /data-act="nights-save"[^]*name="units" value="4"/);
    await done(path, { ...stay, units: 'none', minStay: 'none' });
    assert.doesNotMatch(await shown(), /Minimum stay on arrival/);
    await done(path, { ...stay, rate: '99' });
    assert.match(await shown(), /99\.00/);
    const free = String((await admin.act(path, { ...stay, rate: '0' })).headers['location']);
    const { text: warned } = await admin.get(`/console/properties/priced${free.slice(free.indexOf('?'))}`, {
      'accept-language': 'en-GB',
    });
    assert.match(warned, /these nights sell for nothing/);
    await done(path, { ...stay, rate: '99' });
    const priced = await admin.act('/console/properties/sent/nights-save', { ...stay, rate: '99' });
    assert.match(unescapeHtml(priced.text), /la fonte "channel" dà i prezzi a double di sent/);
  });

  it('take amounts with a decimal comma and grouped thousands, in either language', async () => {
    const path = '/console/properties/priced/nights-save';
    const stay = { type: 'double', from: '2026-12-27', to: '2026-12-27' };
    for (const [typed, rate] of [
      ['120,50', '120.50'],
      ['1.234,50', '1234.50'],
      ['1\u00a0234,5', '1234.50'],
      ['1 120.75', '1120.75'],
      ['1’121,00', '1121.00'],
      ['99.5', '99.50'],
    ] as const)
      for (const language of ['it-IT', 'en-GB']) {
        await done(path, { ...stay, rate: '1' });
        const sent = await admin.act(
          path,
          { ...stay, rate: typed },
          {
            'accept-language': language,
            'sec-fetch-site': 'same-origin',
          },
        );
        assert.equal(sent.status, 303, sent.text);
        const [last] = await trail();
        assert.ok(JSON.stringify(last!.to).includes(`"rate":"${rate}"`), JSON.stringify([typed, last]));
      }
    const wrong = await admin.act(path, { ...stay, rate: '1,234' });
    assert.match(wrong.text, /Deve essere un importo come 120\.00/);
    assert.match(wrong.text, /value="1,234"/);
  });

  it('name their fields in refusals, not the options of the command', async () => {
    const turned = { type: 'double', from: '2026-12-27', to: '2026-12-26', rate: '99' };
    for (const [path, fields] of [
      ['/console/properties/priced/nights-save', turned],
      [`${PONTE}/close`, { from: '2026-12-27', to: '2026-12-26' }],
      ['/console/properties/priced/nights-save', { type: 'double', from: '2026-12-26', to: '2026-12-27' }],
      ['/console/properties/nowhere/close', { from: '2026-12-26', to: '2026-12-27' }],
    ] as const)
      for (const language of ['it-IT', 'en-GB']) {
        const { status, text } = await admin.act(path, fields, {
          'accept-language': language,
          'sec-fetch-site': 'same-origin',
        });
        assert.ok(status >= 400, `${path} ${status} ${JSON.stringify(fields)}`);
        const why = /<div\s+class="bad"[^]*?<\/div>/.exec(text)?.[0] ?? text.slice(text.indexOf('<main'));
        assert.doesNotMatch(why.replaceAll(/<[^>]*>/g, ' '), /(?:^|[\s(“"])--[a-z]/, `${path} ${language}`);
      }
  });

  it('set a rate over that of a file, offer units where there are none, and undo both', async () => {
    const read = async (answer: ConsoleAnswer, page: string) => {
      const location = String(answer.headers['location']);
      return (
        await admin.get(`${page}${location.slice(location.indexOf('?'))}`, { 'accept-language': 'en-GB' })
      ).text;
    };
    const stay = { type: 'double', from: '2026-12-24', to: '2026-12-26' };
    const filed = await read(await admin.act(`${PONTE}/nights-save`, { ...stay, rate: '175' }), PONTE);
    const note = filed.slice(filed.indexOf('role="status"'));
    assert.match(note, /data-act="nights-save"[^]*name="rate" value="120\.00"/);
    assert.doesNotMatch(filed, /without units nothing is sold/);
    await done(`${PONTE}/nights-save`, { ...stay, rate: '120.00' });
    const page = '/console/properties/priced';
    const { text: before } = await admin.get(page);
    assert.match(before, /name="units"[^>]*value="1"|value="1"[^>]*name="units"/, 'offered');
    const stretch = { type: 'double', from: '2027-03-01', to: '2027-03-02' };
    const unsold = await read(await admin.act(`${page}/nights-save`, { ...stretch, rate: '99' }), page);
    assert.match(unsold, /without units nothing is sold/);
    assert.match(unsold, /name="units" value="1"[^]*Set 1 unit/);
    await done(`${page}/nights-save`, { ...stretch, rate: 'none' });
  });

  it('withdraw a property whose name was typed', async () => {
    const path = '/console/properties/gone/property-withdraw';
    const wrong = await admin.act(path, { typed: 'Villa' });
    assert.equal(wrong.status, 422);
    assert.equal(saysOf(wrong)[0], 'Deve essere "Villa Ünica" o "Unique".');
    const { form, typed } = { form: await admin.formToken(), typed: 'Villa' };
    const inEnglish = await admin.post(path, { form, typed }, IN_ENGLISH);
    assert.equal(saysOf(inEnglish)[0], 'It must be "Villa Ünica" or "Unique".');
    assert.ok(wrong.text.includes('value="Villa"'));
    await done(path, { typed: ' Villa Ünica ' }, '/console/properties');
    assert.equal((await admin.get('/console/properties/gone')).status, 404);
    assert.equal((await admin.act(path, { typed: 'Villa Ünica' })).status, 404);
    const [last] = await trail();
    assert.deepEqual([last!.act, last!.on, last!.to], ['property withdraw', 'gone', 'done']);
  });

  it('are offered and accepted by role alone', async () => {
    const { installation, service } = running;
    const operator = await signInTo(installation, service.operatorUrl, { role: 'operator', name: 'Olga' });
    for (const page of [PARTNERS, ACME, TOKENS]) {
      const { text } = await operator.get(page);
      assert.deepEqual(
        [...text.matchAll(/data-act="([^"]+)"/g)].map(([, act]) => act),
        ['sign-out'],
        page,
      );
    }
    assert.equal((await operator.act(`${PARTNERS}/partner-create`, { name: 'A' })).status, 403);
    const before = (await trail()).length;
    assert.equal(
      (await admin.post(`${PARTNERS}/partner-create`, { name: 'A' })).status,
      403,
      'no form token',
    );
    assert.equal((await trail()).length, before);
  });
}
