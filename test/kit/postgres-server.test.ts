import assert from 'node:assert/strict';
import { cpSync, existsSync, globSync, lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { linkLibraries, postgresFolder, postgresMissing } from './postgres-server.ts';

describe('The PostgreSQL of the tests', { skip: postgresMissing() }, () => {
  it('runs after an installation without scripts, which leaves out the links of its libraries', () => {
    const folder = mkdtempSync(join(tmpdir(), 'stayport-links-'));
    try {
      cpSync(postgresFolder()!, folder, { recursive: true, verbatimSymlinks: true });
      const links = globSync('native/lib/*', { cwd: folder })
        .map((name) => join(folder, name))
        .filter((path) => lstatSync(path).isSymbolicLink());
      for (const path of links) rmSync(path);
      const run = () =>
        spawnSync(join(folder, 'native', 'bin', 'postgres'), ['--version'], { encoding: 'utf8' });
      assert.notEqual(run().status, 0, 'the links are needed');
      linkLibraries(folder);
      assert.ok(links.length > 0 && links.every((path) => existsSync(path)));
      assert.match(run().stdout, /^postgres \(PostgreSQL\) \d/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
