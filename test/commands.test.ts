/**
 * Every command of the command line on a real database: what it prints with `--json`, how it fails, and in which exit
 * code. Some run as child processes: those of `migrate`, and what the settings of a process are.
 */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it } from 'node:test';
import { ATTRIBUTION_COLUMNS } from '../src/traveller/attribution/attribution-report.ts';
import { gzipSync } from 'node:zlib';
import type { ImportSummary } from '../src/supply/run/import-run.ts';
import { double, hotel } from './kit/catalogue-lines.ts';
import { type Ended, SAMPLE, Workplace } from './kit/command-line.ts';
import { WorkplaceHere } from './kit/commands-here.ts';

const ITALY = join(SAMPLE, 'italy.ndjson');
const ANTWERP = join(SAMPLE, 'inside-airbnb', 'antwerp-2024-06');
const INSIDE_AIRBNB = [
  'import',
  'inside-airbnb',
  '--city',
  'Antwerp',
  '--country',
  'BE',
  '--timezone',
  'Europe/Brussels',
  '--currency',
  'EUR',
  '--listings',
  join(ANTWERP, 'listings.csv.gz'),
  '--calendar',
  join(ANTWERP, 'calendar.csv.gz'),
];

describe('partner', () => {
  const workplace = makeWorkplace();

  it('create, update and list print the partner', async () => {
    const created = await workplace.json([
      'partner',
      'create',
      '--name',
      'Acme',
      '--partner-id',
      'acme',
      '--origin',
      'https://A.example/',
      '--origin',
      'http://localhost:3000',
    ]);
    const origins = ['https://a.example', 'http://localhost:3000'];
    assert.deepEqual(created, { partnerId: 'acme', name: 'Acme', origins });

    const disabled = await workplace.json([
      'partner',
      'update',
      'acme',
      '--disable',
      '--name',
      'Acme Travel',
    ]);
    assert.deepEqual(disabled, { ...created, name: 'Acme Travel', disabled: true });
    const enabled = await workplace.json([
      'partner',
      'update',
      'acme',
      '--enable',
      '--origin',
      'https://b.example',
    ]);
    assert.deepEqual(enabled, { ...disabled, origins: ['https://b.example'], disabled: false });
    assert.deepEqual(await workplace.json(['partner', 'list']), [enabled]);
  });

  it('create makes up an id', async () => {
    const { partnerId } = await workplace.json(['partner', 'create', '--name', 'Nameless']);
    assert.match(partnerId, /^[A-Za-z0-9._~-]{8,160}$/);
  });

  it('list is a table for people', async () => {
    const { stdout } = await workplace.run(['partner', 'list']);
    assert.match(stdout, /^partnerId +name +disabled +origins\n/);
  });

  it('fails in one line', async () => {
    assertFailure(await workplace.run(['partner', 'update', 'nobody', '--disable']), /nobody/);
    assertFailure(await workplace.run(['partner', 'create', '--name', 'x', '--partner-id', 'acme']), /acme/);
    assertUsage(await workplace.run(['partner', 'create']), /--name/);
    assertUsage(
      await workplace.run(['partner', 'create', '--name', 'x', '--origin', 'b.example/path']),
      /--origin/,
    );
    assertUsage(await workplace.run(['partner', 'update', 'acme', '--enable', '--disable']), /--disable/);
    assertUsage(await workplace.run(['partner', 'update', 'acme']), /nothing to change/);
  });
});

describe('credential and operator-token', () => {
  const workplace = makeWorkplace();

  it('issue, list, revoke and rotate print the credential, and the token once', async () => {
    await workplace.run(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
    const issued = await workplace.json(['credential', 'issue', '--partner', 'acme']);
    assert.match(issued.token, /^sp_live_/);
    assert.deepEqual(issued, {
      credentialId: issued.credentialId,
      partnerId: 'acme',
      token: issued.token,
      scopes: ['properties:read', 'availability:read', 'quotes:write'],
      quota: 120,
      expiresAt: null,
    });

    const narrow = await workplace.json([
      'credential',
      'issue',
      '--partner',
      'acme',
      '--scope',
      'quotes:write',
      '--scope',
      'properties:read',
      '--quota',
      '7',
      '--expires',
      '2099-01-31T12:00:00+01:00',
    ]);
    assert.deepEqual(narrow.scopes, ['properties:read', 'quotes:write']);
    assert.equal(narrow.quota, 7);
    assert.equal(narrow.expiresAt, '2099-01-31T11:00:00.000Z');

    const rotated = await workplace.json(['credential', 'rotate', narrow.credentialId, '--overlap', '1h']);
    assert.deepEqual(Object.keys(rotated), Object.keys(issued));
    assert.notEqual(rotated.token, narrow.token);
    assert.equal(rotated.quota, 7);

    const revoked = await workplace.json(['credential', 'revoke', issued.credentialId]);
    assert.equal(revoked.credentialId, issued.credentialId);
    assert.notEqual(revoked.revokedAt, null);

    const listing = await workplace.run(['credential', 'list', '--partner', 'acme', '--json']);
    assert.equal(JSON.parse(listing.stdout).length, 3);
    for (const { token } of [issued, narrow, rotated]) assert.ok(!listing.stdout.includes(token));
  });

  it('issue takes the quota of PARTNER_QUOTA', async () => {
    const { stdout } = await workplace.run(['credential', 'issue', '--partner', 'acme', '--json'], {
      env: { PARTNER_QUOTA: '9' },
    });
    assert.equal(JSON.parse(stdout).quota, 9);
  });

  it('fails in one line', async () => {
    assertFailure(await workplace.run(['credential', 'issue', '--partner', 'nobody']), /nobody/);
    assertFailure(await workplace.run(['credential', 'revoke', 'cr_nothing']), /cr_nothing/);
    assertFailure(await workplace.run(['credential', 'rotate', 'cr_nothing']), /cr_nothing/);
    assertFailure(await workplace.run(['credential', 'list', '--partner', 'nobody']), /nobody/);
    const wrong = [
      ['--scope', 'all'],
      ['--quota', '0'],
      ['--quota', '1.5'],
      ['--expires', 'tomorrow'],
    ];
    for (const [name, value] of wrong) {
      const ended = await workplace.run(['credential', 'issue', '--partner', 'acme', name!, value!]);
      assertUsage(ended, new RegExp(`${name} .*${value}`));
    }
    assertUsage(await workplace.run(['credential', 'rotate', 'x', '--overlap', '1 day']), /--overlap/);
  });

  it('operator-token issue, list and revoke print the token once, and its rights', async () => {
    const issue = ['operator-token', 'issue', '--name', 'channel manager'];
    const rights = ['--scope', 'supply:write', '--source', 'channex', '--expires', '2030-01-01T00:00:00Z'];
    const { token, ...issued } = await workplace.json([...issue, ...rights]);
    assert.match(token, /^sp_oper_/);
    const { operatorTokenId } = issued;
    assert.deepEqual(issued, {
      operatorTokenId,
      name: 'channel manager',
      scopes: ['supply:write'],
      source: 'channex',
      expiresAt: '2030-01-01T00:00:00.000Z',
    });
    const [listed] = await workplace.json(['operator-token', 'list']);
    assert.deepEqual(listed, { ...issued, createdAt: listed.createdAt, revokedAt: null });
    const revoked = await workplace.json(['operator-token', 'revoke', operatorTokenId]);
    assert.deepEqual(revoked, { ...listed, revokedAt: revoked.revokedAt });
    assert.ok(revoked.revokedAt !== null);
    assertUsage(await workplace.run(['operator-token', 'issue', '--name', ' ']), /--name/);
    assertUsage(await workplace.run([...issue, '--scope', 'quotes:write']), /--scope/);
    const unknown = await workplace.run(['operator-token', 'revoke', 'ot_x']);
    assert.deepEqual([unknown.code, unknown.stderr], [1, 'stayport: there is no operator token "ot_x"\n']);
  });
});

describe('import catalogue and property', () => {
  const workplace = makeWorkplace();
  const counts = { read: 6, created: 0, changed: 0, unchanged: 0, withdrawn: 0, rejected: 0 };
  const file = join(workplace.directory, 'catalogue.ndjson');
  const lines = readFileSync(ITALY, 'utf8').trimEnd().split('\n');

  it('counts what a dry run would do, and writes nothing', async () => {
    const { seconds, ...summary } = await workplace.json(['import', 'catalogue', ITALY, '--dry-run']);
    assert.equal(typeof seconds, 'number');
    assert.deepEqual(summary, { ...counts, created: 6, setByHand: [], setByHandLeftOut: 0 });
    assertFailure(await workplace.run(['property', 'show', 'casa-ballaro']), /casa-ballaro/);
  });

  it('creates no database in a dry run, and leaves nothing in the folder for temporary files', async () => {
    const [folder, temporary] = ['empty', 'temporary'].map((name) => join(workplace.directory, name));
    for (const path of [folder!, temporary!]) mkdirSync(path);
    const env = { DATABASE_URL: `sqlite:${join(folder!, 'data', 'stayport.db')}`, TMPDIR: temporary! };
    const rates = 'propertyId,inventoryTypeId,date,rate\na,b,2027-01-01,1.00\n';
    const day = ['--property', 'a', '--type', 'b', '--from', '2027-01-01', '--to', '2027-01-02'];
    for (const args of [
      ['import', 'catalogue', ITALY],
      ['import', 'rates', '-'],
      ['import', 'ical', '-', '--property', 'a', '--type', 'b'],
      ['close', ...day],
      ['source', 'retire', 'pms'],
    ])
      await workplace.run([...args, '--dry-run'], { env, input: rates });
    assert.deepEqual([readdirSync(folder!), readdirSync(temporary!)], [[], []]);
  });

  it('imports, and the second time nothing changes', async () => {
    assert.deepEqual(await importCounts(ITALY), { ...counts, created: 6 });
    assert.deepEqual(await importCounts(ITALY), { ...counts, unchanged: 6 });
  });

  it('takes gzip and standard input', async () => {
    const zipped = `${file}.gz`;
    writeFileSync(zipped, gzipSync(lines.join('\n')));
    assert.deepEqual(await importCounts(zipped), { ...counts, unchanged: 6 });
    const { seconds: _, ...summary } = await workplace.json(['import', 'catalogue', '-'], {
      input: lines.join('\n'),
    });
    assert.deepEqual(summary, { ...counts, unchanged: 6 });
  });

  it('shows a property as the document that imports unchanged', async () => {
    const shown = await workplace.run(['property', 'show', 'hotel-ponte-venezia', '--json']);
    assert.equal(JSON.parse(shown.stdout).inventoryTypes.length, 3);
    const again = await workplace.json(['import', 'catalogue', '-'], { input: shown.stdout });
    assert.equal(again.unchanged, 1);
    const readable = await workplace.run(['property', 'show', 'hotel-ponte-venezia']);
    assert.deepEqual(JSON.parse(readable.stdout), JSON.parse(shown.stdout));
  });

  it('names what it rejects, goes on, and exits 0; with --strict it writes nothing and exits 1', async () => {
    writeFileSync(file, ['{"propertyId":"broken"}', changedName(lines[0]!), 'no json'].join('\n'));
    const strict = await workplace.run(['import', 'catalogue', file, '--strict', '--json']);
    assert.equal(strict.code, 1);
    assert.match(strict.stderr, /stayport: .*--strict/);
    const ended = await workplace.run(['import', 'catalogue', file, '--json']);
    assert.equal(ended.code, 0);
    const { read, changed, rejected } = JSON.parse(ended.stdout);
    assert.deepEqual({ read, changed, rejected }, { read: 3, changed: 1, rejected: 2 });
    assert.match(ended.stderr, /catalogue\.ndjson:1: name: /);
    assert.match(ended.stderr, /catalogue\.ndjson:3: /);
  });

  it('withdraws with --replace what the file does not name, of the same source only', async () => {
    writeFileSync(file, lines.slice(0, 2).join('\n'));
    assert.equal((await importCounts(file, '--replace', '--source', 'other')).withdrawn, 0);
    assert.equal((await importCounts(ITALY)).changed, 2, 'the source changes back');
    assert.equal((await importCounts(file, '--replace')).withdrawn, 4);
    assertFailure(await workplace.run(['property', 'show', 'casa-ballaro']), /casa-ballaro/);
  });

  it('keeps what was read of a file that ends badly, prints the summary, and exits 1', async () => {
    const zipped = gzipSync(lines.join('\n'));
    writeFileSync(`${file}.gz`, zipped.subarray(0, zipped.length - 20));
    const ended = await workplace.run(['import', 'catalogue', `${file}.gz`, '--replace', '--json']);
    assert.equal(ended.code, 1);
    assert.equal(JSON.parse(ended.stdout).withdrawn, 0);
    assert.match(ended.stderr, /catalogue\.ndjson\.gz/);
    const missing = await workplace.run(['import', 'catalogue', 'nothing.ndjson', '--json']);
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /^stayport: nothing\.ndjson .*\n$/);
  });

  it('withdraws a property once', async () => {
    const document = await workplace.json(['property', 'withdraw', 'hotel-ponte-venezia']);
    assert.equal(document.propertyId, 'hotel-ponte-venezia');
    assertFailure(
      await workplace.run(['property', 'withdraw', 'hotel-ponte-venezia']),
      /hotel-ponte-venezia/,
    );
  });

  async function importCounts(
    path: string,
    ...options: readonly string[]
  ): Promise<Omit<ImportSummary, 'seconds'>> {
    const { seconds: _, ...summary } = await workplace.json(['import', 'catalogue', path, ...options]);
    return summary;
  }
});

describe('import inside-airbnb', () => {
  const workplace = makeWorkplace();

  it('imports a city, moved to start on a day', async () => {
    const { seconds: _, ...summary } = await workplace.json([
      ...INSIDE_AIRBNB,
      '--start-on',
      '2030-01-01',
      '--id-prefix',
      'a-',
      '--city-alias',
      'Anvers',
    ]);
    const expected = {
      read: 150,
      created: 150,
      changed: 0,
      unchanged: 0,
      withdrawn: 0,
      rejected: 0,
      nights: 54_750,
    };
    assert.deepEqual(summary, expected);
  });

  it('names the option that is missing or wrong', async () => {
    assertUsage(await workplace.run(INSIDE_AIRBNB.slice(0, -2)), /--calendar/);
    const wrong = { country: 'XX', timezone: '+01:00', currency: 'EURO', 'start-on': '2030-02-30' };
    for (const [name, value] of Object.entries(wrong)) {
      assertUsage(await workplace.run([...INSIDE_AIRBNB, `--${name}`, value]), new RegExp(`--${name}`));
    }
    const missing = await workplace.run([...INSIDE_AIRBNB, '--calendar', 'nothing.csv']);
    assertFailure({ ...missing, stdout: '' }, /nothing\.csv/);
  });
});

describe('quote and handoff', () => {
  const workplace = makeWorkplace();
  const stay = ['--check-in', '2026-03-02', '--check-out', '2026-03-04', '--guests', '2'];

  it('explain says of each inventory type why it is eligible or not', async () => {
    await workplace.run(['import', 'catalogue', ITALY]);
    const explanation = await workplace.json([
      'quote',
      'explain',
      '--property',
      'hotel-ponte-venezia',
      ...stay,
    ]);
    assert.equal(explanation.inventoryTypes.length, 3);
    assert.equal(explanation.inventoryTypes[0].eligible, false);
    assert.equal(explanation.inventoryTypes[1].nights.length, 2);
    const readable = await workplace.run(['quote', 'explain', '--property', 'hotel-ponte-venezia', ...stay]);
    assert.match(readable.stdout, /single \(Singola\): not eligible/);
    assert.ok(!('taxPayers' in explanation) && !('children' in explanation.inventoryTypes[0]));
  });

  it('explain says who of a family counts as what', async () => {
    const bands = [
      { untilAge: 2, occupies: false },
      { untilAge: 12, rate: '15.00' },
    ];
    const tax = { code: 'city-tax', kind: 'city_tax', logic: 'per_person_per_night', amount: '3.50' };
    const ages = { exemptUntilAge: 9, ages: [{ untilAge: 15, amount: '1.75' }] };
    const family = {
      ageBands: bands,
      taxes: [{ ...tax, ...ages }],
      inventoryTypes: [double({ guestsMax: 4 })],
    };
    const file = join(workplace.directory, 'family.ndjson');
    writeFileSync(file, JSON.stringify(hotel('family', family)));
    await workplace.run(['import', 'catalogue', file]);
    const asked = ['quote', 'explain', '--property', 'family', ...stay, '--guests', '5'];
    const told = await workplace.json([...asked, '--child-ages', '12,1,16']);
    assert.deepEqual(told.stay.childAges, [1, 12, 16]);
    assert.deepEqual(told.inventoryTypes[0].children, [
      { age: 1, takesPlace: false, rate: '0.00' },
      { age: 12, takesPlace: true, rate: '15.00' },
      { age: 16, takesPlace: true, rate: null },
    ]);
    assert.deepEqual(
      told.taxPayers[0].payers.map(({ count, amount }: { count: number; amount: string }) => [count, amount]),
      [
        [2, '3.50'],
        [1, '3.50'],
        [1, '1.75'],
        [1, '0'],
      ],
    );
    const { stdout } = await workplace.run([...asked, '--child-ages', '12,1,16']);
    assert.match(stdout, /5 guests \(children of 1, 12, 16\)/);
    assert.match(stdout, /- child of 1: sleeps in a cot, pays 0\.00 a night/);
    assert.match(stdout, /- child of 12: takes a place, pays 15\.00 a night/);
    assert.match(stdout, /- child of 16: takes a place, pays as an adult/);
    assert.match(
      stdout,
      /city-tax: 2 adults at 3\.50, 1 child \(16\) at 3\.50, 1 child \(12\) at 1\.75, 1 child \(1\) free/,
    );
    for (const wrong of ['18', '-1', '1.5', 'four', '1,2,3,4,5', ''])
      assertUsage(await workplace.run([...asked, `--child-ages=${wrong}`]), /whole years from 0 to 17/);
  });

  it('fails in one line', async () => {
    assertFailure(await workplace.run(['quote', 'explain', '--property', 'nothing', ...stay]), /nothing/);
    assertFailure(await workplace.run(['quote', 'show', 'qt_nothing']), /qt_nothing/);
    const order = ['--check-in', '2026-03-04', '--check-out', '2026-03-04', '--guests', '2'];
    assertUsage(await workplace.run(['quote', 'explain', '--property', 'x', ...order]), /--check-out/);
    const long = ['--check-in', '2026-03-04', '--check-out', '2026-05-04', '--guests', '2'];
    assertUsage(await workplace.run(['quote', 'explain', '--property', 'x', ...long]), /60 nights/);
    assertUsage(
      await workplace.run(['quote', 'explain', '--property', 'x', ...stay, '--guests', '31']),
      /--guests/,
    );
  });

  it('print nothing that a terminal would obey, whatever a property is called', async () => {
    const [line] = readFileSync(ITALY, 'utf8').split('\n');
    const name = 'Casa \u001b]0;owned\u0007\u009b2J';
    const document = { ...JSON.parse(line!), propertyId: 'escapes', name };
    document.inventoryTypes[0].name = name;
    const input = JSON.stringify(document);
    await workplace.json(['import', 'catalogue', '-', '--source', 'escapes'], { input });
    for (const command of [
      ['property', 'show', 'escapes'],
      ['property', 'show', 'escapes', '--json'],
      ['quote', 'explain', '--property', 'escapes', ...stay],
    ]) {
      const { code, stdout } = await workplace.run(command);
      assert.equal(code, 0);
      assert.match(stdout, /Casa \\u001b]0;owned\\u0007\\u009b2J/);
      // oxlint-disable-next-line no-control-regex -- what must not be there
      assert.doesNotMatch(stdout, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    }
    assert.equal((await workplace.json(['property', 'show', 'escapes'])).name, name);
  });

  it('handoff rotate-key makes a key, and retire-key ends an older one', async () => {
    const first = await workplace.json(['handoff', 'rotate-key']);
    const { keyId } = await workplace.json(['handoff', 'rotate-key']);
    assert.match(keyId, /^hk_\w+$/);
    assertFailure(await workplace.run(['handoff', 'retire-key', keyId]), /rotate-key" first/);
    const retired = await workplace.json(['handoff', 'retire-key', first.keyId]);
    assert.deepEqual([retired.keyId, retired.state], [first.keyId, 'ended']);
    const keys = await workplace.json(['handoff', 'keys']);
    assert.deepEqual(
      keys.map((key: { keyId: string; state: string }) => [key.keyId, key.state]),
      [
        [first.keyId, 'ended'],
        [keyId, 'sealing'],
      ],
    );
  });

  it('leaves the keys alone that come from the settings', async () => {
    const env = { HANDOFF_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}` };
    for (const command of [['rotate-key'], ['retire-key', 'k1'], ['keys']])
      assertFailure(await workplace.run(['handoff', ...command], { env }), /HANDOFF_KEYS/);
  });

  it('handoff inspect fails in one line when the value is not issued here', async () => {
    for (const value of ['abc', '', 'https://shop.example/?handoff=abc']) {
      const ended = await workplace.run(['handoff', 'inspect', value, '--json']);
      assertFailure(ended, /not issued here/);
    }
  });
});

describe('migrate', () => {
  const workplace = makeWorkplace(Workplace);

  it('creates the schema, and the second time finds it', async () => {
    const { version } = await workplace.json(['migrate']);
    assert.ok(version >= 1);
    assert.deepEqual(await workplace.json(['migrate']), { version });
  });

  it('is asked for by nobody else in an empty database', async () => {
    const other = new Workplace();
    assert.deepEqual(await other.json(['partner', 'list']), []);
    await other.remove();
  });

  it('--contract has nothing to remove today, and refuses while a process of an older release serves', async () => {
    const { version } = await workplace.json(['migrate']);
    assert.deepEqual(await workplace.json(['migrate', '--contract']), { version, contracted: [] });
    const database = new DatabaseSync(workplace.databasePath);
    database
      .prepare(`INSERT INTO running_processes VALUES ('old', '0.9.0', 6, 'app-2', 12, 0, ?)`)
      .run(Date.now() - 5_000);
    assertFailure(
      await workplace.run(['migrate', '--contract']),
      /nothing was removed.*Stayport 0\.9\.0 on app-2, process 12, seen [5-9] s ago .*Stop them/,
    );
    database.exec('DELETE FROM running_processes');
    database.close();
  });

  it('leaves a newer schema alone, as every command does', async () => {
    const database = new DatabaseSync(workplace.databasePath);
    database
      .prepare(`INSERT INTO schema_version (version, name, applied_at_ms) VALUES (9999, 'later', 0)`)
      .run();
    database.close();
    for (const args of [['migrate'], ['partner', 'list'], ['serve']]) {
      assertFailure(await workplace.run(args), /9999/);
    }
  });
});

describe('Attribution', () => {
  const workplace = makeWorkplace();
  const TWO_DAYS = ['attribution', '--from', '2026-11-20', '--to', '2026-11-21'];

  it('has no rows where there are no quotes, and takes days in their order', async () => {
    assert.deepEqual(await workplace.json(TWO_DAYS), []);
    assert.match((await workplace.run(TWO_DAYS)).stdout, /no quotes in these days/);
    const csv = await workplace.run([...TWO_DAYS, '--csv']);
    assert.equal(csv.stdout.trim(), ATTRIBUTION_COLUMNS.join(','));
    assert.ok(csv.stdout.endsWith(`${ATTRIBUTION_COLUMNS.at(-1)}\r\n`));
    const turned = await workplace.run(['attribution', '--from', '2026-11-21', '--to', '2026-11-20']);
    assert.equal(turned.code, 2);
    assert.match(turned.stderr, /--to must not be before --from/);
  });

  it('prints CSV as a file: a line for each row, of this partner alone where one is named', async () => {
    const database = new DatabaseSync(workplace.databasePath);
    const insert = database.prepare(`INSERT INTO attribution_days VALUES (?, ?, 7, 5, 3, 2, 1, 1, 1)`);
    for (const partner of ['acme', 'beta']) insert.run(Date.UTC(2026, 10, 20) / 86_400_000, partner);
    database.close();
    const names =
      'day,partnerId,quotes,opened,continued,unchanged,priceChanged,unavailable,expired,converted,cancelled\r\n';
    const acme = '2026-11-20,acme,7,5,3,2,1,1,1,0,0\r\n';
    const beta = '2026-11-20,beta,7,5,3,2,1,1,1,0,0\r\n';
    assert.equal((await workplace.run([...TWO_DAYS, '--csv'])).stdout, names + acme + beta);
    const one = await workplace.run([...TWO_DAYS, '--csv', '--partner', 'beta']);
    assert.equal(one.stdout, names + beta);
    assert.equal((await workplace.json([...TWO_DAYS, '--partner', 'acme'])).length, 1);
  });
});

describe('Settings of a command', () => {
  const workplace = makeWorkplace(Workplace);

  it('that are wrong end it in one line that names them, without their secrets', async () => {
    assertFailure(
      await workplace.run(['partner', 'list'], { env: { PORT: 'http' } }),
      /PORT: "http".+PORT=8080/,
    );
    const secret = await workplace.run(['partner', 'list'], {
      env: { DATABASE_URL: 'mysql://u:hunter2@h/d' },
    });
    assertFailure(secret, /DATABASE_URL/);
    assert.doesNotMatch(secret.stderr, /hunter2/);
    // Nothing listens on port 1.
    const away = { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/d' };
    const unreachable = await workplace.run(['partner', 'list'], { env: away });
    assertFailure(unreachable, /database/);
    assert.doesNotMatch(unreachable.stderr, /hunter2/);
  });

  it('are read from .env, where the environment does not say otherwise, but not in production', async () => {
    writeFileSync(join(workplace.directory, '.env'), 'PARTNER_QUOTA=wrong\n');
    assertFailure(await workplace.run(['partner', 'list']), /PARTNER_QUOTA/);
    for (const env of [{ PARTNER_QUOTA: '5' }, { NODE_ENV: 'production' }]) {
      assert.equal((await workplace.run(['partner', 'list'], { env })).code, 0);
    }
  });

  it('are not read from a .env that others may write, and the warning names the chmod', async (test) => {
    if (process.platform === 'win32') return test.skip('Windows has no such mode');
    const path = join(workplace.directory, '.env');
    writeFileSync(path, 'PARTNER_QUOTA=wrong\n');
    for (const mode of [0o664, 0o646, 0o622]) {
      chmodSync(path, mode);
      const ended = await workplace.run(['partner', 'list']);
      assert.equal(ended.code, 0, ended.stderr);
      assert.match(ended.stderr, /\.env is not read/);
      assert.ok(ended.stderr.includes(`run "chmod go-w ${path}"`), ended.stderr);
      assert.equal(ended.stderr.trimEnd().split('\n').length, 1);
    }
    chmodSync(path, 0o644);
    assertFailure(await workplace.run(['partner', 'list']), /PARTNER_QUOTA/);
  });

  it('that name a database which cannot be opened end it in one line', async () => {
    const env = {
      NODE_ENV: 'production',
      DATABASE_URL: `sqlite:${join(workplace.directory, '.env', 'x.db')}`,
    };
    assertFailure(await workplace.run(['partner', 'list'], { env }), /database/);
    writeFileSync(
      join(workplace.directory, 'text.db'),
      'this is not a database, only some text that stands here\n'.repeat(50),
    );
    assertFailure(
      await workplace.run(['partner', 'list'], { env: { ...env, DATABASE_URL: 'sqlite:text.db' } }),
      /database/,
    );
  });
});

describe('Help', () => {
  const workplace = makeWorkplace();
  const commands = [
    ['serve'],
    ['demo'],
    ['migrate'],
    ['partner', 'create'],
    ['partner', 'update'],
    ['partner', 'list'],
    ['credential', 'issue'],
    ['credential', 'list'],
    ['credential', 'revoke'],
    ['credential', 'rotate'],
    ['import', 'catalogue'],
    ['import', 'inside-airbnb'],
    ['property', 'show'],
    ['property', 'withdraw'],
    ['quote', 'show'],
    ['quote', 'explain'],
    ['handoff', 'inspect'],
    ['handoff', 'rotate-key'],
    ['handoff', 'keys'],
    ['handoff', 'retire-key'],
    ['operator-token', 'issue'],
    ['operator-token', 'list'],
    ['operator-token', 'revoke'],
  ];

  it('of each command shows its options and an example of itself', async () => {
    for (const command of commands) {
      const { code, stdout, stderr } = await workplace.run([...command, '--help']);
      assert.equal(code, 0);
      assert.equal(stderr, '');
      assert.match(stdout, new RegExp(`Example:\n  stayport ${command.join(' ')}\\b`));
      assert.match(stdout, /--json/);
    }
  });

  it('lists the commands; no command and an unknown one are bad usage', async () => {
    const help = await workplace.run(['--help']);
    assert.equal(help.code, 0);
    for (const [name] of commands) assert.match(help.stdout, new RegExp(`^  ${name}\\b`, 'm'));
    assert.equal((await workplace.run([])).code, 2);
    assert.equal((await workplace.run(['partner'])).code, 2);
    assertUsage(await workplace.run(['partners']), /partners/);
    assertUsage(await workplace.run(['partner', 'list', '--jsn']), /--jsn/);
    assertUsage(await workplace.run(['property', 'show']), /id/);
    assertUsage(await workplace.run(['property', 'show', 'a', 'b']), /argument/);
  });

  it('is joined by --version, which prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'));
    assert.equal((await workplace.run(['--version'])).stdout, `${version}\n`);
  });
});

function makeWorkplace(kind: typeof Workplace = WorkplaceHere): Workplace {
  const workplace = new kind();
  after(async () => workplace.remove());
  return workplace;
}

function assertFailure(ended: Ended, line: RegExp): void {
  assertOneLine(ended, line);
  assert.equal(ended.code, 1);
}

function assertUsage(ended: Ended, line: RegExp): void {
  assertOneLine(ended, line);
  assert.equal(ended.code, 2);
}

function assertOneLine({ stdout, stderr }: Ended, line: RegExp): void {
  assert.equal(stdout, '');
  assert.match(stderr, /^stayport: [^\n]+\n$/);
  assert.match(stderr, line);
}

function changedName(document: string): string {
  return JSON.stringify({ ...JSON.parse(document), name: 'Another name' });
}
