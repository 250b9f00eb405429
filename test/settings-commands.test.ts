/** `settings list`, `set` and `unset`, beside a service of several threads that goes on running. */
import assert from 'node:assert/strict';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { canSharePorts } from '../src/app/workers/claimed-ports.ts';
import { SETTING_ROWS, SITE_ROWS } from '../src/app/settings/settings-table.ts';
import { daysAhead, hotelWith, nights } from './kit/catalogue-lines.ts';
import { type RunningServer, startServer, until } from './kit/command-line.ts';
import { WorkplaceHere } from './kit/commands-here.ts';
import { PartnerClient, quoteBody } from './kit/partner-client.ts';

const [FROM, TO] = [daysAhead(10), daysAhead(20)];
const OPEN = nights(FROM, TO, { availability: 900, rate: '120.00' });
/** Connections are spread over threads by chance: all of them miss one once in 30,000 times. */
const ASKED = 16;

const HAS_THREADS = await canSharePorts();

interface Row {
  readonly name: string;
  readonly value: string | null;
  readonly default: string | null;
  readonly from: string;
  readonly editable: boolean;
}

describe('The commands for settings', () => {
  const workplace = new WorkplaceHere({ HANDOFF_BASE_URL: '', WEB_NAME: 'Of the environment' });
  const list = async (): Promise<Row[]> => (await workplace.json(['settings', 'list'])) as Row[];
  const rowOf = async (name: string) => (await list()).find((row) => row.name === name);
  const refused = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await workplace.run(['settings', ...args]);
    assert.deepEqual([code, stdout], [stderr.includes('NAME=VALUE') ? 2 : 1, ''], stderr);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
    return stderr;
  };

  before(() =>
    workplace.json(['import', 'catalogue', '-'], { input: JSON.stringify(hotelWith('ponte', [OPEN])) }),
  );
  after(() => workplace.remove());

  it('list every setting with its value, default, origin, and whether it may be changed', async () => {
    const rows = await list();
    assert.deepEqual(
      rows.map(({ name }) => name),
      SETTING_ROWS.map(([, { name }]) => name),
    );
    for (const row of rows)
      assert.deepEqual(Object.keys(row), ['name', 'value', 'default', 'from', 'editable']);
    const editable = rows.filter((row) => row.editable).map(({ name }) => name);
    const ofSite = SITE_ROWS.map(([, { name }]) => name).filter((name) => name !== 'WEB_NAME');
    assert.deepEqual(editable, ofSite);
    assert.deepEqual(await rowOf('WEB_NAME'), {
      name: 'WEB_NAME',
      value: 'Of the environment',
      default: 'Stayport',
      from: 'environment',
      editable: false,
    });
  });

  it('set and unset one, as a start would read it, and record it', async () => {
    const set = await workplace.json(['settings', 'set', 'QUOTE_TTL_SECONDS=600']);
    const row = { name: 'QUOTE_TTL_SECONDS', value: '600', default: '1800', from: 'site', editable: true };
    assert.deepEqual(set, row);
    assert.deepEqual(await rowOf('QUOTE_TTL_SECONDS'), row);
    const unset = await workplace.json(['settings', 'unset', 'QUOTE_TTL_SECONDS']);
    assert.deepEqual(unset, { ...row, value: '1800', from: 'default' });
    const [last, first] = (await workplace.json(['audit'])) as Record<string, unknown>[];
    assert.deepEqual(
      [first!['act'], first!['person'], first!['on'], first!['from'], first!['to']],
      ['settings set', 'command line', 'QUOTE_TTL_SECONDS', { value: null }, { value: '600' }],
    );
    assert.deepEqual(
      [last!['act'], last!['from'], last!['to']],
      ['settings unset', { value: '600' }, { value: null }],
    );
  });

  it('refuse in one line what a start refuses, and what is not a setting of the site', async () => {
    assert.match(
      await refused('set', 'WEB_ACCENT=red'),
      /WEB_ACCENT: "red" is not a colour like #rrggbb; for example WEB_ACCENT=#1d5c57/,
    );
    assert.match(
      await refused('set', 'WEB_ACCENT='),
      /WEB_ACCENT: its value is empty; "settings unset WEB_ACCENT"/,
    );
    assert.match(
      await refused('set', 'PORT=1'),
      /PORT: is not a setting of the site: set it in the environment/,
    );
    assert.match(await refused('unset', 'DATABASE_URL'), /DATABASE_URL: is not a setting of the site/);
    assert.match(
      await refused('set', 'WEB_NAMES=x'),
      /WEB_NAMES: is not a setting; those of the site are HANDOFF/,
    );
    assert.match(await refused('set', 'WEB_NAME=x'), /WEB_NAME: is set in the environment, which wins/);
    assert.match(await refused('set', 'WEB_NAME'), /write the setting as NAME=VALUE/);
    assert.match(await refused('set', 'WEB_LOGO=none.svg'), /WEB_LOGO: none\.svg can't be read \(ENOENT\)/);
  });

  it('keep the bytes of a logo, and print what they are', async () => {
    writeFileSync(join(workplace.directory, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    const { value } = (await workplace.json(['settings', 'set', 'WEB_LOGO=logo.svg'])) as Row;
    assert.match(value!, /^image\/svg\+xml, 41 bytes, sha256 [0-9a-f]{12}$/);
  });

  it('count for other commands: an import knows the booking sites', async () => {
    const input = JSON.stringify({
      ...hotelWith('own', [OPEN]),
      bookingUrl: 'https://own.example/{propertyId}',
    });
    const rejectedOf = async () =>
      ((await workplace.json(['import', 'catalogue', '-'], { input })) as { rejected: number }).rejected;
    assert.equal(await rejectedOf(), 1);
    await workplace.json(['settings', 'set', 'BOOKING_ORIGINS=https://own.example']);
    assert.equal(await rejectedOf(), 0);
  });

  describe('beside a running service', { skip: !HAS_THREADS }, () => {
    let server: RunningServer;
    let token: string;
    const start = async () => startServer(workplace, { WORKERS: '2', INGRESS_LIMIT: '0' });
    const secondsOfAll = async () => {
      const asked = Array.from({ length: ASKED }, async () => {
        const quote = (await new PartnerClient(server.partnerUrl, token).quote(quoteBody('ponte', FROM, TO)))
          .success;
        return Math.round((Date.parse(quote.expiresAt) - Date.now()) / 1_000);
      });
      return Promise.all(asked);
    };
    const isForAll = async (seconds: number) =>
      (await secondsOfAll()).every((own) => Math.abs(own - seconds) <= 5);

    before(async () => {
      await workplace.json(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
      const issued = await workplace.json(['credential', 'issue', '--partner', 'acme', '--quota', '1000000']);
      ({ token } = issued as { token: string });
      server = await start();
    });

    it('are in force in every thread within a second, without a restart', async () => {
      await workplace.json(['settings', 'set', 'QUOTE_TTL_SECONDS=700']);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      assert.ok(await isForAll(700));
      await workplace.json(['settings', 'unset', 'QUOTE_TTL_SECONDS']);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      assert.ok(await isForAll(1_800));
    });

    it('are those of the backup after a restore', async () => {
      await workplace.json(['settings', 'set', 'QUOTE_TTL_SECONDS=700']);
      const backup = join(workplace.directory, 'backup.db');
      const database = new DatabaseSync(workplace.databasePath);
      database.exec(`VACUUM INTO '${backup}'`);
      database.close();
      await workplace.json(['settings', 'set', 'QUOTE_TTL_SECONDS=900']);
      await until(() => isForAll(900));
      server.child.kill('SIGTERM');
      await server.ended;
      for (const end of ['-wal', '-shm']) rmSync(`${workplace.databasePath}${end}`, { force: true });
      copyFileSync(backup, workplace.databasePath);
      server = await start();
      assert.ok(await isForAll(700));
      assert.equal((await rowOf('QUOTE_TTL_SECONDS'))!.value, '700');
    });
  });
});
