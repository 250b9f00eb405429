/**
 * The documentation as a partner's developer uses it: each program of the guide is taken from the page that the demo
 * serves and run unchanged; each example of the description is compared with what the demo really answers.
 */
import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { exampleDates } from '../../../src/contract/partner/example-dates.ts';
import {
  availabilityExamples,
  listExamples,
  propertyExamples,
  quoteExamples,
  sandboxAnswers,
} from '../../../src/contract/partner/examples.ts';
import { localToday } from '../../../src/domain/local-date.ts';
import { exchange } from '../../kit/http-exchange.ts';
import { firstLine, until, Workplace } from '../../kit/command-line.ts';
import { programsOf, samplesOf } from '../../kit/page-samples.ts';
import { reservePort, type ReservedPort } from '../../kit/reserved-port.ts';
import { programsMissing } from '../../kit/system-programs.ts';

const NAMES = ['first-call', 'search', 'availability', 'quote', 'cards', 'paging'] as const;
type Name = (typeof NAMES)[number];

/** What each program prints, whatever its language. */
const PRINTED: Readonly<Record<Name, RegExp>> = {
  'first-call': /locanda-san-frediano.*San Frediano Inn/s,
  search: /\b1\b.*locanda-san-frediano|locanda-san-frediano.*"total":1\b/s,
  availability: /free|"available":true/,
  quote: /410\.00.*https:\/\/localhost:8443\/handoff\?handoff=/s,
  cards:
    /^<!doctype html>.*<article>\n  <img src="https:\/\/localhost:8443\/images\/[^"]+\?v=[\w-]{12}" alt="[^"]*" width="320">\n  <h2>San Frediano Inn<\/h2>\n  <p>410\.00 EUR<\/p>\n<\/article>/s,
  paging: /^150\n$|^(?:"propertyId":"antwerp-\d+"\n){150}$/,
};

/** The same of each program for a test token. */
const PRINTED_OF_TESTS: Readonly<Record<Name, RegExp>> = {
  'first-call': /testville-01/,
  search: /\b\d+ free\n|"propertyId":"test-/,
  availability: /free|"available":true/,
  quote: /https:\/\/localhost:8443\/handoff\?handoff=/,
  cards: /<h2>[^<]+<\/h2>\n  <p>\d+\.\d{2} EUR<\/p>/,
  paging: /^\d{2}\n$|"propertyId":"testville-45"/,
};

const pythonMissing = programsMissing('python3');
const curlMissing = programsMissing('curl');

const workplace = new Workplace();
let reserved: ReservedPort;
let url = '';
let token = '';
let testToken = '';
let operatorUrl = '';
let programs: ReadonlyMap<string, string>;

before(async () => {
  reserved = await reservePort();
  url = `http://127.0.0.1:${reserved.port}`;
  const env = { PORT: String(reserved.port), OPERATOR_PORT: '0', WEB_PORT: '0', PUBLIC_URL: url };
  const started = workplace.start(['demo', '--json'], { env });
  const demo = JSON.parse(await firstLine(started)) as Record<'token' | 'testToken' | 'operatorUrl', string>;
  ({ token, testToken, operatorUrl } = demo);
  programs = programsOf(await (await fetch(`${url}/docs`)).text());
});
after(async () => {
  await workplace.remove();
  await reserved.release();
});

describe('the programs of the guide', () => {
  it('the guide has the six programs that are run here, each in three languages', () => {
    const expected = NAMES.flatMap((name) =>
      ['curl', 'typescript', 'python'].flatMap((tab) => [`${name}-${tab}`, `${name}-test-${tab}`]),
    );
    assert.deepEqual([...programs.keys()].sort(), expected.sort());
  });

  describe('in curl', { skip: curlMissing }, () => {
    for (const name of NAMES) it(name, () => runs(name, 'curl', 'program.sh', 'bash'));
  });

  describe('in TypeScript, by type stripping', () => {
    for (const name of NAMES) it(name, () => runs(name, 'typescript', 'program.mts', process.execPath));
  });

  describe('in Python', { skip: pythonMissing }, () => {
    for (const name of NAMES) it(name, () => runs(name, 'python', 'program.py', 'python3'));
  });
});

/** One of three properties changes every 5 seconds in the sandbox; a busy machine may need much longer. */
const SANDBOX_PATIENCE_MS = 90_000;
const PROGRAM_LINES_MAX = 30;

describe('the programs of the page about changes', () => {
  let copies: ReadonlyMap<string, string>;
  before(async () => {
    copies = programsOf(await (await fetch(`${url}/docs/changes`)).text());
  });

  it('ask for the cursor of now and the first changes after it in curl', { skip: curlMissing }, () => {
    const { stdout, stderr } = spawnSync('bash', ['-c', copies.get('copy-program-curl') ?? ''], {
      env: { PATH: process.env['PATH'], STAYPORT_TOKEN: testToken },
      encoding: 'utf8',
    });
    assert.match(stdout, /^\{"changes":\[\{"propertyId":"test-/, stderr);
  });

  it('keep a copy true in TypeScript', () => keepsCopy('typescript', 'program.mts', process.execPath));

  it('keep a copy true in Python', { skip: pythonMissing }, () =>
    keepsCopy('python', 'program.py', 'python3'),
  );

  async function keepsCopy(tab: string, file: string, command: string): Promise<void> {
    const program = copies.get(`copy-program-${tab}`) ?? '';
    const lines = program.split('\n').filter((line) => line.trim() !== '');
    assert.ok(lines.length <= PROGRAM_LINES_MAX, `${lines.length} lines`);
    const folder = mkdtempSync(join(workplace.directory, 'copy-'));
    writeFileSync(join(folder, file), program);
    const path = join(folder, 'copy.json');
    const read = (): Copy => JSON.parse(readFileSync(path, 'utf8')) as Copy;
    const runUntil = async (isDone: () => boolean): Promise<void> => {
      const env = { PATH: process.env['PATH'], STAYPORT_TOKEN: testToken };
      const child = spawn(command, [file], { cwd: folder, env, stdio: ['ignore', 'inherit', 'inherit'] });
      const ended = once(child, 'exit');
      try {
        await until(async () => child.exitCode === null && isDone(), SANDBOX_PATIENCE_MS);
      } finally {
        child.kill('SIGKILL');
        await ended;
      }
    };

    await runUntil(() => existsSync(path));
    const whole = read();
    assert.ok(Object.keys(whole.properties).length > 50, 'of more than one page');

    // Wrong where something changes, and after a kill: it goes on from its cursor and reads these alone again.
    const wrong = { 'test-always': null, 'test-two-types': { name: 'old' }, 'test-free': { name: 'old' } };
    writeFileSync(path, JSON.stringify({ ...whole, properties: { ...whole.properties, ...wrong } }));
    await runUntil(() => ['test-always', 'test-two-types'].every((id) => isSame(read(), whole, id)));
    assert.deepEqual(read().properties['test-free'], { name: 'old' });
    assert.notEqual(read().next, whole.next);

    // Cursors that no longer work, one of them because nobody has its key: it reads the catalogue again.
    for (const next of ['test-expired', `${whole.next.slice(0, -4)}AAAA`]) {
      writeFileSync(path, JSON.stringify({ next, properties: {} }));
      await runUntil(() => isDeepStrictEqual(read()?.properties, whole.properties));
    }
  }

  interface Copy {
    readonly next: string;
    readonly properties: Readonly<Record<string, unknown>>;
  }

  function isSame(one: Copy, other: Copy, id: string): boolean {
    return isDeepStrictEqual(one.properties[id], other.properties[id]);
  }
});

describe('the programs of the page about any dates', () => {
  const printed = {
    'weekend-program': /\d{4}-\d\d-\d\d.*\d+\.\d\d/s,
    'month-program': /class="least">[A-Z][a-z]{2} \d+<br><b>€\d+(\.\d\d)?<\/b><br>\d+ open|"properties":\d/s,
  };
  let found: ReadonlyMap<string, string>;
  before(async () => {
    found = programsOf(await (await fetch(`${url}/docs/any-dates`)).text());
  });

  for (const [name, pattern] of Object.entries(printed)) {
    const runs = (tab: string, file: string, command: string): void => {
      const folder = mkdtempSync(join(workplace.directory, 'dates-'));
      writeFileSync(join(folder, file), found.get(`${name}-${tab}`) ?? '');
      const env = { PATH: process.env['PATH'], STAYPORT_TOKEN: testToken };
      const { status, stdout, stderr } = spawnSync(command, [file], { cwd: folder, env, encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      assert.match(stdout, pattern);
    };
    it(`print stays of the sandbox in curl: ${name}`, { skip: curlMissing }, () =>
      runs('curl', 'program.sh', 'bash'),
    );
    it(`print stays of the sandbox in TypeScript: ${name}`, () =>
      runs('typescript', 'program.mts', process.execPath));
    it(`print stays of the sandbox in Python: ${name}`, { skip: pythonMissing }, () =>
      runs('python', 'program.py', 'python3'),
    );
  }
});

describe('the program of the page about stays that are not available', () => {
  let found: ReadonlyMap<string, string>;
  before(async () => {
    found = programsOf(await (await fetch(`${url}/docs/not-available`)).text());
  });
  const printedBy = (tab: string, command: string, args: readonly string[]): string => {
    const env = { PATH: process.env['PATH'], STAYPORT_TOKEN: testToken };
    const program = found.get(`why-program-${tab}`) ?? '';
    const { status, stdout, stderr } = spawnSync(command, [...args, program], { env, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return stdout;
  };
  const assertSaid = (printed: string): void => {
    assert.match(printed, /^test-always: \d+\.\d\d EUR$/m);
    assert.match(printed, /^test-sold-out: not free on \d{4}-\d\d-\d\d, /m);
    assert.match(printed, /^test-quote-unavailable: price on request$/m);
    assert.match(
      printed,
      /^test-gap: not free on .*\n {2}\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d: \d+\.\d\d EUR$/m,
    );
  };

  it('has the reasons of the sandbox in curl', { skip: curlMissing }, () => {
    const { items } = JSON.parse(printedBy('curl', 'bash', ['-c'])) as {
      items: readonly { reasons: readonly { code: string }[] }[];
    };
    const codes = items.map(({ reasons }) => reasons.map(({ code }) => code));
    assert.deepEqual(codes, [[], ['NIGHTS_CLOSED'], ['NO_PRICE'], ['NIGHTS_CLOSED']]);
  });

  it('says them, and what is instead, in TypeScript', () => {
    const args = ['--experimental-strip-types', '--input-type=module-typescript', '-e'];
    assertSaid(printedBy('typescript', process.execPath, args));
  });

  it('says them, and what is instead, in Python', { skip: pythonMissing }, () =>
    assertSaid(printedBy('python', 'python3', ['-c'])),
  );
});

describe('the program of the page about families', () => {
  let found: ReadonlyMap<string, string>;
  before(async () => {
    found = programsOf(await (await fetch(`${url}/docs/families`)).text());
  });
  const printedBy = (tab: string, command: string, args: readonly string[]): string => {
    const env = { PATH: process.env['PATH'], STAYPORT_TOKEN: testToken };
    const program = found.get(`family-program-${tab}`) ?? '';
    const { status, stdout, stderr } = spawnSync(command, [...args, program], { env, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return stdout;
  };
  const PRINTED_OF_FAMILY =
    /^as adults: STAY_UNAVAILABLE\nas a family: 244\.00\nquoted: 244\.00 EUR, https:\/\/\S+\?handoff=\S+\n$/;

  it('finds the family a place and quotes it in curl', { skip: curlMissing }, () => {
    const printed = printedBy('curl', 'bash', ['-c']);
    assert.match(printed, /"propertyId":"test-family".*"total":"244\.00".*"childAges":\[1,8\].*\?handoff=/s);
  });

  it('compares the totals and quotes the family in TypeScript', () => {
    const args = ['--experimental-strip-types', '--input-type=module-typescript', '-e'];
    assert.match(printedBy('typescript', process.execPath, args), PRINTED_OF_FAMILY);
  });

  it('compares the totals and quotes the family in Python', { skip: pythonMissing }, () =>
    assert.match(printedBy('python', 'python3', ['-c']), PRINTED_OF_FAMILY),
  );
});

describe('the first call of the supply API', { skip: curlMissing }, () => {
  it('closes nights of the sample as it is pasted, with the token that the page says how to get', async () => {
    const page = await (await fetch(`${operatorUrl}/supply/docs`)).text();
    const [issue = '', call = '', typescript = '', python = ''] = samplesOf(page);
    const [, args = ''] = /^bin\/stayport (.*)\nexport SUPPLY_TOKEN=sp_oper_\.\.\.$/.exec(issue) ?? [];
    const { token: supplyToken } = await workplace.json(args.split(' '));
    // A running server knows a new token within a second; a person takes longer to paste it.
    const headers = { authorization: `Bearer ${supplyToken}` };
    await until(async () => (await fetch(`${operatorUrl}/supply/v1/revision`, { headers })).status === 200);
    const path = join(workplace.directory, 'supply.sh');
    writeFileSync(path, call);
    const env = { PATH: process.env['PATH'], SUPPLY_TOKEN: supplyToken as string };
    const { stdout, stderr } = spawnSync('bash', [path], { env, encoding: 'utf8' });
    const answer = JSON.parse(stdout) as Record<string, unknown>;
    assert.deepEqual([answer['changed'], answer['code']], [1, undefined], stdout + stderr);
    // Said again in the other languages, it changes nothing.
    const again = [
      spawnSync(process.execPath, ['--input-type=module', '-e', typescript], { env, encoding: 'utf8' }),
      ...(pythonMissing === false ? [spawnSync('python3', ['-c', python], { env, encoding: 'utf8' })] : []),
    ];
    for (const printed of again) assert.match(printed.stdout, /^200 \{.*"changed":0/, printed.stderr);
    // The next test asks for these nights.
    writeFileSync(path, call.replace('"availability":0', '"availability":99'));
    const opened = spawnSync('bash', [path], { env, encoding: 'utf8' });
    assert.equal((JSON.parse(opened.stdout) as Record<string, unknown>)['changed'], 1);
  });

  it('names the host that it was asked at, and nothing that a shell would run', async () => {
    const ask = async (host: string): Promise<string> => {
      const { port } = new URL(operatorUrl);
      const { body } = await exchange(`http://127.0.0.1:${port}`, {
        method: 'GET',
        path: '/supply/docs',
        headers: { host },
      });
      const call = programsOf(Buffer.from(body).toString()).get('first-call-program-curl') ?? '';
      return /^curl -sS --fail-with-body -X PATCH "(\S*)\/supply\/v1/.exec(call)?.[1] ?? '';
    };
    assert.equal(await ask('stayport:8081'), 'http://stayport:8081');
    assert.equal(await ask('[::1]:8081'), 'http://[::1]:8081');
    assert.equal(await ask('x$(id)'), 'http://127.0.0.1:8081');
  });
});

describe('the examples of the description', () => {
  // The sample begins on the day that Rome has, which is ahead of UTC for an hour or two.
  const dates = () => exampleDates(localToday('Europe/Rome', Date.now()));
  const ask = async (target: string, body?: unknown): Promise<Record<string, unknown>> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    return (await (await fetch(url + target, { headers, ...sent })).json()) as Record<string, unknown>;
  };

  it('of a dated search and of a property are the answers of the demo', async () => {
    const list = listExamples(dates());
    assert.deepEqual(await ask(list.target), list.successes['dated-search']?.value);
    const property = propertyExamples();
    assert.deepEqual(await ask(property.target), property.successes['property']?.value);
    const flat = property.successes['with-nulls']?.value;
    assert.deepEqual(await ask('/v1/properties/casa-ballaro?locale=en-GB'), flat);
  });

  it('of availability are the answers of the demo, free and partly booked', async () => {
    const { target, successes } = availabilityExamples(dates());
    assert.deepEqual(await ask(target), successes['free']?.value);
    const { checkIn, checkOut } = dates().partlyBooked;
    const query = `checkIn=${checkIn}&checkOut=${checkOut}&guests=2`;
    const partlyBooked = await ask(`/v1/properties/casa-ballaro/availability?${query}`);
    assert.deepEqual(partlyBooked, successes['partly-booked']?.value);
  });

  it('of a quote is the answer of the demo, but for what is made for each', async () => {
    const { target, body, successes } = quoteExamples(dates());
    const example = successes['quote']?.value as Record<string, unknown>;
    const { quoteId, expiresAt, handoffUrl, ...rest } = await ask(target, body);
    const { quoteId: _id, expiresAt: _at, handoffUrl: _url, ...expected } = example;
    assert.deepEqual(rest, expected);
    assert.deepEqual([quoteId, expiresAt, handoffUrl].map(formOf), [
      formOf(example['quoteId']),
      formOf(example['expiresAt']),
      formOf(example['handoffUrl']),
    ]);
  });
});

describe('the examples of the guide for a test token', () => {
  const dates = () => exampleDates(localToday('Europe/Rome', Date.now()));
  const ask = async (target: string, body?: unknown): Promise<Record<string, unknown>> => {
    const headers = { authorization: `Bearer ${testToken}`, 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    return (await (await fetch(url + target, { headers, ...sent })).json()) as Record<string, unknown>;
  };

  it('are the answers of the sandbox, to the cent and to the night', async () => {
    const { quote, partlyBooked } = sandboxAnswers(dates());
    const asked = quoteExamples(dates()).body as object;
    const answer = await ask('/v1/quotes', { ...asked, propertyId: quote.propertyId });
    for (const name of ['propertyId', 'stay', 'pricing', 'currency'] as const)
      assert.deepEqual(answer[name], quote[name]);
    const { stay, propertyId } = partlyBooked;
    const query = `checkIn=${stay.checkIn}&checkOut=${stay.checkOut}&guests=${stay.guests}`;
    assert.deepEqual(await ask(`/v1/properties/${propertyId}/availability?${query}`), partlyBooked);
  });

  it('stand on the page', async () => {
    // Pages count their days in UTC: for an hour or two of each night, Rome is a day ahead.
    const { quote, partlyBooked } = sandboxAnswers(exampleDates(localToday('UTC', Date.now())));
    const page = textOf(await (await fetch(`${url}/docs`)).text());
    for (const value of [quote.pricing, partlyBooked.days])
      assert.ok(page.includes(JSON.stringify(value).replaceAll(/\s/g, '')));
    assert.ok(page.includes('opened that address once and accepted it'.replaceAll(/\s/g, '')));
  });
});

/** The text of a page without blanks. */
function textOf(page: string): string {
  return page
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll(/\s/g, '');
}

/** The form of an opaque text: letters and digits are all the same. */
function formOf(text: unknown): string {
  return String(text).replaceAll(/[A-Za-z0-9_-]+/g, 'x');
}

/** With a live token and with a test token. */
async function runs(name: Name, tab: string, file: string, command: string): Promise<void> {
  assert.match(await printedBy(`${name}-${tab}`, file, command, token), PRINTED[name]);
  assert.match(await printedBy(`${name}-test-${tab}`, file, command, testToken), PRINTED_OF_TESTS[name]);
}

async function printedBy(name: string, file: string, command: string, used: string): Promise<string> {
  const path = join(workplace.directory, `${name}-${file}`);
  writeFileSync(path, programs.get(name) ?? '');
  const env = { PATH: process.env['PATH'], STAYPORT_TOKEN: used };
  const { code, stdout, stderr } = await new Promise<{ code: unknown; stdout: string; stderr: string }>(
    (resolve) => {
      execFile(command, [path], { env, timeout: 60_000 }, (error, out, err) =>
        resolve({ code: error?.code ?? 0, stdout: out, stderr: err }),
      );
    },
  );
  assert.equal(code, 0, stderr);
  return stdout;
}
