/**
 * The edges of the command line, in processes of their own: imports that read standard input, output that nobody reads,
 * and each limit of an option at its value and one past it.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { QUOTA_MAX } from '../src/access/token-terms.ts';
import { STAY_GUESTS_MAX, STAY_NIGHTS_MAX } from '../src/domain/stay-limits.ts';
import { DELIVERIES_MAX } from '../src/partner/webhooks/delivery-retention.ts';
import { activityPathOf } from '../src/storage/activity/activity-path.ts';
import { hotel } from './kit/catalogue-lines.ts';
import { baseEnvironment, BIN, type Ended, firstLine, until, Workplace } from './kit/command-line.ts';
import { WorkplaceHere } from './kit/commands-here.ts';

const HOTELS = ['one', 'two', 'three'].map((id) => JSON.stringify(hotel(id)));
const ALL = HOTELS.join('\n');
const BROKEN = '{"propertyId":"broken"}';
const RATES = 'propertyId,inventoryTypeId,dateFrom,dateTo,availability\n';
const NONE = { read: 0, created: 0, changed: 0, unchanged: 0, withdrawn: 0, rejected: 0 };

/** The summary that an import prints, without its time. */
function countsOf({ stdout, stderr }: Ended): Record<string, unknown> {
  assert.notEqual(stdout, '', stderr);
  const { seconds, ...counts } = JSON.parse(stdout) as Record<string, unknown>;
  assert.equal(typeof seconds, 'number');
  return counts;
}

function assertNoStack(stderr: string): void {
  assert.doesNotMatch(stderr, /^ +at |EPIPE|unexpected error/m);
}

describe('An import of a catalogue from standard input', () => {
  const workplace = new Workplace();
  const temporary = join(workplace.directory, 'temporary');
  mkdirSync(temporary);
  after(() => workplace.remove());
  const take = (input: string, ...options: readonly string[]) =>
    workplace.run(['import', 'catalogue', '-', ...options, '--json'], { input, env: { TMPDIR: temporary } });
  const storedIds = async () => {
    const { stdout } = await workplace.run(['export', 'catalogue']);
    const lines = stdout.split('\n').filter((line) => line !== '');
    return lines.map((line) => (JSON.parse(line) as { propertyId: string }).propertyId).toSorted();
  };

  it('writes nothing with --dry-run, and all of it with --strict', async () => {
    const dry = await take(ALL, '--dry-run', '--strict');
    const wouldBe = { ...NONE, read: 3, created: 3, setByHand: [], setByHandLeftOut: 0 };
    assert.deepEqual([dry.code, countsOf(dry)], [0, wouldBe]);
    const strict = await take(ALL, '--strict');
    assert.deepEqual([strict.code, countsOf(strict)], [0, { ...NONE, read: 3, created: 3 }]);
    assert.deepEqual(await storedIds(), ['one', 'three', 'two']);
    assert.deepEqual(readdirSync(temporary), [], 'what was kept to be read twice is gone');
  });

  it('writes nothing with --strict where a line is rejected, and leaves no file behind', async () => {
    const changed = HOTELS[0]!.replace('"two"', '"2"');
    const strict = await take(`${changed}\n${BROKEN}`, '--strict', '--replace');
    assert.deepEqual([strict.code, countsOf(strict)['rejected']], [1, 1]);
    assert.match(strict.stderr, /^stdin:2: name: .*\n[^]*stayport: 1 rejected, so nothing .*--strict/m);
    assert.deepEqual(await storedIds(), ['one', 'three', 'two']);
    assert.deepEqual(readdirSync(temporary), []);
  });

  it('withdraws with --replace what is not named, of this source alone, and not for a rejected line', async () => {
    const other = await take(JSON.stringify(hotel('four')), '--source', 'other', '--replace');
    assert.deepEqual(countsOf(other), { ...NONE, read: 1, created: 1 });
    const named = HOTELS.slice(0, 1).concat('{"propertyId":"two"}').join('\n');
    const dry = await take(named, '--replace', '--dry-run');
    assert.equal(countsOf(dry)['withdrawn'], 1);
    const replaced = await take(named, '--replace');
    assert.deepEqual(
      [replaced.code, countsOf(replaced)],
      [0, { ...NONE, read: 2, unchanged: 1, withdrawn: 1, rejected: 1 }],
    );
    assert.deepEqual(await storedIds(), ['one', 'two']);
  });

  it('refuses the options of spreadsheets: it reads lines of JSON', async () => {
    for (const option of [['--sheet', 'Catalogo'], ['--encoding', 'windows-1250'], ['--ignore-columns']]) {
      const refused = await take(ALL, ...option);
      assert.deepEqual([refused.code, refused.stdout], [2, ''], refused.stderr);
      const line = new RegExp(`^stayport: ${option[0]} is for spreadsheets .*: - is read as NDJSON\n$`);
      assert.match(refused.stderr, line);
    }
    assert.deepEqual(await storedIds(), ['one', 'two']);
  });
});

describe('An import of rates from standard input', () => {
  const workplace = new Workplace();
  before(() => workplace.json(['import', 'catalogue', '-'], { input: ALL }));
  after(() => workplace.remove());
  const take = (input: string, ...options: readonly string[]) =>
    workplace.run(['import', 'rates', '-', ...options, '--json'], { input });
  const row = (units: number, more = '') => `one,double,2027-01-01,2027-01-01,${units}${more}\n`;
  const shown = async () => JSON.stringify(await workplace.json(['property', 'show', 'one']));

  it('takes each option that a file takes', async () => {
    const before = await shown();
    const dry = await take(RATES + row(7), '--dry-run');
    assert.deepEqual([dry.code, countsOf(dry)['changed']], [0, 1]);
    const rejected = 'unknown,double,2027-01-01,2027-01-01,1\n';
    const strict = await take(RATES + row(7) + rejected, '--strict');
    assert.equal(strict.code, 1);
    assert.match(strict.stderr, /^stdin:3: propertyId: .*\nstayport: 1 rejected, so nothing was written/);
    const wrong = RATES.replace('\n', ',Nota\n') + row(7, ',x');
    const unknown = await take(wrong);
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /^stayport: stdin .*Nota/);
    const sheet = await take(RATES + row(7), '--sheet', 'Tariffe');
    assert.equal(sheet.code, 1);
    assert.match(sheet.stderr, /^stayport: stdin is not a workbook/);
    assert.equal(await shown(), before);
    const done = await take(wrong, '--ignore-columns', '--encoding', 'windows-1250', '--strict');
    assert.deepEqual([done.code, countsOf(done)['changed']], [0, 1], done.stderr);
    const ofOther = await take(RATES + row(6), '--source', 'pms');
    assert.deepEqual([ofOther.code, countsOf(ofOther)['changed']], [0, 1], ofOther.stderr);
  });

  it('is refused where nothing comes', async () => {
    const empty = await take('');
    assert.equal(empty.code, 1);
    assert.equal(empty.stderr, 'stayport: stdin is empty: the first line must name the columns\n');
  });
});

describe('A command whose output nobody reads on', () => {
  const workplace = new Workplace();
  const manyCount = 600;
  before(async () => {
    const many = Array.from({ length: manyCount }, (_, index) => JSON.stringify(hotel(`many-${index}`)));
    await workplace.json(['import', 'catalogue', '-'], { input: many.join('\n') });
  });
  after(() => workplace.remove());
  /** Ended, with this stream closed before a byte of it was read. */
  const runClosed = async (
    stream: 'stdout' | 'stderr',
    args: readonly string[],
    input = '',
  ): Promise<Ended> => {
    const started = workplace.start(args, { input });
    started.child[stream]!.destroy();
    return await started.ended;
  };

  it('ends well after the first line of many', async () => {
    for (const args of [[], ['--json'], ['--format', 'csv']]) {
      const started = workplace.start(['export', 'catalogue', ...args]);
      if (args[0] === '--json') await new Promise((resolve) => started.child.stdout!.once('data', resolve));
      else await firstLine(started);
      started.child.stdout!.destroy();
      const { code, signal, stderr } = await started.ended;
      assert.deepEqual([code, signal, stderr], [0, null, ''], args.join(' '));
    }
  });

  it('ends well without a line, whatever it prints', async () => {
    for (const args of [
      ['export', 'catalogue'],
      ['export', 'catalogue', '--json'],
      ['template', 'catalogue'],
      ['source', 'list'],
      ['freshness', '--json'],
      ['partner', 'list'],
      ['settings', 'list'],
      ['property', 'show', 'many-1'],
      ['demand', '--csv'],
      ['--help'],
      ['--version'],
    ]) {
      const { code, signal, stderr } = await runClosed('stdout', args);
      assert.deepEqual([code, signal, stderr], [0, null, ''], args.join(' '));
    }
  });

  it('keeps the exit code of what failed', async () => {
    const strict = await runClosed('stdout', ['import', 'catalogue', '-', '--strict'], BROKEN);
    assert.equal(strict.code, 1);
    assert.match(strict.stderr, /stayport: 1 rejected, so nothing was written \(--strict\)\n$/);
    const rates = await runClosed('stdout', ['import', 'rates', '-', '--json']);
    assert.equal(rates.code, 1);
    for (const { stderr } of [strict, rates]) assertNoStack(stderr);
  });

  it('goes on where nobody reads its complaints', async () => {
    const lines = Array.from({ length: 3 * manyCount }, () => BROKEN).concat(
      JSON.stringify(hotel('behind-mistakes')),
    );
    const input = lines.join('\n');
    const ended = await runClosed('stderr', ['import', 'catalogue', '-', '--json'], input);
    assert.deepEqual([ended.code, ended.signal], [0, null]);
    const { created, rejected } = countsOf(ended);
    assert.deepEqual([created, rejected], [1, 3 * manyCount]);
    const failed = await runClosed('stderr', ['property', 'show', 'nobody']);
    assert.deepEqual([failed.code, failed.signal], [1, null]);
    const usage = await runClosed('stderr', ['property', 'show']);
    assert.deepEqual([usage.code, usage.signal], [2, null]);
  });

  for (const stream of ['stdout', 'stderr'] as const)
    it(`serves on where nobody reads its ${stream}`, async () => {
      const started = workplace.start(['serve', '--json'], { env: { PORT: '0', OPERATOR_PORT: '0' } });
      started.child[stream]!.destroy();
      const { printed, child } = started;
      const listening = () => /"operatorUrl":"([^"]+)"/.exec(printed.stderr + printed.stdout);
      await until(async () => listening() !== null || child.exitCode !== null);
      assert.equal(child.exitCode, null, printed.stderr);
      const isReady = async () => (await fetch(`${listening()![1]}/readyz`)).status === 200;
      await until(isReady);
      child.kill('SIGTERM');
      const { code, stderr } = await started.ended;
      assert.equal(code, 0, stderr);
      assertNoStack(stderr);
    });

  it('says so where its output can not be written', { skip: process.platform !== 'linux' }, () => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [BIN, 'export', 'catalogue'], {
      env: { ...baseEnvironment(), ...workplace.environment },
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    assert.equal(status, 1);
    assert.match(stderr, /^stayport: standard output can't be written: ENOSPC.*\n$/);
  });
});

describe('A limit of an option', () => {
  const workplace = new WorkplaceHere();
  before(async () => {
    await workplace.json(['import', 'catalogue', '-'], { input: JSON.stringify(hotel('ponte')) });
    await workplace.json(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
  });
  after(() => workplace.remove());

  const DAY = ['--from', '2027-01-04', '--to', '2027-01-04'];
  const NIGHTS = ['nights', 'set', '--property', 'ponte', '--type', 'double', ...DAY, '--dry-run'];
  const STAY = ['quote', 'explain', '--property', 'ponte', '--check-in', '2027-01-04'];
  /** An option at the end of a command, which is answered with each end of its range. */
  const RANGES: readonly (readonly [command: readonly string[], min: number, max: number])[] = [
    [['requests', '--limit'], 1, 10_000],
    [['traffic', '--limit'], 1, 10_000],
    [['demand', '--limit'], 1, 10_000],
    [['freshness', '--stale-hours'], 0, 100_000],
    [[...STAY, '--check-out', '2027-01-06', '--guests'], 1, STAY_GUESTS_MAX],
    [['credential', 'issue', '--partner', 'acme', '--quota'], 1, QUOTA_MAX],
    [['webhook', 'deliveries', 'none', '--limit'], 1, DELIVERIES_MAX],
    [[...NIGHTS, '--units'], 0, 10_000],
    [[...NIGHTS, '--min-stay'], 1, STAY_NIGHTS_MAX],
  ];

  it('is taken at its value, and is bad usage one past it', async () => {
    for (const [command, min, max] of RANGES) {
      for (const value of [min, max]) {
        const { code, stderr } = await workplace.run([...command, String(value)]);
        assert.notEqual(code, 2, stderr);
        assert.doesNotMatch(stderr, /must be/, command.join(' '));
      }
      for (const value of [min - 1, max + 1]) {
        const { code, stderr } = await workplace.run([...command, String(value)]);
        assert.equal(code, 2, `${command.join(' ')} ${value}: ${stderr}`);
        assert.match(stderr, new RegExp(`^stayport: .*whole number from ${min} to ${max}\\b.*\n$`, 'i'));
      }
    }
  });

  it('on requests of an assistant is bad usage one past it, before anything listens', async () => {
    const mcp = ['mcp', '--url', 'http://127.0.0.1:1', '--limit'];
    // Without --listen it is refused for another reason.
    assert.doesNotMatch((await workplace.run([...mcp, '1000000'])).stderr, /whole number/);
    const { code, stderr } = await workplace.run([...mcp, '1000001']);
    assert.equal(code, 2);
    assert.match(stderr, /whole number from 0 to 1000000/);
  });

  it('holds for the nights of a stay', async () => {
    const explain = (nightCount: number) => {
      const checkOut = new Date(Date.UTC(2027, 0, 4 + nightCount)).toISOString().slice(0, 10);
      return workplace.run([...STAY, '--guests', '2', '--check-out', checkOut]);
    };
    assert.equal((await explain(STAY_NIGHTS_MAX)).code, 0);
    const { code, stderr } = await explain(STAY_NIGHTS_MAX + 1);
    assert.deepEqual([code, stderr], [2, `stayport: a stay has at most ${STAY_NIGHTS_MAX} nights\n`]);
    assert.equal((await explain(0)).code, 2);
  });

  it('holds for the places that are printed: 200 000, and no part of more', async () => {
    const database = new DatabaseSync(activityPathOf(workplace.databasePath));
    const insert = database.prepare('INSERT INTO unknown_places (day, place, searches) VALUES (?, ?, 3)');
    const day = Date.UTC(2026, 10, 1) / 86_400_000;
    database.exec('BEGIN');
    for (let index = 0; index < 200_000; index += 1) insert.run(day, `place ${index}`);
    database.exec('COMMIT');
    const unknown = ['demand', '--unknown', '--from', '2026-11-01', '--to', '2026-11-01', '--json'];
    const all = await workplace.run(unknown);
    assert.equal(all.code, 0, all.stderr);
    assert.equal((JSON.parse(all.stdout) as unknown[]).length, 200_000);
    insert.run(day, 'one more');
    database.close();
    const more = await workplace.run(unknown);
    assert.deepEqual([more.code, more.stdout], [1, '']);
    assert.match(more.stderr, /^stayport: more than 200000 rows: ask for fewer days .*\n$/);
  });
});
