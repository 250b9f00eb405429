/**
 * The parts of the tests, and which files run in a process together. `npm test` is `check` and `quick`;
 * `npm run test:all` is all of them.
 */
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');

/** Most processes wait half of their time: three times as many as a small machine has processors. */
export const PROCESSES_AT_ONCE = 6;
/** Several files of `rest` start services and browsers of their own, which are as many processes again. */
const WHOLE_SERVICES_AT_ONCE = 4;
/** Enough to load their modules once, few enough that none ends long after the others. */
const SHARED_FILES_MAX = 30;

/** They measure time, and more than one other file beside them would be measured as well. */
const TIMED = [
  'src/read-model/following/catalogue-follower.test.ts',
  'src/partner/http/shedding.test.ts',
  'src/http/listener/closing.test.ts',
  'src/http/listener/pipelining.test.ts',
  'src/limits/shared-limits.test.ts',
  'src/runtime/event-loop-watch.test.ts',
  'src/storage/engine/postgres/postgres-failures.test.ts',
  'src/storage/engine/sqlite/sqlite-failures.test.ts',
  'src/storage/engine/sqlite/sqlite-processes.test.ts',
  'test/drain.test.ts',
  'test/e2e/partner/changes.test.ts',
  'test/e2e/partner/revocation.test.ts',
  'test/serve.test.ts',
  'test/workers.test.ts',
];

/** Unit tests that take seconds of a processor each: pictures, simulations, and suites that run on PostgreSQL too. */
const SLOW = [
  'src/app/service/pictures/picture-process.test.ts',
  'src/read-model/catalogue/index/index-edges.test.ts',
  'src/partner/changes/true-copies.test.ts',
  'src/read-model/following/follower-simulation.test.ts',
  'src/storage/copy/copy-database.test.ts',
  'src/storage/engine/postgres/postgres-silence.test.ts',
  'src/storage/engine/postgres/postgres-writers.test.ts',
  'src/storage/postgres-storage.test.ts',
  'src/storage/supply/killed-messages.test.ts',
  'src/partner/webhooks/start-webhooks.test.ts',
];

/**
 * Each of these files is short, and spends most of its time on loading the same modules: one process runs many of them,
 * one after the other (`shared-files.ts`). They keep nothing outside of themselves, and none of them measures time or
 * memory.
 */
const SHARED =
  'src/{access,contract,domain,handoff,portal,app/settings,console/{pages,reading,web},operator/activity,http/{html,observability},partner/{quotes,sandbox},traveller/{attribution,web}}/**/*.test.ts';

/** As well, but these wait for servers and threads: a file that fails runs a second time. */
const SHARED_SOURCES =
  'src/{app/{cli,service,workers},console/http,operator/listener,http/{answers,listener,pages},limits,partner/{http,mcp},supply,traveller/http}/**/*.test.ts';
/** The contract on a running service. */
const CONTRACT =
  'test/e2e/{operator/handoff,partner/{answers,limits,parameters,problems,quote-body,quotes,sandbox,search,stays,visibility}}.test.ts';
/** The other families of operations, and supply. */
const CONTRACT_ALONE = 'test/e2e/{operator/supply,partner/{change-feed,cities,content,stay-prices}}.test.ts';
/** Whole services under one seeded clock; the rest of its folder tries more of the same. */
const STORIES = 'test/simulation/stories.test.ts';
const SHARED_SERVICES =
  'test/e2e/{operator/audit,portal/documents,partner/{database-away,freshness,history-lost,local-days,messages,sandbox-problems,stored-quotes,unmet-demand},traveller/{pictures,published-calendars}}.test.ts';

/** They watch the memory of their process, or take so long that a process of their own ends sooner. */
const ALONE = [
  'src/http/listener/request-body.test.ts',
  'src/http/listener/body-chunks.test.ts',
  'src/app/service/pictures/picture-process.test.ts',
  'src/supply/inside-airbnb/inside-airbnb.test.ts',
  'src/supply/messages/supply-retention.test.ts',
  'src/supply/run/import-run.test.ts',
  'src/supply/text/ndjson-lines.test.ts',
  'src/supply/ical/mutated-calendars.test.ts',
  'src/supply/messages/mutated-messages.test.ts',
  'src/supply/rates/rates-file.test.ts',
];

/**
 * It has hundreds of pictures decoded, at a low priority: beside five other processes they take eight times as long as
 * alone.
 */
const HOUR = 'test/e2e/console/by-hand-browser.test.ts';

/** They wait for timers of seconds, and nothing that they assert depends on who else has the processors. */
const WAITING_FAULTS = ['activity', 'clock-steps', 'feeds', 'held-connections', 'redis', 'redis-cluster'].map(
  (name) => `test/faults/${name}.test.ts`,
);

/**
 * Counting every branch makes two of them take three times as long, and they reach few lines that no other test reaches.
 * The processes of the third are killed while they write their counts, and Node gives up over a file that is cut.
 */
const UNCOUNTED = new Set([
  'src/app/service/pictures/picture-process.test.ts',
  'src/read-model/catalogue/index/index-edges.test.ts',
  'src/read-model/following/follower-simulation.test.ts',
]);

const UNIT = 'src/**/*.test.ts';
const WHOLE = ['test/*.test.ts', 'test/{e2e,kit,simulation}/**/*.test.ts', '{sdk,mcp}/test/**/*.test.ts'];

/** A process: it runs test files, or is a command whose exit code says how it went. */
export interface Job {
  readonly name: string;
  readonly files: readonly string[];
  readonly command?: readonly string[];
  /** It waits for programs, servers or threads: a file that fails runs a second time. */
  readonly mayRepeat: boolean;
}

export interface Stage {
  readonly atOnce: number;
  readonly jobs: readonly Job[];
}

export interface Part {
  /** One PostgreSQL server for all files; those of other parts stop theirs, or measure. */
  readonly sharesPostgres?: boolean;
  /** One after the other. */
  readonly stages: () => readonly Stage[];
}

export const PARTS: Readonly<Record<string, Part>> = {
  check: { stages: () => [oneByOne([commandJob('npm run check', ['npm', 'run', '-s', 'check'])])] },
  quick: { sharesPostgres: true, stages: () => [atOnce(quick())] },
  rest: {
    sharesPostgres: true,
    stages: () => [atOnce(rest(), WHOLE_SERVICES_AT_ONCE), oneByOne([alone(HOUR)])],
  },
  timed: { stages: () => [{ atOnce: 2, jobs: TIMED.map(alone) }] },
  faults: { stages: () => [atOnce(WAITING_FAULTS.map(alone)), oneByOne(loneFaults().map(alone))] },
  runtimes: {
    stages: () => [
      oneByOne([commandJob('npm run test:runtimes', [process.execPath, 'sdk/test/runtimes.ts'])]),
    ],
  },
  release: { stages: () => [oneByOne(filesOf('test/release/*.test.ts').map(alone))] },
};

/** In a process of its own. */
export function alone(file: string): Job {
  return { name: file, files: [file], mayRepeat: true };
}

/** Unit tests whose lines are counted. */
export function countedFiles(): string[] {
  return untimed(UNIT).filter((file) => !UNCOUNTED.has(file));
}

/** A file that was moved would silently run in another way. */
export function assertNamedFilesExist(): void {
  const named = [STORIES, HOUR, ...TIMED, ...SLOW, ...ALONE, ...WAITING_FAULTS, ...UNCOUNTED];
  const gone = named.filter((file) => !existsSync(join(ROOT, file)));
  if (gone.length > 0) throw new Error(`no such test: ${gone.join(', ')}`);
}

function commandJob(name: string, command: readonly string[]): Job {
  return { name, files: [], command, mayRepeat: false };
}

function atOnce(jobs: readonly Job[], count: number = PROCESSES_AT_ONCE): Stage {
  return { atOnce: count, jobs };
}

function oneByOne(jobs: readonly Job[]): Stage {
  return { atOnce: 1, jobs };
}

/** The files that take longest alone begin first. */
function quick(): Job[] {
  const files = untimed(UNIT).filter((file) => !SLOW.includes(file));
  const waiting = untimed(SHARED_SOURCES).filter((file) => !ALONE.includes(file));
  const shared = [
    ...together(untimed(CONTRACT), true),
    ...together(waiting, true),
    ...together(untimed(SHARED), false),
  ];
  return [...untimed(CONTRACT_ALONE).map(alone), alone(STORIES), ...shared, ...others(files, shared)];
}

/** Those in a browser take longest, so they begin first. */
function rest(): Job[] {
  const contract = new Set([CONTRACT, CONTRACT_ALONE, STORIES].flatMap(untimed));
  const files = WHOLE.flatMap(untimed).filter((file) => !contract.has(file) && file !== HOUR);
  const inBrowser = files.filter((file) => file.includes('browser'));
  const shared = together(untimed(SHARED_SERVICES), true);
  return [...[...inBrowser, ...SLOW].map(alone), ...shared, ...others(files, shared, inBrowser)];
}

/** Each in a process of its own. */
function others(files: readonly string[], shared: readonly Job[], taken: readonly string[] = []): Job[] {
  const elsewhere = new Set([...taken, ...shared.flatMap((job) => job.files)]);
  return files.filter((file) => !elsewhere.has(file)).map(alone);
}

/** In processes of about as many files each. */
function together(files: readonly string[], mayRepeat: boolean): Job[] {
  const count = Math.ceil(files.length / SHARED_FILES_MAX);
  return Array.from({ length: count }, (_, index) => {
    const own = files.filter((_file, place) => place % count === index);
    return { name: `${own[0]} and ${own.length - 1} more`, files: own, mayRepeat };
  });
}

function untimed(pattern: string): string[] {
  return filesOf(pattern).filter((file) => !TIMED.includes(file));
}

function loneFaults(): string[] {
  return filesOf('test/faults/**/*.test.ts').filter((file) => !WAITING_FAULTS.includes(file));
}

function filesOf(pattern: string): string[] {
  return globSync(pattern, { cwd: ROOT }).sort();
}
