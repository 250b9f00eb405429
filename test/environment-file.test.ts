/** Settings from a file, for the service and for each command; and the database that a command would make by mistake. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type Environment, startServer } from './kit/command-line.ts';
import { WorkplaceHere } from './kit/commands-here.ts';

const IS_WINDOWS = process.platform === 'win32';
const TEMPLATE = 'https://book.example/?p={propertyId}&in={checkIn}';

/** `settings` stands in for the environment; an empty variable counts as not set. */
function makeWorkplace(settings: Environment = {}): WorkplaceHere {
  const workplace = new WorkplaceHere({ DATABASE_URL: '', WEB_PORT: '', HANDOFF_BASE_URL: '', ...settings });
  after(async () => workplace.remove());
  return workplace;
}

function writeSettings(workplace: WorkplaceHere, ...more: readonly string[]): string {
  const path = join(workplace.directory, 'stayport.env');
  const lines = [`DATABASE_URL=sqlite:${workplace.databasePath}`, 'WEB_PORT=off', ...more];
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o640 });
  return path;
}

describe('--env-file and STAYPORT_ENV_FILE', () => {
  it('give every command the same values, whole, in production too', async () => {
    const workplace = makeWorkplace({ NODE_ENV: 'production' });
    const path = writeSettings(workplace, `BOOKING_URL_TEMPLATE=${TEMPLATE}`, 'WEB_NAME=Casa Verde');
    const byOption = ['--env-file', path];
    assert.equal((await workplace.run([...byOption, 'migrate'])).code, 0);
    const byVariable = makeWorkplace({ NODE_ENV: 'production', STAYPORT_ENV_FILE: path });
    for (const [place, before] of [
      [workplace, byOption],
      [byVariable, []],
    ] as const) {
      const rows = (await place.json([...before, 'settings', 'list'])) as { name: string; value: unknown }[];
      const valueOf = (name: string) => rows.find((row) => row.name === name)?.value;
      assert.deepEqual([valueOf('BOOKING_URL_TEMPLATE'), valueOf('WEB_NAME')], [TEMPLATE, 'Casa Verde']);
      assert.deepEqual(await place.json([...before, 'partner', 'list']), []);
    }
    assert.ok(existsSync(workplace.databasePath));
    assert.ok(!existsSync(join(byVariable.directory, 'data')));
  });

  it('give them to the service, and to each of its threads', async () => {
    const workplace = makeWorkplace();
    const path = writeSettings(workplace, 'WEB_NAME=Casa Verde', 'PUBLIC_URL=https://partners.example');
    const server = await startServer(workplace, { STAYPORT_ENV_FILE: path, PUBLIC_URL: '', WORKERS: '2' });
    const document = (await (await fetch(`${server.partnerUrl}/openapi.json`)).json()) as {
      servers: { url: string }[];
    };
    assert.equal(document.servers[0]!.url, 'https://partners.example');
    assert.ok(existsSync(workplace.databasePath));
  });

  it('are refused where the file is missing, wrong, or may be written by others', async () => {
    const workplace = makeWorkplace();
    const refused = async (path: string, expected: RegExp) => {
      const ended = await workplace.run(['--env-file', path, 'partner', 'list'], {
        env: { DATABASE_URL: '' },
      });
      assert.deepEqual([ended.code, ended.stdout], [1, '']);
      assert.match(ended.stderr, expected);
      assert.equal(ended.stderr.trimEnd().split('\n').length, 1);
    };
    await refused(
      join(workplace.directory, 'no.env'),
      /^stayport: --env-file: \S+no\.env does not exist: name a file/,
    );
    await refused(workplace.directory, /^stayport: --env-file: \S+ can't be read \(EISDIR\)/);
    const path = writeSettings(workplace, 'a line');
    await refused(
      path,
      /^stayport: --env-file: \S+stayport\.env: line 3 is not NAME=value: write NAME=value/,
    );
    if (!IS_WINDOWS) {
      chmodSync(path, 0o660);
      await refused(
        path,
        /other users may write it: check its content, then run "chmod go-w \S+stayport\.env"/,
      );
    }
    assert.deepEqual(readdirSync(workplace.directory), ['stayport.env']);
  });

  it('lose to the environment, and doctor names what is shadowed', async () => {
    const workplace = makeWorkplace({ WEB_NAME: 'Villa Rossa' });
    const path = writeSettings(workplace, 'WEB_NAME=Casa Verde', 'PORT=8080');
    const rows = JSON.parse((await workplace.run(['--env-file', path, 'doctor', '--json'])).stdout);
    const row = rows.find(({ check }: { check: string }) => check === 'environment file');
    assert.equal(row.status, 'warn');
    assert.match(row.detail, /sets WEB_NAME to other values than \S+stayport\.env$/);
  });
});

describe('A command on a database without a schema', () => {
  for (const [origin, place, args] of [
    ['default', () => makeWorkplace(), []],
    ['environment', () => makeWorkplace({ DATABASE_URL: 'sqlite:other.db' }), []],
  ] as const)
    for (const command of [
      ['partner', 'list'],
      ['partner', 'create', '--name', 'A'],
      ['credential', 'revoke', 'cred_x'],
      ['demand', '--unmet'],
      ['export', 'catalogue'],
      ['close', '--property', 'a', '--from', '2026-12-01', '--to', '2026-12-02', '--dry-run'],
      ['settings', 'list'],
      ['ical', 'list'],
      ['quote', 'show', 'qt_x'],
    ])
      it(`refuses ${command.join(' ')}, says that the name is of the ${origin}, and makes no file`, async () => {
        const workplace = place();
        // The kit would migrate first; a database named here is left to the test.
        const env = { DATABASE_URL: workplace.environment['DATABASE_URL']! };
        const ended = await workplace.run([...args, ...command], { env });
        assert.deepEqual([ended.code, ended.stdout], [1, '']);
        const where =
          origin === 'default'
            ? /data\/stayport\.db \(the default, as DATABASE_URL is not set\)/
            : /other\.db \(DATABASE_URL of the environment\)/;
        assert.match(ended.stderr, where);
        assert.match(ended.stderr, /run "stayport migrate"/);
        assert.deepEqual(readdirSync(workplace.directory), []);
      });

  it('is told which file names it', async () => {
    const workplace = makeWorkplace();
    const path = writeSettings(workplace);
    const ended = await workplace.run(['--env-file', path, 'partner', 'list'], { env: { DATABASE_URL: '' } });
    assert.equal(ended.code, 1);
    assert.ok(ended.stderr.includes(`(DATABASE_URL of ${path})`), ended.stderr);
    assert.ok(!existsSync(workplace.databasePath));
  });

  it('has its schema from migrate and imports', async () => {
    for (const command of [['migrate'], ['import', 'catalogue', '-']]) {
      const workplace = makeWorkplace({ DATABASE_URL: 'sqlite:x.db' });
      assert.equal((await workplace.run(command, { env: { DATABASE_URL: 'sqlite:x.db' } })).code, 0);
      assert.deepEqual(await workplace.json(['partner', 'list']), []);
    }
  });
});
