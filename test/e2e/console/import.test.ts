/** Files in the console: sent, looked at, applied; and everything that can go wrong between. */
import { inEnglish } from '../../../src/domain/wrong.ts';
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { reportAudit } from '../../../src/access/audit-trail.ts';
import { FILE_BYTES_MAX, type ImportState } from '../../../src/console/reading/import-state.ts';
import {
  FILE_AGE_MS_MAX,
  FILES_WAITING_MAX,
  ImportFolder,
  importFolderPath,
} from '../../../src/app/service/imports/import-folder.ts';
import { MISTAKES_SHOWN_MAX } from '../../../src/supply/run/mistake-list.ts';
import { NOTHING_READ } from '../../../src/storage/history/revision.ts';
import { spreadsheetTemplate } from '../../../src/supply/spreadsheet/write-catalogue.ts';
import { hotel } from '../../kit/catalogue-lines.ts';
import { until } from '../../kit/command-line.ts';
import { BOUNDARY, type ConsoleAnswer, type ConsoleClient, signInTo } from '../../kit/console-client.ts';
import { type Installation, type Served, startInstallation } from '../../kit/installation.ts';
import type { PartnerClient } from '../../kit/partner-client.ts';
import { cell, makeWorkbook } from '../../kit/workbooks.ts';
import { describePostgres } from '../../suites/storage/postgres-fixture.ts';

const UPLOAD = '/console/import/import-catalogue';
const WORKED_MS_MAX = 240_000;

describe('Files in the console', () => describeFiles(async () => undefined));
describePostgres('Files in the console on PostgreSQL', (server) =>
  describeFiles(() => server().createDatabase()),
);

function linesOf(...ids: readonly string[]): string {
  return ids.map((id) => JSON.stringify(hotel(id))).join('\n');
}

function uploadHeaders({ cookie }: ConsoleClient): Readonly<Record<string, string>> {
  return {
    cookie: cookie!,
    'sec-fetch-site': 'same-origin',
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    'transfer-encoding': 'chunked',
  };
}

/** Of a form whose file has begun. */
function beginningOf(form: string): string {
  const part = (name: string): string => `--${BOUNDARY}\r\nContent-Disposition: form-data; name=${name}`;
  const file = part('"file"; filename="x"');
  return `${part('"form"')}\r\n\r\n${form}\r\n${file}\r\n\r\n${'x'.repeat(5_000)}`;
}

function describeFiles(openDatabase: () => Promise<string | undefined>): void {
  let installation: Installation;
  let service: Served;
  let partner: PartnerClient;
  let operator: ConsoleClient;
  let folder: string;
  before(async () => {
    const databaseUrl = await openDatabase();
    ({ installation, service, partner } = await startInstallation([hotel('ponte')], {}, databaseUrl));
    operator = await signInTo(installation, service.operatorUrl, { role: 'operator', name: 'Olga' });
    folder = importFolderPath(databaseUrl ?? `sqlite:${installation.databasePath}`);
  });
  after(() => installation.close());

  const stateOf = (path: string): Promise<ImportState> => operator.rows<ImportState>(path);
  /** When it is no longer worked on. */
  async function settled(path: string): Promise<ImportState> {
    await until(async () => !/checking|applying/.test((await stateOf(path)).phase), WORKED_MS_MAX);
    return stateOf(path);
  }
  function pathOf({ status, location, text }: ConsoleAnswer): string {
    assert.equal(status, 303, text);
    return location!;
  }
  async function send(name: string, bytes: string | Uint8Array, fields = {}, path = UPLOAD): Promise<string> {
    return pathOf(await operator.upload(path, { name, bytes }, fields));
  }
  const apply = async (path: string, act = 'import-catalogue', hash?: string): Promise<ConsoleAnswer> =>
    operator.act(`${path}/${act}`, { hash: hash ?? (await stateOf(path)).hash! });
  const newestEntry = async () => (await reportAudit(installation.storage, 0))[0]!;
  const storedIds = () => installation.storage.listPropertyIds('catalogue', '', 100);

  it('shows what a file would change, changes nothing, applies it, and is in the audit trail', async () => {
    const path = await send('new.ndjson', `${linesOf('ponte', 'nuovo')}\n{"propertyId":"bad"}`);
    const shown = await settled(path);
    assert.deepEqual(
      { ...shown.counts, seconds: 0 },
      { read: 3, created: 1, changed: 0, unchanged: 1, withdrawn: 0, rejected: 1, seconds: 0 },
    );
    assert.equal(shown.phase, 'shown');
    assert.deepEqual(
      [...new Set(shown.rejections.map((mistake) => 'line' in mistake && mistake.line))],
      [3],
      'all mistakes of it',
    );
    assert.deepEqual(await storedIds(), ['ponte']);
    const page = await operator.get(path);
    assert.ok(page.text.includes('data-phase="shown"') && page.text.includes('data-act="import-catalogue"'));
    assert.ok(!page.text.includes(folder) && !page.text.includes('http-equiv'), page.text);

    assert.equal((await apply(path)).location, path);
    const applied = await settled(path);
    assert.deepEqual([applied.phase, applied.applied!['created']], ['applied', 1]);
    assert.deepEqual(await storedIds(), ['nuovo', 'ponte']);
    await until(async () => (await newestEntry()).to !== null, WORKED_MS_MAX);
    const entry = await newestEntry();
    assert.deepEqual([entry.person, entry.act], ['Olga', 'import catalogue']);
    assert.equal(entry.on, `new.ndjson ${shown.hash}`);
    assert.equal((entry.to as { created: number }).created, 1);
    assert.equal((await apply(path)).status, 422, 'once');
    const audit = await operator.get('/console/audit', { 'accept-language': 'it-IT' });
    const told = audit.text.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ');
    assert.ok(told.includes(`new.ndjson ${shown.hash!.slice(0, 8)}…`), told);
    assert.ok(!told.includes(shown.hash!));
    assert.match(told, /lette 3, create 1, cambiate 0, invariate 1, ritirate 0, respinte 1/);
  });

  it('takes gzip, spreadsheets and rates, and withdraws only where that was chosen', async () => {
    const packed = await send('all.ndjson.gz', gzipSync(linesOf('ponte')), { replace: 'yes' });
    assert.equal((await settled(packed)).counts!['withdrawn'], 1);
    assert.equal((await settled(await send('all.ndjson', linesOf('ponte')))).counts!['withdrawn'], 0);
    const exported = await operator.get('/console/import/export.csv?source=catalogue');
    assert.match(exported.headers['content-disposition']![0]!, /attachment; filename="catalogue\.csv"/);
    const again = await settled(await send('catalogue.csv', exported.text));
    assert.deepEqual([again.counts!['unchanged'], again.counts!['rejected']], [2, 0]);
    const ndjson = await operator.get('/console/import/export.ndjson');
    assert.equal(ndjson.text.trimEnd().split('\n').length, 2);
    const template = await operator.get('/console/import/template.csv');
    assert.ok(template.text.includes('propertyId,'), template.text);
    const rates =
      'propertyId,inventoryTypeId,dateFrom,dateTo,rate\nponte,double,2026-12-01,2026-12-02,99.00\n';
    const path = await send('rates.csv', rates, {}, '/console/import/import-rates');
    assert.equal((await settled(path)).counts!['changed'], 1);
    assert.equal((await apply(path)).status, 404, 'by the form of another kind');
    await apply(path, 'import-rates');
    assert.equal((await settled(path)).phase, 'applied');
  });

  it('reads a sheet as Italian spreadsheets save it, and names every mistake in the language of the page', async () => {
    const rows = [
      'propertyId;inventoryTypeId;Nota;dateFrom;dateTo;rate;stopSell',
      'ponte;double;caffè;01/12/2026;31/12/2026;1.234,50;FALSO',
      ...Array.from({ length: 3 }, () => 'ponte;double;;31/11/2026;31/12/26;dieci;FORSE'),
      'manca;double;;01/12/2026;31/12/2026;9;VERO',
      'ponte;suite;;01/12/2026;31/12/2026;9;VERO',
    ];
    const bytes = Buffer.from(rows.join('\r\n'), 'latin1');
    const path = await send('tariffe.csv', bytes, {}, '/console/import/import-rates');
    const failed = await settled(path);
    assert.deepEqual(failed.header, { missing: [], unknown: ['Nota'], twice: [] });
    const italian = { 'accept-language': 'it-IT' };
    const refused = await operator.get(path, italian);
    assert.match(refused.text, /Colonne sconosciute: <bdi[^>]*>Nota<[^]*Tralasciale/);
    assert.equal((await operator.act(`${path}/import-rates`, { ignoreColumns: 'yes' })).location, path);
    const shown = await settled(path);
    assert.deepEqual([shown.phase, shown.encoding, shown.separator], ['shown', 'Windows-1252', ';']);
    assert.deepEqual([shown.counts!['changed'], shown.counts!['rejected']], [1, 5]);
    const { wrong, ...first } = shown.rejections[0]!;
    assert.equal(inEnglish(wrong), first.reason);
    assert.deepEqual(first, {
      row: 3,
      propertyId: 'ponte',
      column: 'dateFrom',
      reason: 'must be a real date written YYYY-MM-DD, not "31/11/2026"',
    });
    const page = await operator.get(path, italian);
    for (const text of [
      'Windows-1252, separato da punti e virgola',
      '3 righe: 3-5',
      'deve essere una data esistente, scritta AAAA-MM-GG',
      'deve essere un importo non negativo',
      'deve essere VERO o FALSO',
      'La struttura manca non esiste',
      'La struttura ponte non ha il tipo di alloggio suite',
    ])
      assert.ok(page.text.includes(text), `${text} in ${page.text}`);
    assert.doesNotMatch(page.text, /<span lang="en">/);
    await apply(path, 'import-rates');
    assert.equal((await settled(path)).applied!['changed'], 1);

    const again = await send('again.csv', bytes, {}, '/console/import/import-rates');
    await settled(again);
    await operator.act(`${again}/import-rates`, { ignoreColumns: 'yes' });
    const { hash } = await settled(again);
    const nothing = await operator.get(again, italian);
    assert.match(nothing.text, /Nulla da applicare/);
    assert.ok(!nothing.text.includes('data-act="import-rates"'), 'nothing to apply');
    assert.equal((await apply(again, 'import-rates', hash!)).status, 422);
  });

  it('asks for the encoding of a sheet whose words have signs in them, and reads it in the one that is chosen', async () => {
    // As a Mac saves "Città" and "Forlì".
    const bytes = Buffer.from(
      'propertyId,inventoryTypeId,dateFrom,dateTo,rate,Nota\n' +
        'ponte,double,2026-12-05,2026-12-05,91.00,Citt\u0088 alta\n' +
        'ponte,double,2026-12-06,2026-12-06,92.00,Forl\u0093\n',
      'latin1',
    );
    const path = await send('mac.csv', bytes, {}, '/console/import/import-rates');
    const asked = await settled(path);
    assert.deepEqual([asked.phase, asked.encoding], ['failed', null]);
    assert.deepEqual(
      asked.encodingDoubt?.lines.map(({ line, word }) => [line, word['Windows-1252'], word['macintosh']]),
      [
        [2, 'Cittˆ', 'Città'],
        [3, 'Forl“', 'Forlì'],
      ],
    );
    for (const [language, texts] of [
      [
        'it-IT',
        ['Scegli la colonna in cui le parole sono giuste', 'Leggi come macintosh', 'Leggi come windows-1250'],
      ],
      ['en-GB', ['Choose the column in which the words are right', 'Read as macintosh']],
    ] as const) {
      const page = await operator.get(path, { 'accept-language': language });
      for (const text of [...texts, 'Forlì']) assert.ok(page.text.includes(text), `${text} in ${page.text}`);
      assert.doesNotMatch(page.text, /--encoding|Applica questo file|Apply this file/);
    }
    assert.equal((await operator.act(`${path}/import-rates`, { encoding: 'cp850' })).status, 422);
    assert.equal((await operator.act(`${path}/import-rates`, { encoding: 'macintosh' })).location, path);
    const unknown = await settled(path);
    assert.deepEqual(unknown.header?.unknown, ['Nota']);
    await operator.act(`${path}/import-rates`, { ignoreColumns: 'yes' });
    const shown = await settled(path);
    assert.deepEqual([shown.phase, shown.encoding, shown.counts!['changed']], ['shown', 'macintosh', 2]);
    const again = await operator.act(`${path}/import-rates`, { encoding: 'windows-1250' });
    assert.equal(again.status, 422, 'it leaves nothing to choose');

    const named = await send('mac.csv', bytes, { encoding: 'macintosh' }, '/console/import/import-rates');
    assert.deepEqual((await settled(named)).header?.unknown, ['Nota']);
    const wrong = await operator.get('/console/import');
    assert.match(
      wrong.text,
      /<select id="rates-encoding" name="encoding"[^]*<option value="macintosh" *>macintosh/,
    );
  });

  it('takes workbooks, and ends one that unpacks to gigabytes in words, beside partners', async () => {
    const header = ['propertyId', 'inventoryTypeId', 'dateFrom', 'dateTo', 'rate'];
    const dates = [cell('<v>46387</v>', 's="1"'), '31/12/2026'];
    const sheets = [
      { name: 'Liste', state: 'hidden', rows: [['x']] },
      { name: 'Vuoto', rows: [] },
      {
        name: 'Tariffe',
        rows: [header, ['ponte', 'double', ...dates, 77.5], [7, 'double', ...dates, '1,5']],
      },
    ] as const;
    const bytes = makeWorkbook({ sheets, formats: ['dd/mm/yyyy'] });
    const path = await send('t.xlsx', bytes, { sheet: 'tariffe' }, '/console/import/import-rates');
    const shown = await settled(path);
    assert.deepEqual(
      [shown.phase, shown.sheet, shown.encoding],
      ['shown', 'Tariffe', null],
      JSON.stringify(shown),
    );
    assert.deepEqual([shown.counts!['changed'], shown.rejections.length], [1, 1]);
    const page = await operator.get(path, { 'accept-language': 'it-IT' });
    assert.match(page.text, /foglio “Tariffe”[^]*Riga 3: propertyId è un numero nel foglio di calcolo/);
    await apply(path, 'import-rates');
    assert.equal((await settled(path)).applied!['changed'], 1);
    const first = await settled(await send('t.xlsx', bytes, {}, '/console/import/import-rates'));
    assert.match(first.failure!, /^t\.xlsx is empty/);

    const rows = spreadsheetTemplate()
      .slice(1)
      .trim()
      .split('\r\n')
      .map((row) => parse(row)[0]!);
    const catalogue = makeWorkbook({ sheets: [{ name: 'Foglio1', rows }] });
    const properties = await settled(await send('c.xlsx', catalogue));
    assert.deepEqual([properties.counts!['created'], properties.rejections], [2, []]);

    const zeros = deflateRawSync(Buffer.alloc(300 * 2 ** 20), { level: 9 });
    const part = { packed: zeros, bytes: 300 * 2 ** 20, crc: 0 };
    const bomb = makeWorkbook({ sheets, parts: { 'xl/worksheets/sheet2.xml': part } });
    const sent = await send('bomb.xlsx', bomb, {}, '/console/import/import-rates');
    let failed: ImportState | undefined;
    const ending = settled(sent).then((state) => (failed = state));
    let slowestMs = 0;
    while (failed === undefined) {
      const startedMs = performance.now();
      const { status } = await partner.property('ponte');
      slowestMs = Math.max(slowestMs, performance.now() - startedMs);
      assert.equal(status, 200);
      await sleep(5);
    }
    assert.match((await ending).failure!, /^bomb\.xlsx holds more than 256 MB unpacked/);
    assert.ok(slowestMs < 1_000, `a partner waited ${slowestMs} ms`);
  });

  it(`names the first ${MISTAKES_SHOWN_MAX} of the lines that are wrong`, async () => {
    const state = await settled(await send('bad.ndjson', '{}\n'.repeat(MISTAKES_SHOWN_MAX + 1)));
    assert.deepEqual([state.counts!['rejected'], state.rejections.length], [101, MISTAKES_SHOWN_MAX]);
  });

  it('does not apply a file that changed on the disk, or another one than was shown', async () => {
    const path = await send('swap.ndjson', linesOf('swap-a'));
    const { importId, hash } = await settled(path);
    const another = { hash: 'f'.repeat(64) };
    const refused = await operator.act(`${path}/import-catalogue`, another);
    assert.equal(refused.status, 422);
    assert.match(refused.text, />Questo non è il file mostrato: guardalo di nuovo\.</);
    const headers = { accept: 'application/json', 'sec-fetch-site': 'same-origin' };
    const { text } = await operator.act(`${path}/import-catalogue`, another, headers);
    assert.equal(
      (JSON.parse(text) as { detail: string }).detail,
      'This is not the file that was shown: look at it again.',
    );
    const name = readdirSync(folder).find((file) => file.startsWith(importId) && file.endsWith('.data'));
    writeFileSync(join(folder, name!), linesOf('swap-b'));
    assert.equal((await apply(path, 'import-catalogue', hash!)).status, 303);
    const state = await settled(path);
    assert.equal(state.phase, 'failed');
    assert.match(state.failure!, /changed on the disk/);
    assert.ok(!(await storedIds()).some((id) => id.startsWith('swap')));
  });

  it('says that the catalogue changed meanwhile, and shows what the file would do now', async () => {
    const path = await send('late.ndjson', linesOf('late-a', 'late-b'));
    await settled(path);
    await installation.importLines([hotel('late-a')]);
    await apply(path);
    const state = await settled(path);
    assert.deepEqual([state.phase, state.changedMeanwhile, state.counts!['created']], ['shown', true, 1]);
    await apply(path);
    assert.equal((await settled(path)).applied!['created'], 1);
  });

  it('says so, too, where the database went back and reached the same revision again', async () => {
    const path = await send('again.ndjson', linesOf('again-a', 'again-b'));
    const { importId } = await settled(path);
    await installation.importLines([hotel('again-a')]);
    // The number of now, with the stamp of before: two writes of two histories.
    const statePath = join(folder, `${importId}.json`);
    const { revision } = await installation.storage.readHistory(NOTHING_READ);
    const state = JSON.parse(readFileSync(statePath, 'utf8')) as object;
    writeFileSync(statePath, JSON.stringify({ ...state, revision }));
    await apply(path);
    const { phase, changedMeanwhile, counts } = await settled(path);
    assert.deepEqual([phase, changedMeanwhile, counts!['created']], ['shown', true, 1]);
    await apply(path);
    assert.equal((await settled(path)).applied!['created'], 1);
  });

  it('refuses who may not, before the file is kept', async () => {
    const before = readdirSync(folder).length;
    const viewer = await signInTo(installation, service.operatorUrl, { role: 'viewer' });
    const file = { name: 'x.ndjson', bytes: linesOf('x') };
    assert.equal((await viewer.upload(UPLOAD, file)).status, 403);
    assert.equal((await operator.upload(UPLOAD, file, { form: 'f'.repeat(64) })).status, 403);
    assert.equal((await operator.upload(UPLOAD, file, {}, { 'sec-fetch-site': 'cross-site' })).status, 403);
    assert.equal((await operator.post(UPLOAD, { form: await operator.formToken() })).status, 403);
    const typed = await operator.upload(UPLOAD, file, { source: 'manual', replace: 'yes' });
    assert.equal(typed.status, 422);
    assert.match(
      typed.text,
      /name="source"\s+value="manual"[^]*name="replace"[^>]*checked/,
      'nothing typed is lost',
    );
    assert.equal((await viewer.get('/console/import/export.csv')).status, 403);
    const page = await viewer.get('/console/import');
    assert.ok(page.status === 200 && !page.text.includes('data-act="import'), page.text);
    assert.equal(readdirSync(folder).length, before);
  });

  it('takes 64 MB, and not a byte more', async () => {
    const line = `${JSON.stringify({ ...hotel('large'), description: 'x'.repeat(1_000) })}\n`;
    const whole = Buffer.alloc(FILE_BYTES_MAX, line);
    const state = await settled(await send('large.ndjson', whole));
    assert.equal(state.bytes, FILE_BYTES_MAX);
    const answer = await operator.upload(UPLOAD, {
      name: 'x',
      bytes: Buffer.alloc(FILE_BYTES_MAX + 1, line),
    });
    assert.equal(answer.status, 422);
    assert.match(answer.text, />Il file è più grande di 64 MB: .* dalla riga di comando\.</);
  });

  it('lets one be worked on, and tells the next to wait', async () => {
    const many = Array.from({ length: 4_000 }, (_none, index) => `many-${index}`);
    const path = await send('many.ndjson', linesOf(...many));
    const second = await operator.upload(UPLOAD, { name: 'second.ndjson', bytes: linesOf('second') });
    assert.equal(second.status, 422);
    assert.match(second.text, />many\.ndjson di Olga è in lavorazione: .*, poi riprova\.</);
    const page = await operator.get(path);
    assert.ok(page.text.includes('<noscript><meta http-equiv="refresh"'), page.text);
    await settled(path);
    const files = Array.from({ length: 4 }, () =>
      operator.upload(UPLOAD, { name: 'x.ndjson', bytes: linesOf(...many) }),
    );
    const statuses = (await Promise.all(files)).map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [303, 422, 422, 422]);
    await until(
      async () =>
        (await operator.rows<ImportState[]>('/console/import')).every(({ phase }) => phase !== 'checking'),
      WORKED_MS_MAX,
    );
  });

  it('keeps nothing of a sender who breaks off', async () => {
    const files = () =>
      existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.data')) : [];
    const before = files();
    const arriving = () => files().filter((name) => !before.includes(name));
    const form = await operator.formToken();
    const { hostname, port } = new URL(service.operatorUrl);
    const sending = request({
      hostname,
      port,
      method: 'POST',
      path: UPLOAD,
      headers: uploadHeaders(operator),
    });
    sending.on('error', () => undefined);
    sending.write(beginningOf(form));
    await until(async () => arriving().length > 0);
    sending.destroy();
    await until(async () => arriving().length === 0);
  });

  it('gives up on a sender who falls silent', async () => {
    const other = await installation.serve({ REQUEST_TIMEOUT_SECONDS: '1' });
    const client = await signInTo(installation, other.operatorUrl, { role: 'operator' });
    const form = await client.formToken();
    const { hostname, port } = new URL(other.operatorUrl);
    const sending = request({ hostname, port, method: 'POST', path: UPLOAD, headers: uploadHeaders(client) });
    sending.on('error', () => undefined);
    const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
    sending.write(beginningOf(form));
    const [response] = await answered;
    response.resume();
    assert.equal(response.statusCode, 422);
    sending.destroy();
  });

  it(`keeps ${FILES_WAITING_MAX} files that wait: the oldest of the same person gives way`, async () => {
    for (let index = 0; index < FILES_WAITING_MAX; index += 1)
      await settled(await send(`w${index}.ndjson`, ''));
    const waiting = (await operator.rows<ImportState[]>('/console/import')).filter(
      ({ phase }) => phase === 'shown',
    );
    assert.ok(
      waiting.length <= FILES_WAITING_MAX && waiting.some(({ fileName }) => fileName === 'w7.ndjson'),
    );
    const other = await signInTo(installation, service.operatorUrl, { role: 'operator', name: 'Otto' });
    const refused = await other.upload(UPLOAD, { name: 'x.ndjson', bytes: linesOf('x') });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /file aspettano già/);
  });

  it('removes files of an hour, and what belongs to nothing', async () => {
    const machineClock = (): number => Date.now() + 2 * FILE_AGE_MS_MAX;
    const clock = (): number => installation.time.nowMs + FILE_AGE_MS_MAX;
    await new ImportFolder({ path: folder, clock, machineClock }).sweep();
    assert.deepEqual(readdirSync(folder), []);
  });

  it('says what became of a file whose process ended', async () => {
    const path = await send('lost.ndjson', linesOf('lost'));
    const { importId } = await settled(path);
    const file = join(folder, `${importId}.json`);
    const stored = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...stored, phase: 'applying', touchedAtMs: 0 }));
    const { text } = await operator.get(path, { 'accept-language': 'en-GB' });
    assert.match(text, /data-phase="interrupted"[^]*What was applied stays/);
    assert.ok(text.includes('data-act="import-catalogue"'));
    await apply(path);
    assert.equal((await settled(path)).phase, 'applied');
    // The audit trail is written after the state, and the database goes away after this test.
    await until(async () => (await newestEntry()).to !== null, WORKED_MS_MAX);
  });
}
