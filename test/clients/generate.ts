/**
 * Runs the client generators on an OpenAPI document; what they write is in `generated/`, which is not kept. Their own
 * files say what each is told.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const FOLDER = import.meta.dirname;
const require = createRequire(import.meta.url);
const run = promisify(execFile);

/** A file of an installed package, wherever npm has put it. */
function fileOf(packageName: string, file: string): string {
  const folders = require.resolve.paths(packageName) ?? [];
  const found = folders.map((folder) => join(folder, packageName, file)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${packageName} is not installed`);
  return found;
}

/** `baseUrl` is written into the client that has no other way to be told it. */
export async function generateClients(openApiFile: string, baseUrl: string): Promise<void> {
  const env = { ...process.env, OPENAPI_FILE: openApiFile, BASE_URL: baseUrl };
  const typescript5 = pathToFileURL(join(FOLDER, 'typescript-5.mjs')).href;
  const generate = (script: string, args: readonly string[], more = {}): Promise<unknown> =>
    run(process.execPath, [script, ...args], { cwd: FOLDER, env: { ...env, ...more } });
  await Promise.all([
    generate(fileOf('openapi-typescript', 'bin/cli.js'), [
      openApiFile,
      '-o',
      'generated/openapi-typescript.ts',
    ]),
    generate(fileOf('@hey-api/openapi-ts', 'bin/run.js'), ['-f', 'hey-api.config.mjs'], {
      NODE_OPTIONS: `--import=${typescript5}`,
    }),
    generate(fileOf('orval', 'dist/bin/orval.mjs'), ['--config', 'orval.config.mjs']),
  ]);
}
