/** `console` and `audit` on the command line, and that every command which changes something is in the trail. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { AuditRow } from '../src/access/audit-trail.ts';
import type { SessionView } from '../src/access/console-sessions.ts';
import { WRONG_ATTEMPTS_MAX } from '../src/console/http/sessions.ts';
import { NEW_PARTNER } from '../src/storage/access/store.ts';
import { hotel } from './kit/catalogue-lines.ts';
import { type RunningServer, startServer, until } from './kit/command-line.ts';
import { WorkplaceHere } from './kit/commands-here.ts';
import { ConsoleClient } from './kit/console-client.ts';
import { closeConnections } from './kit/http-exchange.ts';

const workplace = new WorkplaceHere();
let server: RunningServer;
before(async () => {
  server = await startServer(workplace);
});
after(async () => {
  closeConnections();
  await workplace.remove();
});

async function command<T>(...args: readonly string[]): Promise<T> {
  const { code, stdout, stderr } = await workplace.run([...args, '--json']);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as T;
}

async function lastAct(): Promise<AuditRow> {
  return (await command<readonly AuditRow[]>('audit'))[0]!;
}

/** Presses the button of the link, on the server that runs. */
async function openLink(url: string, operatorUrl = server.operatorUrl): Promise<ConsoleClient> {
  const client = new ConsoleClient(operatorUrl);
  const link = new URL(url).searchParams.get('link')!;
  const answer = await client.post('/console/sign-in', { link });
  assert.equal(answer.status, 303, answer.text);
  client.cookie = answer.headers['set-cookie']![0]!.split(';')[0];
  return client;
}

describe('The first start', () => {
  const PORTS = { PORT: '0', OPERATOR_PORT: '0' };

  /** Everything that it printed until it listened and was stopped. */
  async function start(place: WorkplaceHere, ...options: readonly string[]) {
    const { child, printed, ended } = place.start(['serve', ...options], { env: PORTS });
    await until(async () => printed.stderr.includes('catalogue is in memory'));
    child.kill('SIGTERM');
    return await ended;
  }

  it('prints a link for an administrator until somebody has signed in, and none with --no-link', async () => {
    const place = new WorkplaceHere();
    try {
      const silent = await start(place, '--no-link');
      assert.ok(!`${silent.stdout}${silent.stderr}`.includes('?link='), silent.stderr);
      const shown = await start(place);
      assert.match(shown.stderr, /^http:\/\/localhost:\d+\/console\/sign-in\?link=[\w-]{43}$/m);
      assert.ok(shown.stderr.split('\n').every((line) => !line.startsWith('{') || !line.includes('link=')));
      const running = await startServer(place);
      const { consoleUrl } = JSON.parse(running.printed.stdout.split('\n')[0]!) as { consoleUrl: string };
      const client = await openLink(consoleUrl, running.operatorUrl);
      assert.match((await client.get('/console')).text, /<bdi>administrator<\/bdi> \(admin\)/);
      await client.act('/console/sign-out');
      running.child.kill('SIGTERM');
      await running.ended;
      const later = await start(place, '--json');
      assert.deepEqual(Object.keys(JSON.parse(later.stdout) as object), ['partnerUrl', 'operatorUrl']);
    } finally {
      await place.remove();
    }
  });
});

describe('The commands of the console', () => {
  it('make a link that signs in, list the session, and end it', async () => {
    const { url, expiresAt } = await command<{ url: string; expiresAt: string }>(
      'console',
      'link',
      '--name',
      'Ada',
    );
    assert.match(url, /^http:\/\/localhost:\d+\/console\/sign-in\?link=[\w-]{43}$/);
    assert.ok(Date.parse(expiresAt) <= Date.now() + 60_000);
    const client = await openLink(url);
    const [session, ...others] = await command<readonly SessionView[]>('console', 'sessions');
    assert.deepEqual([session!.name, session!.role, others], ['Ada', 'viewer', []]);
    assert.deepEqual(Object.keys(session!), ['sessionId', 'name', 'role', 'createdAt', 'lastSeenAt']);
    assert.equal((await client.get('/console')).status, 200);
    await command('console', 'end', session!.sessionId);
    assert.equal((await client.get('/console')).status, 303);
    assert.deepEqual(await command('console', 'sessions'), []);
    const acts = await command<readonly AuditRow[]>('audit');
    assert.deepEqual(
      acts.slice(0, 3).map(({ person, act }) => [person, act]),
      [
        ['command line', 'console end'],
        ['Ada', 'sign-in'],
        ['command line', 'console link'],
      ],
    );
    assert.deepEqual(Object.keys(acts[0]!), ['at', 'person', 'role', 'act', 'on', 'from', 'to']);
  });

  it('end every session', async () => {
    const links = [];
    for (const role of ['viewer', 'admin'])
      links.push(
        await command<{ url: string }>('console', 'link', '--name', 'A', '--role', role, '--ttl', '5m'),
      );
    const clients = await Promise.all(links.map(({ url }) => openLink(url)));
    assert.equal((await command<readonly unknown[]>('console', 'end', '--all')).length, 2);
    for (const client of clients) assert.equal((await client.get('/console')).status, 303);
  });

  it('refuse what they can not do', async () => {
    for (const [args, code] of [
      [['link'], 2],
      [['link', '--name', 'A', '--role', 'owner'], 2],
      [['link', '--name', 'A', '--ttl', '2h'], 1],
      [['link', '--name', 'A', '--ttl', '0s'], 1],
      [['end'], 2],
      [['end', 'cs_1', '--all'], 2],
      [['end', 'cs_1'], 1],
    ] as const)
      assert.equal((await workplace.run(['console', ...args])).code, code, args.join(' '));
  });
});

describe('Guesses at links and sessions', () => {
  it('are refused after twenty in a minute, with one line in the log that names where they come from', async () => {
    const client = new ConsoleClient(server.operatorUrl, `stayport=${'x'.repeat(43)}`);
    const statuses = [];
    for (let count = 0; count < WRONG_ATTEMPTS_MAX + 5; count++)
      statuses.push((await client.get('/console')).status);
    assert.deepEqual(statuses.slice(WRONG_ATTEMPTS_MAX), [429, 429, 429, 429, 429]);
    const lines = server.printed.stderr
      .split('\n')
      .filter((line) => line.includes('wrong links, passkeys or sessions'));
    assert.equal(lines.length, 1);
    assert.equal((JSON.parse(lines[0]!) as { readonly source: string }).source, '127.0.0.1');
    assert.ok(!server.printed.stderr.includes('x'.repeat(43)));
  });
});

describe('The audit trail of commands', () => {
  it('the audit trail says what each command changed, from what, to what', async () => {
    await command('partner', 'create', '--name', 'Acme', '--partner-id', 'acme');
    const created = await lastAct();
    assert.deepEqual(
      [created.person, created.role, created.act, created.on],
      ['command line', null, 'partner create', 'acme'],
    );
    assert.equal(created.from, null);
    assert.deepEqual(created.to, { name: 'Acme', ...NEW_PARTNER });

    await command('partner', 'update', 'acme', '--disable');
    const { from, to } = await lastAct();
    assert.deepEqual([from, to], [{ disabled: false }, { disabled: true }]);
    await command('partner', 'update', 'acme', '--disable');
    assert.deepEqual((await lastAct()).from, { disabled: false }, 'what changes nothing is not recorded');

    const token = await command<{ operatorTokenId: string; token: string }>(
      'operator-token',
      'issue',
      '--name',
      'pms',
    );
    assert.equal((await lastAct()).on, token.operatorTokenId);
    await command('operator-token', 'revoke', token.operatorTokenId);
    assert.deepEqual(
      [(await lastAct()).act, (await lastAct()).from],
      ['operator-token revoke', { revokedAt: null }],
    );
    const { stdout } = await workplace.run(['audit', '--json']);
    assert.ok(!stdout.includes(token.token));
  });

  it('has acts of many transactions, and what came of them', async () => {
    const file = join(workplace.directory, 'one.ndjson');
    writeFileSync(file, JSON.stringify(hotel('ponte')));
    await command('import', 'catalogue', file, '--dry-run');
    assert.notEqual((await lastAct()).act, 'import catalogue');
    await command('import', 'catalogue', file);
    const { act, on, from, to } = await lastAct();
    assert.deepEqual([act, on, from, to], ['import catalogue', file, null, 'done']);
    assert.equal(
      (await workplace.run(['close', '--property', 'nobody', '--from', '2027-01-01', '--to', '2027-01-02']))
        .code,
      1,
    );
    const { act: refused, to: why } = await lastAct();
    assert.deepEqual([refused, why], ['close', { refused: 'there is no property "nobody"' }]);
    assert.equal((await workplace.run(['source', 'retire', 'nobody'])).code, 1);
    const told = 'the source "nobody" has sent nothing for any property; "source list" shows all sources';
    assert.deepEqual((await lastAct()).to, { refused: told });
  });

  it('is printed for people too, of the time that they ask for', async () => {
    const { code, stdout } = await workplace.run(['audit', '--since', '1h']);
    assert.equal(code, 0);
    assert.match(stdout, /^at +person +role +act +on +from +to\n/);
    assert.equal((await workplace.run(['audit', '--since', 'yesterday'])).code, 2);
  });
});
