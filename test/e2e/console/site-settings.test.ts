/** Settings of the site, changed in the console: in force in every process within a second, on both databases. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { LOGO_BYTES_MAX } from '../../../src/app/settings/logo.ts';
import { hotelWith, nights } from '../../kit/catalogue-lines.ts';
import { until } from '../../kit/command-line.ts';
import { type ConsoleClient, signInTo } from '../../kit/console-client.ts';
import { fieldsOfForm } from '../../kit/form-fields.ts';
import { type Installation, openInstallation, type Served } from '../../kit/installation.ts';
import { plainPicture } from '../../kit/made-pictures.ts';
import { PartnerClient, quoteBody } from '../../kit/partner-client.ts';
import { postgresMissing, type PostgresServer, startPostgres } from '../../kit/postgres-server.ts';

const OPEN = nights('2026-12-01', '2026-12-31', { availability: 5, rate: '120.00' });
const PAGE = '/console/settings';
const SAVE = `${PAGE}/settings-save`;
/** A second, and what a busy machine adds to the page that shows it. */
const IN_FORCE_MS_MAX = 2_500;
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="4"/></svg>';
const ENGLISH = { 'sec-fetch-site': 'same-origin', 'accept-language': 'en' };
const ITALIAN = { 'sec-fetch-site': 'same-origin', 'accept-language': 'it' };
const JSON_ANSWER = { 'sec-fetch-site': 'same-origin', accept: 'application/json' };

interface Row {
  readonly name: string;
  readonly value: string | null;
  readonly from: string;
  readonly editable: boolean;
}

for (const engine of ['SQLite', 'PostgreSQL'] as const) {
  describe(
    `Settings of the site on ${engine}`,
    { skip: engine === 'PostgreSQL' && postgresMissing() },
    () => {
      let server: PostgresServer | undefined;
      let installation: Installation;
      /** It has a web listener, and an address of it in its environment. */
      let first: Served;
      /** Its environment sets nothing of the site. */
      let second: Served;
      let token: string;
      let ada: ConsoleClient;

      before(async () => {
        server = engine === 'PostgreSQL' ? await startPostgres() : undefined;
        installation = await openInstallation(await server?.createDatabase());
        await installation.importLines([hotelWith('ponte', [OPEN])]);
        ({ token } = await installation.issue());
        first = await installation.serve({ WEB_PORT: '0', WEB_LIMIT: '0' });
        second = await installation.serve({ HANDOFF_BASE_URL: '' });
        ada = await signInTo(installation, second.operatorUrl, { role: 'admin' });
      });
      after(async () => {
        await installation.close();
        await server?.close();
      });

      const quote = async ({ partnerUrl }: Served) => {
        const body = quoteBody('ponte', '2026-12-01', '2026-12-04');
        return (await new PartnerClient(partnerUrl, token).quote(body)).success;
      };
      const travellersPage = async (handoffUrl: string) => {
        const response = await fetch(`${first.webUrl}/handoff${new URL(handoffUrl).search}`);
        return response.text();
      };
      const listed = async (client: ConsoleClient) => (await client.rows<{ settings: Row[] }>(PAGE)).settings;
      const rowOf = async (name: string, client = ada) =>
        (await listed(client)).find((row) => row.name === name);
      const drawn = async (client = ada) =>
        Object.fromEntries(fieldsOfForm((await client.get(PAGE)).text, 'settings-save'));
      const save = async (changes: Readonly<Record<string, string>>) => {
        const answer = await ada.act(SAVE, { ...(await drawn()), ...changes });
        assert.equal(answer.status, 303, answer.text);
      };
      /** Fails unless it holds within a second. */
      const soon = async (holds: () => Promise<boolean>) => {
        const ms = await until(holds);
        assert.ok(ms < IN_FORCE_MS_MAX, `${ms} ms`);
      };

      it('are in force in every process within a second: pages, links, quotes, the way on', async () => {
        const before = await quote(first);
        await save({
          WEB_NAME: 'Locande & Figlie',
          WEB_CONTACT: 'mailto:ciao@locande.example',
          WEB_IMPRINT_URL: 'https://locande.example/note',
          HANDOFF_BASE_URL: 'https://stay.locande.example/handoff',
          QUOTE_TTL_SECONDS: '120',
          BOOKING_URL_TEMPLATE: 'https://book.locande.example/{propertyId}',
        });
        await soon(async () => (await travellersPage(before.handoffUrl)).includes('Locande &amp; Figlie'));
        await soon(async () =>
          (await quote(second)).handoffUrl.startsWith('https://stay.locande.example/handoff?'),
        );
        const after = await quote(second);
        assert.equal(Date.parse(after.expiresAt) - installation.time.nowMs, 120_000);
        const page = await travellersPage(after.handoffUrl);
        assert.match(page, /mailto:ciao@locande\.example/);
        assert.match(page, /https:\/\/locande\.example\/note/);
        const on = await fetch(`${first.webUrl}/handoff/continue`, {
          method: 'POST',
          redirect: 'manual',
          body: new URLSearchParams({ handoff: new URL(after.handoffUrl).searchParams.get('handoff')! }),
        });
        assert.equal(on.headers.get('location'), 'https://book.locande.example/ponte');
        assert.match((await ada.get('/console')).text, /<bdi>Locande &amp; Figlie<\/bdi>/);
        const guide = await (await fetch(`${second.partnerUrl}/docs`)).text();
        assert.match(guide, /A quote is valid for 2 minutes/);
      });

      it('serve the colour and the logo of the moment, and run no script of an SVG', async () => {
        const { handoffUrl } = await quote(first);
        const styleOf = (page: string) => /assets\/traveller-[0-9a-f]+\.css/.exec(page)![0];
        const old = styleOf(await travellersPage(handoffUrl));
        await save({ WEB_ACCENT: '#AA0000' });
        await soon(async () => styleOf(await travellersPage(handoffUrl)) !== old);
        const style = await fetch(`${first.webUrl}/${styleOf(await travellersPage(handoffUrl))}`);
        assert.match(await style.text(), /--accent:#aa0000/);
        // A page that another process has just sent.
        const stale = await fetch(`${first.webUrl}/${old}`);
        assert.deepEqual([stale.status, stale.headers.get('cache-control')], [200, 'no-store']);
        for (const [file, bytes] of [
          ['logo.svg', SVG],
          ['logo.gif', await plainPicture('png', 64, 32)],
        ] as const) {
          const answer = await ada.upload(SAVE, { name: file, bytes }, await drawn());
          assert.equal(answer.status, 303, answer.text);
          const kind = bytes === SVG ? 'svg' : 'png';
          const shown = new RegExp(`assets/logo-[0-9a-f]+\\.${kind}`);
          await soon(async () => shown.test(await travellersPage(handoffUrl)));
          const logo = await fetch(`${first.webUrl}/${shown.exec(await travellersPage(handoffUrl))![0]}`);
          assert.match(logo.headers.get('content-security-policy')!, /sandbox/);
          assert.match((await rowOf('WEB_LOGO'))!.value!, /^image\/\S+, \d+ bytes, sha256 [0-9a-f]{12}$/);
        }
        await save({ 'remove.WEB_LOGO': 'yes' });
        await soon(async () => !(await travellersPage(handoffUrl)).includes('/logo-'));
      });

      it('draw the traveller’s page as typed, and save nothing', async () => {
        const before = await listed(ada);
        const typed = { ...(await drawn()), WEB_NAME: 'Case <Rosse>', WEB_ACCENT: '#aa0044', preview: '1' };
        const page = await ada.upload(SAVE, { name: 'logo.svg', bytes: SVG }, typed, ENGLISH);
        assert.equal(page.status, 200, page.text);
        assert.match(page.text, /This is a preview for you/);
        assert.match(page.text, /Case &lt;Rosse&gt;/);
        const [, style = ''] = /href="data:text\/css;base64,([^"]+)"/.exec(page.text) ?? [];
        assert.match(Buffer.from(style, 'base64').toString(), /--accent:#aa0044/);
        assert.ok(
          page.text.includes(`src="data:image/svg+xml;base64,${Buffer.from(SVG).toString('base64')}"`),
        );
        const wrong = await ada.act(SAVE, { ...typed, WEB_ACCENT: 'red' }, ENGLISH);
        assert.equal(wrong.status, 422);
        assert.match(wrong.text, /not a colour like #rrggbb/);
        assert.deepEqual(JSON.parse((await ada.act(SAVE, typed, JSON_ANSWER)).text), { saved: false });
        assert.deepEqual(await listed(ada), before);
      });

      it('have the legal links at an address of their own, which comes back to itself', async () => {
        const { text } = await ada.get(`${PAGE}/legal`);
        const form = Object.fromEntries(fieldsOfForm(text, 'settings-save'));
        assert.deepEqual(
          Object.keys(form).filter((name) => name.startsWith('WEB_')),
          ['WEB_IMPRINT_URL', 'WEB_PRIVACY_URL', 'WEB_TERMS_URL', 'WEB_ACCESSIBILITY_URL'],
        );
        assert.ok(!('WEB_PRIVACY_URL' in (await drawn())), 'not in the form of the site');
        const typed = { ...form, WEB_PRIVACY_URL: 'http://locande.example/privacy' };
        const refused = await ada.act(SAVE, typed, ENGLISH);
        assert.equal(refused.status, 422);
        const again = Object.fromEntries(fieldsOfForm(refused.text, 'settings-save'));
        assert.equal(again['WEB_PRIVACY_URL'], typed.WEB_PRIVACY_URL);
        assert.ok(!('WEB_NAME' in again));
        const answer = await ada.act(SAVE, { ...again, WEB_PRIVACY_URL: 'https://locande.example/privacy' });
        assert.equal(answer.location, `${PAGE}/legal`);
        assert.equal((await rowOf('WEB_PRIVACY_URL'))!.value, 'https://locande.example/privacy');
      });

      it('have checks and values at addresses of their own, with all of them for a program', async () => {
        // The page does not wait for checks that run; these have run then.
        await listed(ada);
        const checks = (await ada.get(`${PAGE}/checks`)).text;
        assert.match(checks, /data-check="handoff url"/);
        assert.ok(!checks.includes('data-setting='));
        const values = (await ada.get(`${PAGE}/environment`)).text;
        assert.match(values, /data-setting="WEB_NAME"/);
        assert.ok(!values.includes('data-check='));
        for (const part of ['', '/legal', '/checks', '/environment']) {
          const rows = await ada.rows<{ settings: Row[]; doctor: unknown[] }>(`${PAGE}${part}`);
          assert.deepEqual(rows.settings, await listed(ada), part);
          assert.ok(rows.doctor.length > 0, part);
        }
      });

      it('refuse a logo that is none, or too large, and what is typed beside it stays', async () => {
        const files = [
          ['%PDF-1.7', /is not an SVG or PNG picture of at most 256 KB/],
          [`<svg>${' '.repeat(LOGO_BYTES_MAX)}</svg>`, /is not an SVG or PNG picture of at most 256 KB/],
          [
            Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(99)]),
            /is damaged or not complete/,
          ],
        ] as const;
        for (const [bytes, reason] of files) {
          const typed = { ...(await drawn()), WEB_NAME: 'Still typed' };
          const answer = await ada.upload(SAVE, { name: 'logo.png', bytes }, typed, ENGLISH);
          assert.equal(answer.status, 422);
          assert.match(answer.text, reason);
          assert.equal(fieldsOfForm(answer.text, 'settings-save').get('WEB_NAME'), 'Still typed');
        }
        assert.equal((await rowOf('WEB_LOGO'))!.from, 'default');
      });

      it('take a logo that comes as text of a hidden field as they take a file', async () => {
        const text = (kind: string, bytes: Uint8Array | string) =>
          `data:image/${kind};base64,${Buffer.from(bytes as Uint8Array).toString('base64')}`;
        const signature = Buffer.from('89504e470d0a1a0a', 'hex');
        for (const logo of [
          text('png', Buffer.concat([signature, Buffer.alloc(99)])),
          text('svg+xml', Buffer.concat([signature, Buffer.alloc(99)])),
          text('png', '%PDF-1.7'),
          'no data URL',
        ]) {
          const answer = await ada.act(SAVE, { ...(await drawn()), WEB_LOGO: logo }, ENGLISH);
          assert.equal(answer.status, 422, logo);
        }
        assert.equal((await rowOf('WEB_LOGO'))!.from, 'default');
        // Something behind its end, which a picture that was encoded again has not.
        const tail = 'behind the end';
        const png = Buffer.concat([await plainPicture('png', 3, 2), Buffer.from(tail)]);
        await save({ WEB_LOGO: text('png', png) });
        const stored = (await installation.storage.readSiteSettings()).find(
          ({ name }) => name === 'WEB_LOGO',
        );
        const kept = Buffer.from(stored!.value!.split(',')[1]!, 'base64').toString('latin1');
        assert.equal(kept.includes(tail), false);
        await save({ 'remove.WEB_LOGO': 'yes' });
      });

      it('keep a chosen logo in a form that is refused for another field', async () => {
        const typed = { ...(await drawn()), WEB_ACCENT: 'red' };
        const refused = await ada.upload(SAVE, { name: 'logo.svg', bytes: SVG }, typed);
        assert.equal(refused.status, 422);
        const again = Object.fromEntries(fieldsOfForm(refused.text, 'settings-save'));
        const answer = await ada.act(SAVE, { ...again, WEB_ACCENT: '#112233' });
        assert.equal(answer.status, 303, answer.text);
        assert.match((await rowOf('WEB_LOGO'))!.value!, /^image\/svg\+xml, /);
        await save({ 'remove.WEB_LOGO': 'yes' });
      });

      it('are refused as a start refuses them, all at once, in the language of the page, and nothing is written', async () => {
        const wrong = {
          WEB_ACCENT: 'red',
          WEB_PRIVACY_URL: 'http://locande.example/',
          QUOTE_TTL_SECONDS: '0',
          BOOKING_ORIGINS: 'https://a.example/x',
          WEB_NAME: 'x'.repeat(61),
        };
        const before = await listed(ada);
        const answer = await ada.act(SAVE, { ...(await drawn()), ...wrong, WEB_CONTACT: '' }, ITALIAN);
        assert.equal(answer.status, 422);
        for (const reason of [
          'non è un colore come #rrggbb',
          'non è un URL https://',
          'non è un numero intero da 1 a 31536000',
          'che non è un’origine https://',
          'non è una riga di al massimo 60 caratteri',
        ])
          assert.ok(answer.text.includes(reason), reason);
        const typed = fieldsOfForm(answer.text, 'settings-save');
        for (const [name, text] of Object.entries(wrong)) assert.equal(typed.get(name), text);
        assert.equal(typed.get('WEB_CONTACT'), '');
        assert.deepEqual(await listed(ada), before);
        const program = await ada.act(SAVE, { WEB_ACCENT: 'red' }, JSON_ANSWER);
        assert.equal(program.status, 422);
        assert.match(program.text, /WEB_ACCENT: It is not a colour like #rrggbb/);
      });

      it('refuse a value that is right alone and wrong with another', async () => {
        await save({ BOOKING_URL_TEMPLATE: 'https://book.locande.example/{propertyId}' });
        const circle = { BOOKING_URL_TEMPLATE: 'https://stay.locande.example/handoff?x={quoteId}' };
        const answer = await ada.act(SAVE, { ...(await drawn()), ...circle }, ENGLISH);
        assert.equal(answer.status, 422);
        assert.match(answer.text, /leads back to “Address of the traveller’s page”/);
        const { text } = await ada.act(SAVE, { ...(await drawn()), ...circle });
        assert.match(text, /riporta a “Indirizzo della pagina per i viaggiatori”/);
        // Both at once are right.
        await save({ ...circle, HANDOFF_BASE_URL: 'https://go.locande.example/handoff' });
        assert.equal((await rowOf('BOOKING_URL_TEMPLATE'))!.value, circle.BOOKING_URL_TEMPLATE);
      });

      it('show what the environment sets as set there, where it wins and can’t be changed', async () => {
        const client = await signInTo(installation, first.operatorUrl, { role: 'admin', name: 'Eva' });
        await save({ HANDOFF_BASE_URL: 'https://go.locande.example/handoff' });
        const row = await rowOf('HANDOFF_BASE_URL', client);
        assert.deepEqual(
          [row!.value, row!.from, row!.editable],
          ['https://localhost:8443/handoff', 'environment', false],
        );
        const own = await rowOf('HANDOFF_BASE_URL');
        assert.deepEqual([own!.from, own!.editable], ['site', true]);
        const { text } = await client.get(PAGE);
        assert.match(text, /<input id="HANDOFF_BASE_URL" value="https:\/\/localhost:8443\/handoff" disabled/);
        const answer = await client.act(SAVE, {
          HANDOFF_BASE_URL: 'https://x.example/h',
          QUOTE_TTL_SECONDS: '300',
        });
        assert.equal(answer.status, 303, 'a field that is not in the form is not read');
        assert.equal((await rowOf('HANDOFF_BASE_URL'))!.value, 'https://go.locande.example/handoff');
        assert.ok((await quote(first)).handoffUrl.startsWith('https://localhost:8443/handoff?'));
      });

      it('tell the second of two people what changed since the form was shown, and lose nothing typed', async () => {
        const eva = await signInTo(installation, first.operatorUrl, { role: 'admin', name: 'Eva' });
        const shown = await drawn(eva);
        await save({ WEB_NAME: 'Ada was here', WEB_CONTACT: 'tel:+390411234567' });
        const answer = await eva.act(
          SAVE,
          { ...shown, WEB_NAME: 'Eva was here', WEB_ACCENT: '#00aa00' },
          ENGLISH,
        );
        assert.equal(answer.status, 422);
        assert.match(answer.text, /WEB_NAME">[^<]*<\/a>, now: Ada was here/);
        assert.match(answer.text, /WEB_CONTACT">[^<]*<\/a>, now: tel:\+390411234567/);
        const again = Object.fromEntries(fieldsOfForm(answer.text, 'settings-save'));
        assert.deepEqual(
          [again['WEB_NAME'], again['WEB_ACCENT'], again['WEB_CONTACT']],
          ['Eva was here', '#00aa00', 'tel:+390411234567'],
        );
        assert.equal((await rowOf('WEB_NAME'))!.value, 'Ada was here');
        assert.equal((await eva.act(SAVE, again)).status, 303);
        assert.equal((await rowOf('WEB_NAME'))!.value, 'Eva was here');
      });

      it('let one of many that save at once win, and tell all others', async () => {
        const shown = await drawn();
        const answers = await Promise.all(
          [1, 2, 3, 4, 5, 6].map(async (number) => ada.act(SAVE, { ...shown, WEB_NAME: `Name ${number}` })),
        );
        const statuses = answers.map(({ status }) => status).sort();
        assert.deepEqual(statuses, [303, 422, 422, 422, 422, 422]);
      });

      it('are in the audit trail from what to what, a logo by its hash', async () => {
        const entries = (await ada.rows<Record<string, unknown>[]>('/console/audit')).filter(
          ({ act }) => act === 'settings set',
        );
        const ofName = entries.filter(({ on }) => on === 'WEB_NAME');
        assert.deepEqual(
          [ofName[1]!['person'], ofName[1]!['from'], ofName[1]!['to']],
          ['Eva', { value: 'Ada was here' }, { value: 'Eva was here' }],
        );
        const logos = entries.filter(({ on }) => on === 'WEB_LOGO');
        assert.match(JSON.stringify(logos.at(-1)!['to']), /^\{"value":"image\/svg\+xml, \d+ bytes, sha256 /);
        assert.ok(!JSON.stringify(entries).includes('base64'));
      });

      it('take an empty field as the default again, and accept an address that answers nothing, which doctor tells', async () => {
        await save({ WEB_NAME: '', WEB_CONTACT: '', HANDOFF_BASE_URL: 'https://127.0.0.1:1/handoff' });
        assert.deepEqual(
          [(await rowOf('WEB_NAME'))!.value, (await rowOf('WEB_NAME'))!.from],
          ['Stayport', 'default'],
        );
        await soon(async () => (await quote(second)).handoffUrl.startsWith('https://127.0.0.1:1/handoff?'));
        const { doctor } = await ada.rows<{ doctor: { check: string; status: string; detail: string }[] }>(
          PAGE,
        );
        const link = doctor.find(({ detail }) => detail.includes('https://127.0.0.1:1/handoff'));
        assert.equal(link?.status, 'warn', JSON.stringify(doctor));
        await save({ HANDOFF_BASE_URL: '' });
      });

      it('leave a stored value out that the reader refuses: the service starts, and says so', async () => {
        const rows = await installation.storage.readSiteSettings();
        const newest = Math.max(...rows.map(({ revision }) => revision));
        await installation.storage.putSiteSettings(
          [
            { name: 'WEB_ACCENT', value: 'mauve' },
            { name: 'WEB_LOGO', value: 'data:image/png;base64,AAAA' },
            { name: 'WEB_OF_A_LATER_RELEASE', value: 'x' },
          ],
          newest,
        );
        const third = await installation.serve({ HANDOFF_BASE_URL: '' });
        const client = await signInTo(installation, third.operatorUrl, { role: 'admin' });
        const row = await rowOf('WEB_ACCENT', client);
        assert.deepEqual([row!.value, row!.from], ['#1d5c57', 'default']);
        const { doctor } = await client.rows<{ doctor: Record<string, string>[] }>(PAGE);
        const check = doctor.find((one) => one['check'] === 'site settings')!;
        assert.equal(check['status'], 'fail');
        assert.match(
          check['detail']!,
          /WEB_ACCENT: "mauve" is not a colour like #rrggbb; for example WEB_ACCENT=/,
        );
        assert.match(check['detail']!, /WEB_LOGO: the file is not a PNG picture/);
        // Correcting one of them is not kept from it by the other.
        await save({ WEB_ACCENT: '#101010', 'remove.WEB_LOGO': 'yes' });
        assert.equal((await rowOf('WEB_ACCENT', client))!.value, '#101010');
      });

      it('are changed by administrators alone, who signed in a moment ago', async () => {
        const operator = await signInTo(installation, second.operatorUrl, { role: 'operator', name: 'Ugo' });
        assert.equal((await operator.act(SAVE, { WEB_NAME: 'Ugo' })).status, 403);
        assert.ok(!(await operator.get(PAGE)).text.includes('data-act="settings-save"'));
      });
    },
  );
}
