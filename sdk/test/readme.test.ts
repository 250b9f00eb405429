/** The programs of `README.md`: each compiles strictly against the package as it is published, and two of them run. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { compile, installPackage, SDK } from './installed-package.ts';
import { openService, type ServiceInstallation } from './service.ts';

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
declare const propertyId: string;
declare function newTraceparent(method: string, url: string, attempt: number): string;
`;
const run = promisify(execFile);

describe('The programs of README.md', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stayport-readme-'));
  let installation: ServiceInstallation;
  before(async () => {
    installPackage(folder);
    PROGRAMS.forEach((code, index) => {
      const isWhole = code.includes('new Stayport({ baseUrl: ');
      writeFileSync(join(folder, `program-${index}.ts`), isWhole ? code : `${BEFORE}${code}`);
    });
    installation = await openService();
  });
  after(async () => {
    await installation.close();
    rmSync(folder, { recursive: true });
  });

  it('are all found: four code blocks', () => assert.equal(PROGRAMS.length, 4));

  it('compile', () => assert.equal(compile(folder), ''));

  const output = async (code: string): Promise<string> => {
    const { token } = await installation.issue({ isTest: true });
    const { partnerUrl } = await installation.serve();
    writeFileSync(join(folder, 'runs.ts'), code.replaceAll(EXAMPLE_URL, partnerUrl));
    compile(folder);
    const file = join(folder, 'runs.js');
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
