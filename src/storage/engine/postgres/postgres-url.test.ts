import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePostgresUrl } from './postgres-url.ts';

describe('A PostgreSQL URL', () => {
  it('names server, database and login', () => {
    const targets = {
      'postgres://u:p%40ss@db.example/stay': {
        host: 'db.example',
        port: 5432,
        database: 'stay',
        user: 'u',
        password: 'p@ss',
        ssl: false,
      },
      'postgresql://db:6432/stay?sslmode=disable': { host: 'db', port: 6432, database: 'stay', ssl: false },
      'postgres://u@[::1]:1/a%20b': { host: '::1', port: 1, database: 'a b', user: 'u', ssl: false },
      'postgres://u@%2Frun%2Fpostgresql/stay': {
        host: '/run/postgresql',
        port: 5432,
        database: 'stay',
        user: 'u',
        ssl: false,
      },
    };
    for (const [url, target] of Object.entries(targets)) {
      assert.deepEqual(parsePostgresUrl(url), { ok: true, target }, url);
    }
  });

  it('is refused with the reason, and never repeated', () => {
    const wrong = {
      'postgres://u:secret@host': 'name of a database',
      'postgres://u:secret@/stay': 'not one that PostgreSQL understands',
      'postgres:///stay': 'needs a host',
      'postgres://u:secret@one,two/stay': 'several hosts',
      'postgres://u:secret@host/a/b': 'name of a database',
      'postgres://u:secret%zz@host/stay': 'hexadecimal',
      'postgres://u:secret@host:0x/stay': 'not one that PostgreSQL understands',
      'postgres://u:secret@host/stay?sslmode=prefer': 'an sslmode other than',
      'postgres://u:secret@host/stay?ssl=true': 'not known here: ssl',
      'postgres://u:secret@host/stay?sslmode=verify-ca': 'needs sslrootcert',
      'postgres://u:secret@host/stay?sslrootcert=ca.pem': 'needs sslmode',
      'postgres://u:secret@host/stay?sslmode=require&sslrootcert=/nowhere.pem': '/nowhere.pem',
      [`postgres://u:secret@host/stay?sslmode=verify-full&sslrootcert=${import.meta.filename}`]: 'in PEM',
    };
    for (const [url, reason] of Object.entries(wrong)) {
      const parsed = parsePostgresUrl(url);
      assert.ok(!parsed.ok && parsed.problem.includes(reason), url);
      assert.ok(!parsed.problem.includes('secret'), url);
    }
  });
});
