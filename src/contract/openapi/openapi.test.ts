import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildExtrasOpenApi, buildOpenApi, COMMITTED_SETTINGS, formatOpenApi } from './openapi.ts';

const COMMITTED = new URL('../../../openapi.json', import.meta.url);
const EXTRAS = new URL('../../../openapi-extras.json', import.meta.url);
const REDOCLY = fileURLToPath(new URL('../../../node_modules/@redocly/cli/bin/cli.js', import.meta.url));

interface Linted {
  readonly passed: boolean;
  readonly output: string;
}

/** Runs Redocly's linter with its strict rules on a file; offline. */
function lint(file: string): Promise<Linted> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [REDOCLY, 'lint', file, '--extends=recommended-strict'],
      { env },
      (error, out, err) => {
        resolve({ passed: error === null, output: `${out}\n${err}` });
      },
    );
  });
}

describe('openapi.json', () => {
  it('openapi.json equals the table of operations: run scripts/write-openapi.ts after a change', async () => {
    assert.equal(await readFile(COMMITTED, 'utf8'), formatOpenApi(buildOpenApi(COMMITTED_SETTINGS)));
  });

  it('has the operations beside the contract in a document of their own', async () => {
    assert.equal(await readFile(EXTRAS, 'utf8'), formatOpenApi(buildExtrasOpenApi(COMMITTED_SETTINGS)));
  });

  it('takes its addresses from the settings', () => {
    const settings = {
      publicUrl: 'https://api.example',
      problemsBaseUrl: 'https://docs.example/problems',
      supportContact: 'mailto:help@api.example',
      today: COMMITTED_SETTINGS.today,
    };
    const text = formatOpenApi(buildOpenApi(settings));
    assert.ok(text.includes('"url": "https://api.example"'));
    assert.ok(text.includes('"https://docs.example/problems/stay-unavailable"'));
    assert.ok(text.includes('"email": "help@api.example"'));
    assert.ok(!text.includes(COMMITTED_SETTINGS.publicUrl));
  });
});

describe('Redocly', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stayport-openapi-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('finds nothing to complain about', async () => {
    for (const document of [COMMITTED, EXTRAS]) {
      const { passed, output } = await lint(fileURLToPath(document));
      assert.ok(passed, output);
    }
  });

  it('does complain about an example that its schema refuses', async () => {
    const document = await readFile(COMMITTED, 'utf8');
    const file = join(folder, 'openapi.json');
    await writeFile(file, document.replace('"total": "410.00"', '"total": 410'));
    const { passed, output } = await lint(file);
    assert.equal(passed, false);
    assert.match(output, /total/);
  });
});
