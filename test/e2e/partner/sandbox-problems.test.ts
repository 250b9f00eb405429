/** A partner's developer can cause every problem code: the calls of the documentation, run unchanged. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { PROBLEM_CODES, rowOfProblem } from '../../../src/contract/partner/problems.ts';
import { ALL_SCOPE_NAMES } from '../../../src/contract/partner/scopes.ts';
import { formatLocalDate, localToday } from '../../../src/domain/local-date.ts';
import {
  DAYS_MOVED_MAX,
  SLOW_AT_ONCE_MAX,
  SLOW_SECONDS_MAX,
} from '../../../src/partner/http/sandbox-hook.ts';
import { SANDBOX_DAYS_WAITING_MAX } from '../../../src/partner/sandbox/sandbox.ts';
import { formatCurl } from '../../../src/portal/programs/sample-programs.ts';
import { hotel } from '../../kit/catalogue-lines.ts';
import { type Installation, NOW_MS, openInstallation, type Served } from '../../kit/installation.ts';
import { programsOf } from '../../kit/page-samples.ts';
import { PartnerClient, quoteBody } from '../../kit/partner-client.ts';
import { programsMissing } from '../../kit/system-programs.ts';

const CONTRACT = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'contract.md'), 'utf8');
const TODAY = localToday('Europe/Rome', NOW_MS);
const day = (ahead: number): string => formatLocalDate(TODAY + ahead);
const LIVE_ID = 'hotel-ponte';

const IMPORT_ALL = `for (const program of process.argv.slice(1))
  await import('data:text/javascript,' + encodeURIComponent(program))`;
const EXECUTE_ALL = `import sys
for program in sys.argv[1:]: exec(program, {})`;

describe('Stayport-Test', () => {
  let installation: Installation;
  let service: Served;
  let environment: NodeJS.ProcessEnv;
  let live: PartnerClient;
  let test: PartnerClient;
  let testToken: string;

  before(async () => {
    installation = await openInstallation();
    await installation.importLines([hotel(LIVE_ID)]);
    testToken = (await installation.issue({ isTest: true })).token;
    const narrow = await installation.issue({ isTest: true, scopes: ['properties:read'] });
    const full = await installation.issue({ isTest: true, scopes: ALL_SCOPE_NAMES });
    service = await installation.serve();
    live = new PartnerClient(service.partnerUrl, (await installation.issue()).token);
    test = new PartnerClient(service.partnerUrl, testToken);
    environment = {
      PATH: process.env['PATH'],
      URL: service.partnerUrl,
      TEST_TOKEN: testToken,
      NARROW_TEST_TOKEN: narrow.token,
      FULL_TEST_TOKEN: full.token,
      CHECK_IN: day(30),
      CHECK_OUT: day(33),
      OPERATOR_URL: service.operatorUrl,
      OPERATOR_TOKEN: await installation.issueOperatorToken(),
    };
  });
  after(() => installation.close());

  describe('a call for each of the codes', () => {
    /** One process runs all programs of a language, one after the other; each prints a line. */
    const RUNS = {
      curl: (programs) => ['sh', '-c', programs.map((program) => `${program}\necho\n`).join('')],
      typescript: (programs) => [process.execPath, '--input-type=module', '-e', IMPORT_ALL, ...programs],
      python: (programs) => ['python3', '-c', EXECUTE_ALL, ...programs],
    } as const satisfies Record<string, (programs: readonly string[]) => readonly string[]>;
    type Language = keyof typeof RUNS;
    const PROGRAM_OF = { curl: 'curl', typescript: undefined, python: 'python3' } as const;

    const run = async (
      language: Language,
      programs: readonly string[],
    ): Promise<Record<string, unknown>[]> => {
      const [command = '', ...args] = RUNS[language](programs);
      const { stdout } = await promisify(execFile)(command, args, { env: environment });
      // All but curl print the status before the body.
      return stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line.replace(/^\d{3} /, '')) as Record<string, unknown>);
    };
    const read = async (path: string) => programsOf(await (await fetch(service.partnerUrl + path)).text());

    for (const language of Object.keys(RUNS) as Language[]) {
      const program = PROGRAM_OF[language];
      const skip = program !== undefined && programsMissing(program);

      it(`in ${language}: gets each, after one that finds properties`, { skip }, async () => {
        const listed = await read('/docs/testing');
        const programs = [listed.get(`first-test-call-${language}`)!];
        for (const code of PROBLEM_CODES) {
          const { slug, testCall } = rowOfProblem(code);
          const name = `call-${slug}-${language}`;
          programs.push(listed.get(name)!);
          assert.equal(
            (await read(`/problems/${slug}`)).get(name),
            listed.get(name),
            'the same on both pages',
          );
          const line = `    ${formatCurl(testCall)}\n`;
          assert.ok(CONTRACT.includes(line), 'docs/contract.md has the same line');
        }
        const [first, ...problems] = await run(language, programs);
        assert.equal((first!['items'] as unknown[]).length, 20);
        assert.deepEqual(
          problems.map(({ code }) => code),
          PROBLEM_CODES,
        );
      });
    }
  });

  it('has the limits that its pages name', async () => {
    const page = await (await fetch(`${service.partnerUrl}/docs/testing`)).text();
    for (const text of [page, CONTRACT]) {
      for (const named of [
        `up to ${SLOW_SECONDS_MAX} seconds; 503 when ${SLOW_AT_ONCE_MAX} slow answers`,
        `at most ${DAYS_MOVED_MAX} days away; 503 when ${SANDBOX_DAYS_WAITING_MAX} other days`,
      ]) {
        assert.ok(text.includes(named), named);
      }
    }
  });

  const forced = (answer: string) => test.with({ 'stayport-test': answer });
  const search = { city: 'Testville', pageSize: 1 };

  it('Stayport-Test sets limits, moves days, and names its values when it refuses one', async () => {
    const limited = await forced('rate-limited').search(search);
    assert.equal(limited.header('x-ratelimit-remaining'), '0');
    assert.ok(Number(limited.header('retry-after')) >= 1);
    const stay = { checkIn: day(40), checkOut: day(41) };
    assert.equal((await test.availability('test-gap', stay)).success.available, true);
    const moved = forced(`today=${day(30)}`);
    assert.equal((await moved.availability('test-gap', stay)).success.available, false);
    assert.equal(
      (await moved.quote(quoteBody('test-gap', day(40), day(41)))).problem.code,
      'STAY_UNAVAILABLE',
    );
    for (const wrong of [
      'nothing',
      'slow=21',
      'slow=-1',
      'today=2026-02-30',
      `today=${day(400)}`,
      'today=',
    ]) {
      assert.deepEqual(
        (await forced(wrong).search(search)).issues,
        ['header.stayport-test NOT_ALLOWED'],
        wrong,
      );
    }
  });

  it('closes a connection before the answer, and in the middle of it', async () => {
    const headers = { authorization: `Bearer ${testToken}` };
    const ask = (answer: string): Promise<Response> =>
      fetch(`${service.partnerUrl}/v1/properties?city=Testville`, {
        headers: { ...headers, 'stayport-test': answer },
      });
    await assert.rejects(ask('close'));
    const cut = await ask('truncate');
    assert.equal(cut.status, 200);
    await assert.rejects(cut.text());
  });

  it('means nothing with a live token', async () => {
    for (const answer of [
      'rate-limited',
      'internal-error',
      'revoked',
      'close',
      'slow=20',
      'today=2027-01-01',
      'x',
    ]) {
      const found = await live.with({ 'stayport-test': answer }).property(LIVE_ID);
      assert.equal(found.status, 200, answer);
    }
  });

  it('requests with test tokens have an operation of their own in the metrics', async () => {
    await forced('internal-error').search(search);
    const metrics = await (await fetch(`${service.operatorUrl}/metrics`)).text();
    assert.match(metrics, /stayport_requests_total\{operation="sandbox",status="500",code="INTERNAL_ERROR"/);
    assert.doesNotMatch(metrics, /operation="(?:list|get)Partner[^"]*",status="500"/);
    assert.deepEqual(service.takeErrors(), [], 'nothing failed');
  });

  it('holds no more slow answers than its limit, and forgets those whose caller is gone', async () => {
    const before = await Promise.all(Array.from({ length: SLOW_AT_ONCE_MAX }, () => hold()));
    const late = await Promise.all(Array.from({ length: 200 }, () => forced('slow=20').search(search)));
    assert.deepEqual([...new Set(late.map((answer) => answer.outcome))], ['503 PARTNER_API_UNAVAILABLE']);
    for (const leave of before) leave();
    const deadline = performance.now() + 5_000;
    while ((await forced('slow=0').search(search)).status !== 200) assert.ok(performance.now() < deadline);
  });

  it('takes many new days at once, refuses those beyond its limit, and goes on', async () => {
    const days = Array.from({ length: 60 }, (_, ahead) => forced(`today=${day(100 + ahead)}`).search(search));
    const outcomes = (await Promise.all(days)).map((answer) => answer.outcome);
    const count = (outcome: string): number => outcomes.filter((each) => each === outcome).length;
    assert.ok(count('200') >= SANDBOX_DAYS_WAITING_MAX, outcomes.join());
    assert.equal(count('200') + count('503 PARTNER_API_UNAVAILABLE'), outcomes.length);
    assert.equal((await forced(`today=${day(99)}`).search(search)).outcome, '200');
  });

  /** A request that waits; resolves with what ends it, once the server has it. */
  async function hold(): Promise<() => void> {
    const sent = request(`${service.partnerUrl}/v1/properties?city=Testville`, {
      headers: { authorization: `Bearer ${testToken}`, 'stayport-test': 'slow=20' },
    });
    sent.on('error', () => undefined);
    sent.end();
    await new Promise((resolve) => sent.once('finish', resolve));
    // The server has read it when an answer to a later request on another connection is there.
    await test.search(search);
    return () => sent.destroy();
  }
});
