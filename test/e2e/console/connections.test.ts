/** Connections in the console: forms and their refusals, roles, and that the key is said nowhere. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { double, hotel } from '../../kit/catalogue-lines.ts';
import { until } from '../../kit/command-line.ts';
import { type ConsoleAnswer, type ConsoleClient, signInTo } from '../../kit/console-client.ts';
import { type Installation, NOW_MS, openInstallation, type Served } from '../../kit/installation.ts';
import { postgresMissing, type PostgresServer, startPostgres } from '../../kit/postgres-server.ts';
import { type FakeSmoobu, type SmoobuApartment, startFakeSmoobu } from '../../kit/pms/fake-smoobu.ts';

const DAY_MS = 86_400_000;
const KEY = 'key-of-ada-4711';
const SECRET = 'secret-of-ada-0815';
const NEW = '/console/new-connection/smoobu';
const PAGE = '/console/connections/smoobu';
const IN_ENGLISH = { 'accept-language': 'en-GB', 'sec-fetch-site': 'same-origin' };
const STALE_MS = 61 * 60_000;

function datesOf(count: number): SmoobuApartment['dates'] {
  return Object.fromEntries(
    Array.from({ length: count }, (_none, offset) => [
      new Date(NOW_MS + offset * DAY_MS).toISOString().slice(0, 10),
      // A price of 0 is none.
      { price: offset === 7 ? 0 : 90, available: 1, min_length_of_stay: 2 },
    ]),
  );
}

function flatsOf(count: number, nights = 30): SmoobuApartment[] {
  const dates = datesOf(nights);
  return Array.from({ length: count }, (_none, index) => ({
    id: 100 + index,
    name: `Casa ${index + 1}`,
    guests: 4,
    currency: 'EUR',
    timeZone: 'Europe/Rome',
    dates,
  }));
}

/** The first flat of the account, by its name. */
const LINES = [
  hotel('casa-uno', { name: 'Casa 1', inventoryTypes: [double({ guestsMax: 4 })] }),
  hotel('casa-altra', { name: 'Casa altra', inventoryTypes: [double({ guestsMax: 4 })] }),
];

interface Row {
  readonly connection: {
    readonly state: string;
    readonly types: number;
    readonly unmapped: number;
    readonly lastReadAt: string | null;
  };
  readonly rooms: readonly { readonly room: string; readonly propertyId: string | null }[];
  readonly comparison: {
    readonly at: string | null;
    readonly stays: readonly { readonly verdict: string }[];
  };
}

for (const engine of ['SQLite', 'PostgreSQL'] as const) {
  describe(
    `Connections in the console on ${engine}`,
    {
      skip: engine === 'PostgreSQL' && postgresMissing(),
    },
    () => {
      let server: PostgresServer | undefined;
      let installation: Installation;
      let service: Served;
      let smoobu: FakeSmoobu;
      let admin: ConsoleClient;
      let operator: ConsoleClient;
      let viewer: ConsoleClient;
      /** All that the service answered and logged. */
      const said: string[] = [];
      before(async () => {
        const account = { customer: 9, key: KEY, secret: SECRET, apartments: flatsOf(4, 400) };
        server = engine === 'PostgreSQL' ? await startPostgres() : undefined;
        installation = await openInstallation(await server?.createDatabase());
        await installation.importLines(LINES);
        service = await installation.serve({ CONNECTIONS_ALLOW_PRIVATE: 'true' }, { lines: said });
        smoobu = await startFakeSmoobu({ account, nowMs: () => installation.time.nowMs });
        const signIn = (role: 'admin' | 'operator' | 'viewer', name: string) =>
          signInTo(installation, service.operatorUrl, { role, name });
        admin = await signIn('admin', 'Grace');
        operator = await signIn('operator', 'Olga');
        viewer = await signIn('viewer', 'Vera');
      });
      after(async () => {
        await installation.close();
        await server?.close();
        await smoobu.stop();
      });

      const key = (fields = {}) => ({ 'secret.key': KEY, 'secret.secret': SECRET, ...fields });
      const act = async (path: string, fields = {}, client = admin): Promise<ConsoleAnswer> => {
        const answer = await client.act(path, fields, IN_ENGLISH);
        said.push(answer.text);
        return answer;
      };
      const get = async (path: string, client = admin): Promise<string> => {
        const { status, text } = await client.get(path, { 'accept-language': 'en-GB' });
        said.push(text);
        assert.equal(status, 200, text);
        return text;
      };
      const rows = (client = viewer) => client.rows<Row>(PAGE);
      const goes = async (path: string, fields = {}, client = admin): Promise<void> => {
        const answer = await act(path, fields, client);
        assert.deepEqual([answer.status, answer.location], [303, PAGE], answer.text);
      };

      it('begin on Supply and at the set-up; each system says what it reads, and has a form', async () => {
        assert.match(await get('/console/supply'), /new-connection/);
        assert.match(await get('/console/setup'), /new-connection/);
        const kinds = await get('/console/new-connection');
        assert.match(kinds, /data-kind="smoobu"[^]*data-kind="beds24"/);
        assert.match(kinds, /never run on a real account/);
        assert.doesNotMatch(await get('/console/new-connection', viewer), /new-connection\/smoobu/);
        assert.match(await get(NEW), /type="password"\s+id="connection-add-secret.key"/);
        assert.equal((await admin.get('/console/new-connection/nobody')).status, 404);
        assert.equal((await admin.get('/console/connections/nobody')).status, 404);
        const { text } = await admin.get(NEW, { 'accept-language': 'it-IT' });
        assert.ok(text.includes('Collega l’account') && text.includes('Segreto API'), text);
      });

      it('are refused as the command refuses them, and never send a key back', async () => {
        const base = `base=${smoobu.origin}`;
        for (const [fields, reason] of [
          [{ 'secret.key': KEY, setting: base }, 'must not be empty'],
          [key({ 'secret.secret': `${SECRET}x`, setting: base }), 'does not accept the key'],
          [key({ setting: 'base=http://example.com' }), 'must name an https URL as base'],
          [key({ setting: base, name: 'A b' }), 'must have 1 to 40'],
          [key({ setting: base, every: '1m' }), 'must be'],
        ] as const) {
          const { status, text } = await act(`${NEW}/connection-add`, fields);
          assert.equal(status, 422, text);
          assert.ok(text.includes(reason), text);
          assert.match(text, /type="password"/);
        }
        smoobu.mischief = 'echoesKey';
        assert.equal((await act(`${NEW}/connection-add`, key({ setting: base }))).status, 422);
        smoobu.mischief = 'serverError';
        assert.match((await act(`${NEW}/connection-add`, key({ setting: base }))).text, /could not be used/);
        smoobu.mischief = undefined;
        assert.deepEqual(await installation.storage.listConnections(), []);
      });

      it('ask for a young sign-in before the key, and keep none in a form that comes back', async () => {
        installation.time.nowMs += STALE_MS;
        const old = admin;
        admin = await signInTo(installation, service.operatorUrl, { role: 'admin', name: 'Grace' });
        operator = await signInTo(installation, service.operatorUrl, { role: 'operator', name: 'Olga' });
        viewer = await signInTo(installation, service.operatorUrl, { role: 'viewer', name: 'Vera' });
        // Signed out meanwhile.
        const ended = await act(`${NEW}/connection-add`, key(), old);
        assert.ok([303, 401].includes(ended.status), ended.text);
        await admin.get('/console');
        installation.time.nowMs += 6 * 60_000;
        const form = await get(NEW);
        assert.ok(!form.includes('type="password"') && form.includes('data-before-key'), form);
        const kept = await act(`${NEW}/connection-add`, key({ setting: `base=${smoobu.origin}` }));
        assert.equal(kept.status, 403, kept.text);
        assert.match(kept.text, /base=http/);
        const wrongToken = await act(`${NEW}/connection-add`, key({ form: 'f'.repeat(64) }));
        assert.equal(wrongToken.status, 403);
        admin = await signInTo(installation, service.operatorUrl, { role: 'admin', name: 'Grace' });
      });

      it('are added once, however often the form is pressed', async () => {
        const fields = key({ setting: `minStay=both\nbase=${smoobu.origin}`, name: '' });
        const pressed = await Promise.all([
          act(`${NEW}/connection-add`, fields),
          act(`${NEW}/connection-add`, fields),
        ]);
        assert.deepEqual(pressed.map(({ status }) => status).toSorted(), [303, 422]);
        assert.equal(pressed.find(({ status }) => status === 303)!.location, PAGE);
        assert.equal((await installation.storage.listConnections()).length, 1);
        const page = await get(PAGE);
        assert.match(page, /data-page="connection"/);
        assert.match(page, /Choose below what each room is here/);
        assert.match(await get('/console/supply', viewer), /href="[^"]*connections\/smoobu"/);
      });

      it('have suggestions chosen, and one Save for all rooms, which is whole or nothing', async () => {
        const page = await get(PAGE);
        assert.match(page, /name="type.100"[^]*?value="casa-uno double" selected/);
        assert.equal([...page.matchAll(/ selected>\s*Casa 1 \(suggested\)/g)].length, 1);
        const { text: inItalian } = await admin.get(PAGE, { 'accept-language': 'it-IT' });
        assert.ok(inItalian.includes('suggerito') && inItalian.includes('Salva gli alloggi'));
        const twice = await act(`${PAGE}/rooms-save`, {
          'was.100': '',
          'type.100': 'casa-uno double',
          'prices.100': 'yes',
          'was.101': '',
          'type.101': 'casa-uno double',
        });
        assert.equal(twice.status, 422);
        assert.match(twice.text, /is mapped to the room 100/);
        assert.match(twice.text, /name="type.101"[^]*?value="casa-uno double" selected/);
        assert.equal((await rows()).connection.types, 0);
        for (const type of ['nobody double', 'casa-uno nobody', '../x y'])
          assert.equal((await act(`${PAGE}/rooms-save`, { 'was.100': '', 'type.100': type })).status, 422);
        assert.equal(
          (await act(`${PAGE}/rooms-save`, { 'was.999': '', 'type.999': 'casa-uno double' })).status,
          422,
        );
        assert.equal((await act(`${PAGE}/rooms-save`)).status, 422, 'nothing to change');
        const mapped = { 'was.100': '', 'type.100': 'casa-uno double', 'prices.100': 'yes' };
        await goes(`${PAGE}/rooms-save`, mapped);
        await goes(`${PAGE}/rooms-save`, mapped);
        const other = { 'was.100': '', 'type.100': 'casa-altra double', 'prices.100': 'yes' };
        const meanwhile = await act(`${PAGE}/rooms-save`, other);
        assert.match(meanwhile.text, /Somebody has changed this meanwhile[^]*Casa 1/);
      });

      it('make what is missing, after the numbers of a dry run', async () => {
        const fields = { suggested: 'yes', create: 'yes', city: 'Rome', country: 'IT' };
        const without = await act(`${PAGE}/connection-map`, { ...fields, city: '', country: '' });
        assert.equal(without.status, 200);
        assert.match(without.text, /data-count="refused">3</);
        assert.doesNotMatch(without.text, /name="sure"/);
        const shown = await act(`${PAGE}/connection-map`, fields);
        assert.match(shown.text, /data-count="created">3</);
        assert.match(shown.text, /data-count="prices">1,197</);
        assert.match(shown.text, /data-count="unpriced">3</);
        assert.match(shown.text, /name="sure" value="yes"/);
        assert.equal((await rows()).connection.types, 1, 'a dry run');
        await goes(`${PAGE}/connection-map`, { ...fields, sure: 'yes' });
        assert.equal((await act(`${PAGE}/connection-map`, { ...fields, sure: 'yes' })).status, 422);
        assert.deepEqual([(await rows()).connection.types, (await rows()).connection.unmapped], [4, 0]);
      });

      it('are read, with the reasons for nights without a price, which night and property name by the connection', async () => {
        await goes(`${PAGE}/connection-read`, {}, operator);
        const page = await get(PAGE, viewer);
        assert.match(page, /data-state="ok"/);
        assert.match(page, /data-reason-code="no_price"[^>]*>\s*1:\s+no price is set/);
        const date = new Date(NOW_MS + 10 * DAY_MS).toISOString().slice(0, 10);
        const night = await get(`/console/properties/casa-uno/nights/double/${date}`, viewer);
        assert.match(night, /data-source="connection:smoobu"[^]*connections\/smoobu">Connection smoobu</);
        const { text } = await viewer.get('/console/properties/casa-uno', { 'accept-language': 'it-IT' });
        assert.match(text, /connections\/smoobu">Connessione smoobu</);
      });

      it('are compared behind the page, and offered', async () => {
        await goes(`${PAGE}/connection-compare`, {}, operator);
        await until(async () => (await rows()).comparison.at !== null, 20_000);
        const page = await get(PAGE, viewer);
        assert.match(page, /data-verdict="equal"/);
        assert.match(await get(PAGE), /data-act="connection-offer"/);
        await goes(`${PAGE}/connection-offer`);
        await goes(`${PAGE}/connection-offer`);
        assert.doesNotMatch(await get(PAGE), /data-act="connection-offer"/);
      });

      it('say why a provider that is down gives nothing, and keep the last comparison', async () => {
        smoobu.mischief = 'webPage';
        await goes(`${PAGE}/connection-read`, {}, operator);
        const page = await get(PAGE);
        assert.match(page, /data-state="failing"[^]*tried again by itself/);
        await goes(`${PAGE}/connection-compare`, {}, operator);
        await until(async () => (await get(PAGE, viewer)).includes('The last one came to nothing'), 20_000);
        assert.match(await get(PAGE, viewer), /data-verdict="equal"/);
        smoobu.mischief = undefined;
        await goes(`${PAGE}/connection-read`, {}, operator);
        assert.match(await get(PAGE), /data-state="ok"/);
      });

      it('change settings and key', async () => {
        await goes(`${PAGE}/connection-update`, {
          every: '30m',
          'was.every': '15m',
          maxAge: '48h',
          'was.maxAge': '24h',
        });
        const [stored] = await installation.storage.listConnections();
        assert.deepEqual([stored!.everySeconds, stored!.maxAgeSeconds], [1800, 172_800]);
        assert.equal(
          (await act(`${PAGE}/connection-update`, { every: '30m', 'was.every': '30m' })).status,
          422,
        );
        assert.equal(
          (await act(`${PAGE}/connection-update`, { every: '7h', 'was.every': '30m' })).status,
          422,
        );
        assert.equal((await act(`${PAGE}/connection-key`, key({ 'secret.secret': 'wrong' }))).status, 422);
        await goes(`${PAGE}/connection-key`, key());
        assert.equal((await act(`${PAGE}/connection-accept`)).status, 422, 'nothing is held');
      });

      it('are for viewers to look at, and for operators to read, accept and compare', async () => {
        assert.doesNotMatch(await get(PAGE, viewer), /data-act="(connection|rooms)-/);
        const acts = new Set(
          Array.from(
            (await get(PAGE, operator)).matchAll(/data-act="((?:connection|rooms)-\w+)"/g),
            ([, name]) => name,
          ),
        );
        assert.deepEqual([...acts].toSorted(), ['connection-compare', 'connection-read']);
        for (const name of ['read', 'accept', 'compare'])
          assert.equal((await act(`${PAGE}/connection-${name}`, {}, viewer)).status, 403);
        for (const name of [
          'connection-key',
          'connection-map',
          'connection-offer',
          'connection-update',
          'connection-remove',
          'rooms-save',
        ])
          assert.equal((await act(`${PAGE}/${name}`, {}, operator)).status, 403, name);
        assert.equal((await act(`${NEW}/connection-add`, key(), operator)).status, 403);
      });

      it('are removed after a dry run, and a form of one that is gone is not found', async () => {
        const asked = await act(`${PAGE}/connection-remove`);
        assert.match(asked.text, /data-count="types">4</);
        const removed = await act(`${PAGE}/connection-remove`, { sure: 'yes' });
        assert.deepEqual([removed.status, removed.location], [303, '/console/supply']);
        for (const name of [
          'connection-read',
          'connection-key',
          'connection-compare',
          'connection-remove',
          'connection-map',
          'rooms-save',
        ])
          assert.equal((await act(`${PAGE}/${name}`, key({ sure: 'yes', create: 'yes' }))).status, 404, name);
      });

      it('are shown with no room and with a thousand, in pages of a bounded size', async () => {
        const before = smoobu.account.apartments;
        for (const [count, bytesMax] of [
          [0, 30_000],
          [1, 30_000],
          [40, 120_000],
          [1_000, 320_000],
        ] as const) {
          const name = `flats-${count}`;
          const [sample] = before;
          const rooms = flatsOf(count, 1).map(({ id, name: flat }) => ({
            room: String(id),
            name: flat,
            guests: 4,
            currency: 'EUR',
            timezone: 'Europe/Rome',
            property: { id: String(id), name: flat },
            byHand: [],
            terms: null,
          }));
          assert.ok(sample);
          await installation.storage.insertConnection(connectionOf(name, rooms, installation.time.nowMs));
          const page = await get(`/console/connections/${name}`);
          const { byteLength } = Buffer.from(page);
          assert.ok(byteLength < bytesMax, `${count} rooms: ${byteLength} bytes`);
          assert.equal([...page.matchAll(/data-room="/g)].length, Math.min(count, 200));
          assert.equal(page.includes('rel="next"'), count > 200);
        }
        const last = await get('/console/connections/flats-1000?after=800');
        assert.ok(last.includes('data-room="1099"') && !last.includes('rel="next"'));
      });

      it('leave who did what in the audit trail, and the key nowhere', async () => {
        const trail = await admin.rows<readonly { act: string; person: string }[]>('/console/audit');
        said.push(JSON.stringify(trail), await get('/console/audit'), await get('/console'));
        const acts = new Set(trail.map(({ act: name }) => name));
        for (const name of ['add', 'map', 'read', 'compare', 'offer', 'update', 'key', 'remove'])
          assert.ok(acts.has(`connection ${name}`), `${name}: ${[...acts].join(', ')}`);
        assert.deepEqual(
          said.filter((text) => text.includes(KEY) || text.includes(SECRET)),
          [],
        );
        assert.deepEqual(smoobu.violations, []);
      });
    },
  );
}

function connectionOf(name: string, rooms: readonly object[], nowMs: number) {
  return {
    name,
    kind: 'smoobu',
    account: name,
    createdAtMs: nowMs,
    key: { key: KEY, secret: SECRET },
    tokens: {},
    keyEndsAtMs: null,
    settings: {},
    allowed: [],
    everySeconds: 900,
    maxAgeSeconds: 86_400,
    calls: { sinceMs: 0, used: 0, notBeforeMs: 0 },
    comparison: null,
    // Nobody reads it by itself.
    nextPollAtMs: nowMs + 365 * DAY_MS,
    polledAtMs: null,
    readAtMs: null,
    failureCount: 0,
    failure: null,
    failureWrong: null,
    isRefused: false,
    rooms: rooms as never,
    roomsAtMs: nowMs,
  };
}
