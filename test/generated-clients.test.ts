/**
 * Clients that partners generate from our document, by the tools that they use: each compiles strictly, tells problems
 * apart by their code, and makes its first calls. Generators for Python are not in the npm registry, and so not here.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { generateClients } from './clients/generate.ts';
import { HOTEL_PONTE } from './kit/catalogue-lines.ts';
import { type Running, startInstallation } from './kit/installation.ts';

const FOLDER = join(import.meta.dirname, 'clients');
const TSC = join(import.meta.dirname, '..', 'node_modules', 'typescript', 'bin', 'tsc');
const run = promisify(execFile);

describe('Generated clients', () => {
  let running: Running;
  before(async () => {
    running = await startInstallation([HOTEL_PONTE]);
    const { partnerUrl } = running.service;
    const file = join(running.installation.folder, 'openapi.json');
    writeFileSync(file, await (await fetch(`${partnerUrl}/openapi.json`)).text());
    await generateClients(file, partnerUrl);
  });
  after(async () => {
    rmSync(join(FOLDER, 'generated'), { recursive: true, force: true });
    await running.installation.close();
  });

  it('compile strictly, and narrow by code', async () => {
    const compiled = await run(process.execPath, [TSC, '-p', FOLDER]).catch(
      (error: { stdout: string }) => error,
    );
    assert.equal(compiled.stdout, '');
  });

  for (const client of ['openapi-fetch', 'hey-api', 'orval']) {
    it(`by ${client} make their first calls`, async () => {
      const { token } = await running.installation.issue();
      const env = { ...process.env, BASE_URL: running.service.partnerUrl, TOKEN: token };
      const { stdout } = await run(process.execPath, [join(FOLDER, 'uses', `${client}.ts`)], { env });
      const { propertyId, total, field } = JSON.parse(stdout) as Record<string, unknown>;
      assert.deepEqual([propertyId, field], ['hotel-ponte', 'stay.checkOut']);
      assert.match(String(total), /^\d+\.\d{2}$/);
    });
  }
});
