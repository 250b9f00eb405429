/** The programs of `README.md`: each compiles strictly against the package as it is published, and two of them run. */
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { type Installation, openInstallation } from '../../test/kit/installation.ts';

const SDK = join(import.meta.dirname, '..');
const MODULES = join(SDK, '..', 'node_modules');
const TSC = join(MODULES, 'typescript', 'bin', 'tsc');
const EXAMPLE_URL = 'https://partners.example.com';
const PROGRAMS = [...readFileSync(join(SDK, 'README.md'), 'utf8').matchAll(/^```ts\n([^]*?)^```$/gm)].map(
  ([, code]) => code!,
);
/** What the text around a part of a program has made before. */
const BEFORE = `import { Stayport, type QuoteRequest } from '@stayport/partner';
declare const client: Stayport;
declare const request: QuoteRequest;
declare const baseUrl: string;
declare const token: string;
`;
const OPTIONS = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module: 'nodenext',
    types: ['node'],
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
  },
};
const run = promisify(execFile);

describe('The programs of README.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stayport-readme-'));
  let installation: Installation;
  before(async () => {
    installPackage(folder);
    PROGRAMS.forEach((code, index) => {
      const isWhole = code.includes('new Stayport({ baseUrl: ');
      writeFileSync(join(folder, `program-${index}.ts`), isWhole ? code : `${BEFORE}${code}`);
    });
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(OPTIONS));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    installation = await openInstallation();
  });
  after(async () => {
    await installation.close();
    rmSync(folder, { recursive: true });
  });

  it('are three', () => assert.equal(PROGRAMS.length, 3));

  it('compile', async () => {
    const { stdout } = await run(process.execPath, [TSC, '-p', folder]).catch(
      (error: { stdout: string }) => error,
    );
    assert.equal(stdout, '');
  });

  const output = async (code: string): Promise<string> => {
    const { token } = await installation.issue({ isTest: true });
    const { partnerUrl } = await installation.serve();
    const file = join(folder, 'runs.ts');
    writeFileSync(file, code.replaceAll(EXAMPLE_URL, partnerUrl));
    const env = { ...process.env, STAYPORT_TOKEN: token };
    return (await run(process.execPath, [file], { env })).stdout;
  };

  it('lead from a search to a handoff, with a test token', async () => {
    assert.match(await output(PROGRAMS[0]!), /^\S.* \d+\.\d{2} https:\/\/\S+\n$/);
  });

  it('force a failure, with a test token', async () => {
    const made = `import { Stayport } from '@stayport/partner';
      const [baseUrl, token] = ['${EXAMPLE_URL}', process.env['STAYPORT_TOKEN']];`;
    const use = `limited.properties.get('test-always').catch((error) => console.log(error.code));`;
    assert.equal(await output(`${made}${PROGRAMS[1]!}${use}`), 'RATE_LIMIT_EXCEEDED\n');
  });
});

/** As `npm install` would: what is published, and the types of Node. The package's own folder belongs to its test. */
function installPackage(folder: string): void {
  const home = join(folder, 'node_modules', '@stayport', 'partner');
  mkdirSync(home, { recursive: true });
  cpSync(join(SDK, 'package.json'), join(home, 'package.json'));
  const build = [TSC, '--project', join(SDK, 'tsconfig.build.json'), '--outDir', join(home, 'dist')];
  execFileSync(process.execPath, build, { stdio: 'ignore' });
  mkdirSync(join(folder, 'node_modules', '@types'));
  symlinkSync(join(MODULES, '@types', 'node'), join(folder, 'node_modules', '@types', 'node'), 'junction');
  symlinkSync(join(MODULES, 'undici-types'), join(folder, 'node_modules', 'undici-types'), 'junction');
}
