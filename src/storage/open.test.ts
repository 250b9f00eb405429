import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { describe, it } from 'node:test';
import { DatabaseUrlInvalid, openStorage } from './open.ts';
import { makeDatabasePath } from '../../test/suites/storage/sqlite-fixture.ts';

const clock = () => 0;

describe('openStorage', () => {
  it('opens the file of a sqlite URL, relative or absolute, and creates its folder', async () => {
    for (const toUrl of [
      (path: string) => `sqlite:${path}`,
      (path: string) => `sqlite://${path}`,
      (path: string) => `SQLITE:${relative(process.cwd(), path)}`,
    ]) {
      const { path, remove } = makeDatabasePath();
      try {
        const storage = await openStorage(toUrl(path), { clock });
        await storage.close();
        assert.ok(existsSync(path));
      } finally {
        remove();
      }
    }
  });

  it('refuses every other URL without repeating it', async () => {
    const urls = [
      '',
      'sqlite',
      'sqlite:',
      'sqlite://',
      'sqlite://host/x.db',
      'sqlite::memory:',
      'mysql://u:pw@h/d',
    ];
    const postgresUrls = ['postgres://u:pw@host', 'postgres:pw', 'postgresql://u:pw@h/d?sslmode=prefer'];
    for (const url of [...urls, ...postgresUrls, 'data/stayport.db']) {
      await assert.rejects(openStorage(url, { clock }), (error) => {
        assert.ok(error instanceof DatabaseUrlInvalid, url);
        return !error.message.includes('pw');
      });
    }
  });
});
