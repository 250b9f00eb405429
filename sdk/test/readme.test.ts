/**
 * The programs of `README.md`, and those of /docs/changes for this client: each compiles strictly against the package as
 * it is published, and three of them run.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { ALL_SCOPE_NAMES } from '../../src/contract/partner/scopes.ts';
import { FOLLOW_PROGRAM, VERIFY_PROGRAM } from '../../src/web/docs/changes-program.ts';
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
/** What a partner has around the programs of /docs/changes. */
const BEFORE_CHANGES = `${BEFORE}
declare const secret: string;
declare const queue: { add(event: object): Promise<void> };
declare function loadCursor(): Promise<string | undefined>;
declare function storeCursor(cursor: string): Promise<void>;
declare function readCatalogue(): Promise<void>;
declare function readAgain(propertyId: string): Promise<void>;
declare function forget(propertyId: string): Promise<void>;
`;
/** The listener that has the pictures of the sandbox. */
const WEB = { WEB_PORT: '0', WEB_NAME: 'Stays', HANDOFF_BASE_URL: 'https://stay.example/handoff' };
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
    writeFileSync(join(folder, 'follow.ts'), BEFORE_CHANGES + FOLLOW_PROGRAM);
    writeFileSync(join(folder, 'verify.ts'), BEFORE_CHANGES + VERIFY_PROGRAM);
    installation = await openService();
  });
  after(async () => {
    await installation.close();
    rmSync(folder, { recursive: true });
  });

  it('are all found: six code blocks', () => assert.equal(PROGRAMS.length, 6));

  it('compile', () => assert.equal(compile(folder), ''));

  const output = async (code: string): Promise<string> => {
    const { token } = await installation.issue({ isTest: true, scopes: ALL_SCOPE_NAMES });
    const { partnerUrl } = await installation.serve(WEB);
    writeFileSync(join(folder, 'runs.ts'), code.replaceAll(EXAMPLE_URL, partnerUrl));
    compile(folder);
    const file = join(folder, 'runs.js');
    const env = { ...process.env, STAYPORT_TOKEN: token };
    return (await run(process.execPath, [file], { env })).stdout;
  };

  it('lead from a search to a handoff, with a test token', async () => {
    assert.match(await output(PROGRAMS[0]!), /^\S.* \d+\.\d{2} https:\/\/\S+\n$/);
  });

  it('show a page of cards, the cheapest first, with a test token of all scopes', async () => {
    const cards = (await output(PROGRAMS[2]!)).trim().split('\n');
    assert.equal(cards.length, 12);
    for (const card of cards)
      assert.match(card, /^<article>.*<h2>[^<]+<\/h2><p>\d+\.\d{2} EUR<\/p><\/article>$/);
    assert.ok(
      cards.some((card) =>
        /<img src="https:\/\/stay\.example\/[^"]+" alt="[^"]+" width="\d+" height="\d+">/.test(card),
      ),
    );
    const totals = cards.map((card) => Number(/<p>([\d.]+) EUR/.exec(card)?.[1]));
    assert.deepEqual(
      totals,
      totals.toSorted((a, b) => a - b),
    );
  });

  it('force a failure, with a test token', async () => {
    const made = `import { Stayport } from '@stayport/partner';
      const [baseUrl, token] = ['${EXAMPLE_URL}', process.env['STAYPORT_TOKEN']];`;
    const use = `limited.properties.get('test-always').catch((error) => console.log(error.code));`;
    assert.equal(await output(`${made}${PROGRAMS[1]!}${use}`), 'RATE_LIMIT_EXCEEDED\n');
  });
});
