import assert from 'node:assert/strict';
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { makeTestCertificates } from '../../../../test/kit/test-certificates.ts';
import { StorageUnavailable } from '../../storage.ts';
import { NOW_MS } from '../../../../test/suites/storage/fixture.ts';
import { describeOwnPostgres, openPostgres } from '../../../../test/suites/storage/postgres-fixture.ts';

describeOwnPostgres('PostgreSQL over TLS', (server) => {
  const folder = mkdtempSync(join(tmpdir(), 'stayport-tls-'));
  const authority = join(folder, 'authority.pem');
  const otherAuthority = join(folder, 'other.pem');
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** How the server says the connection is made; rejects when there is none. */
  async function connect(host: string, query: string): Promise<string> {
    const url = (await server().createDatabase()).replace('127.0.0.1', host) + query;
    const storage = await openPostgres(url, () => NOW_MS);
    try {
      const { rows } = await server().query(`
        SELECT coalesce(max(s.version), 'none') AS version
        FROM pg_stat_ssl s JOIN pg_stat_activity a ON a.pid = s.pid
        WHERE a.application_name LIKE 'stayport/%' AND s.ssl`);
      return String(rows[0]?.version);
    } finally {
      await storage.close();
    }
  }

  it('is refused by a server without it', async () => {
    await assert.rejects(connect('127.0.0.1', '?sslmode=require'), StorageUnavailable);
    assert.equal(await connect('127.0.0.1', '?sslmode=disable'), 'none');
  });

  it('a PostgreSQL server starts with a certificate', async () => {
    const { authority: pem, certificate, key } = makeTestCertificates();
    writeFileSync(authority, pem);
    writeFileSync(otherAuthority, makeTestCertificates().authority);
    const { uid, gid } = statSync(server().data);
    for (const [name, text] of [
      ['server.crt', certificate],
      ['server.key', key],
    ] as const) {
      const path = join(server().data, name);
      writeFileSync(path, text, { mode: 0o600 });
      chownSync(path, uid, gid);
    }
    await server().query('ALTER SYSTEM SET ssl = on');
    await server().stop();
    await server().start();
    assert.equal(await connect('127.0.0.1', ''), 'none', 'no encryption unless asked for');
  });

  for (const [host, query, outcome] of [
    ['127.0.0.1', '?sslmode=require', 'encrypted'],
    ['127.0.0.1', '?sslmode=require&sslrootcert=AUTHORITY', 'encrypted'],
    ['127.0.0.1', '?sslmode=require&sslrootcert=OTHER', 'refused'],
    ['127.0.0.1', '?sslmode=verify-ca&sslrootcert=AUTHORITY', 'encrypted'],
    ['127.0.0.1', '?sslmode=verify-ca&sslrootcert=OTHER', 'refused'],
    ['localhost', '?sslmode=verify-full&sslrootcert=AUTHORITY', 'encrypted'],
    ['127.0.0.1', '?sslmode=verify-full&sslrootcert=AUTHORITY', 'refused'],
    ['localhost', '?sslmode=verify-full&sslrootcert=OTHER', 'refused'],
    ['localhost', '?sslmode=verify-full', 'refused'],
  ] as const) {
    it(`with ${query} to ${host} is ${outcome}`, async () => {
      const path = query.replace('AUTHORITY', authority).replace('OTHER', otherAuthority);
      if (outcome === 'refused') await assert.rejects(connect(host, path), StorageUnavailable);
      else assert.match(await connect(host, path), /^TLSv1\.[23]$/);
    });
  }
});
