/**
 * `stayport database copy`, and other commands on PostgreSQL, as child processes where they serve.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { describePostgres } from './suites/storage/postgres-fixture.ts';
import { SAMPLE, startServer, Workplace } from './kit/command-line.ts';
import { WorkplaceHere } from './kit/commands-here.ts';

const ITALY = join(SAMPLE, 'italy.ndjson');

describePostgres('The command line on PostgreSQL', (server) => {
  const workplace = new WorkplaceHere();
  after(() => workplace.remove());
  const sqliteUrl = `sqlite:${workplace.databasePath}`;

  it('imports, serves and stops as on SQLite', async () => {
    const DATABASE_URL = await server().createDatabase();
    const onPostgres = new Workplace({ DATABASE_URL });
    try {
      const imported = await onPostgres.json(['import', 'catalogue', ITALY]);
      assert.ok(imported.created > 0);
      const again = await onPostgres.json(['import', 'catalogue', ITALY, '--replace']);
      assert.equal(again.unchanged, imported.created);
      await onPostgres.json(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
      const { token } = await onPostgres.json(['credential', 'issue', '--partner', 'acme']);
      const running = await startServer(onPostgres);
      const response = await fetch(`${running.partnerUrl}/v1/properties?city=Venezia`, {
        headers: { authorization: `Bearer ${token}` },
      });
      assert.equal(response.status, 200);
      assert.equal(((await response.json()) as { items: unknown[] }).items.length, 1);
      running.child.kill('SIGTERM');
      assert.equal((await running.ended).code, 0);
    } finally {
      await onPostgres.remove();
    }
  });

  it('copies a database, says what it has copied, and refuses to do it twice', async () => {
    const imported = await workplace.json(['import', 'catalogue', ITALY]);
    await workplace.json(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
    const postgresUrl = await server().createDatabase();
    const copyArgs = ['database', 'copy', '--from', sqliteUrl, '--to', postgresUrl];
    const { tables, hasSourceMoved } = await workplace.json(copyArgs);
    const rowCounts = Object.fromEntries(
      tables.map(({ name, rowCount }: { name: string; rowCount: number }) => [name, rowCount]),
    );
    assert.equal(rowCounts['properties'], imported.created);
    assert.equal(rowCounts['partners'], 1);
    assert.equal(hasSourceMoved, false);

    const again = await workplace.run(copyArgs);
    assert.equal(again.code, 1);
    assert.equal(
      again.stderr,
      'stayport: the target is not empty: it has rows in properties; nothing was copied\n',
    );
    const { stdout } = await workplace.run(['partner', 'list', '--json'], {
      env: { DATABASE_URL: postgresUrl },
    });
    assert.equal(JSON.parse(stdout)[0].partnerId, 'acme');
  });

  it('says which of the two databases it can not use, and never a password', async () => {
    const free = server().port;
    for (const [from, to, message] of [
      [sqliteUrl, 'mysql://u:secret@h/d', '--to: neither sqlite:PATH nor postgres:'],
      [sqliteUrl, `postgres://u:secret@127.0.0.1:${free}/none`, '--to: the server refuses the user'],
      [
        sqliteUrl,
        'postgres://u:secret@127.0.0.1:1/none',
        '--to: no connection to the database: ECONNREFUSED',
      ],
      ['sqlite:missing.db', sqliteUrl, '--from: the database cannot be opened'],
      [sqliteUrl, sqliteUrl, '--from and --to are the same database'],
    ] as const) {
      const { code, stdout, stderr } = await workplace.run(['database', 'copy', '--from', from, '--to', to]);
      assert.ok(stderr.startsWith(`stayport: ${message}`), stderr);
      assert.ok(!stderr.includes('secret'));
      assert.equal(code, 1);
      assert.equal(stdout, '');
    }
    assert.equal((await workplace.run(['database', 'copy', '--from', sqliteUrl])).code, 2);
  });
});
