/**
 * The programs of `README.md`, and those of /docs/changes for this client. Whole programs run as they are printed, on
 * each Node.js that the package promises; the others compile strictly against the package as it is published.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { ALL_SCOPE_NAMES } from '../../src/contract/partner/scopes.ts';
import { FOLLOW_PROGRAM, VERIFY_PROGRAM } from '../../src/portal/programs/guide-programs.ts';
import { compile, installPackage, SDK } from './installed-package.ts';
import { NOW_MS } from '../../test/kit/now.ts';
import { openService, type ServiceInstallation } from './service.ts';

const EXAMPLE_URL = 'https://partners.example.com';
const README = readFileSync(join(SDK, 'README.md'), 'utf8');
const blocksOf = (language: string): readonly string[] =>
  [...README.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code!);
const WHOLE = blocksOf('js');
const PARTS = blocksOf('ts');
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
    PARTS.forEach((code, index) => writeFileSync(join(folder, `part-${index}.ts`), `${BEFORE}${code}`));
    writeFileSync(join(folder, 'follow.ts'), BEFORE_CHANGES + FOLLOW_PROGRAM);
    writeFileSync(join(folder, 'verify.ts'), BEFORE_CHANGES + VERIFY_PROGRAM);
    installation = await openService();
  });
  after(async () => {
    await installation.close();
    rmSync(folder, { recursive: true });
  });

  it('two whole programs and four parts are found', () =>
    assert.deepEqual([WHOLE.length, PARTS.length], [2, 4]));

  it('the parts compile', () => assert.equal(compile(folder), ''));

  const output = async (code: string): Promise<string> => {
    const { token } = await installation.issue({ isTest: true, scopes: ALL_SCOPE_NAMES });
    const { partnerUrl } = await installation.serve(WEB);
    const file = join(folder, 'runs.mjs');
    // The service of the tests stands at one moment.
    const here = code.replaceAll(EXAMPLE_URL, partnerUrl).replaceAll('Date.now()', String(NOW_MS));
    writeFileSync(file, here);
    const env = { ...process.env, STAYPORT_TOKEN: token };
    return (await run(process.execPath, [file], { env })).stdout;
  };

  it('quote.mjs leads from a search to a handoff, with a test token', async () => {
    assert.match(await output(WHOLE[0]!), /^\S.* \d+\.\d{2} https:\/\/\S+\n$/);
  });

  it('cards.mjs shows a page of cards, the cheapest first, with a test token of all scopes', async () => {
    const cards = (await output(WHOLE[1]!)).trim().split('\n');
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

  it('the header of a test forces a failure, with a test token', async () => {
    const made = `import { Stayport } from '@stayport/partner';
      const [baseUrl, token] = ['${EXAMPLE_URL}', process.env.STAYPORT_TOKEN];`;
    const use = `limited.properties.get('test-always').catch((error) => console.log(error.code));`;
    assert.equal(
      await output(`${made}${PARTS[0]!.replace(': typeof fetch', '')}${use}`),
      'RATE_LIMIT_EXCEEDED\n',
    );
  });
});
