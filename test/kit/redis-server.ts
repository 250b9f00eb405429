/**
 * Redis servers for tests: started from PATH on loopback ports of their own, in a temporary folder, stopped and removed
 * afterwards. A server that somebody else runs is never touched.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ReservedPort, reservePort } from './reserved-port.ts';
import { programsMissing } from './system-programs.ts';

const START_MS_MAX = 10_000;
const CLUSTER_MS_MAX = 30_000;
/** A node that is silent for so long is replaced by its replica. */
const CLUSTER_NODE_TIMEOUT_MS = 1_000;
/** A node's second port, for the other nodes, is this much higher. */
const BUS_PORT_OFFSET = 10_000;

export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** After `kill`: on the same port, empty, as a cache that is not kept on disk. */
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Accepts connections, and answers nothing until `resume`. */
  pause(): void;
  resume(): void;
  /** Runs `redis-cli` on it; what that prints. */
  cli(...args: readonly string[]): string;
  close(): Promise<void>;
}

export interface RedisCluster {
  readonly url: string;
  readonly nodes: readonly RedisServer[];
  /** The nodes that hold keys now. */
  masters(): readonly RedisServer[];
  /** Resolves when all keys can be counted. */
  untilWhole(): Promise<void>;
  close(): Promise<void>;
}

/** Why no Redis can be started here, as the reason for which tests are skipped; false when one can. */
export function redisMissing(): string | false {
  return programsMissing('redis-server', 'redis-cli');
}

/** `settings` are lines of redis.conf as flags, such as `['--requirepass', 'x']`. */
export async function startRedis(settings: readonly string[] = []): Promise<RedisServer> {
  return await startServer(await reservePort(), settings);
}

/** Three nodes that hold keys; with `replicas`, each has one that takes over. */
export async function startRedisCluster({ replicas }: { readonly replicas: boolean }): Promise<RedisCluster> {
  const settings = [
    '--cluster-enabled',
    'yes',
    '--cluster-node-timeout',
    String(CLUSTER_NODE_TIMEOUT_MS),
    // A replica that has not got its first copy yet would not take over.
    '--repl-diskless-sync-delay',
    '0',
  ];
  const nodes: RedisServer[] = [];
  const close = async () => {
    await Promise.all(nodes.map((node) => node.close()));
  };
  try {
    for (let index = 0; index < (replicas ? 6 : 3); index += 1) {
      nodes.push(await startServer(await reservePort({ alsoAt: BUS_PORT_OFFSET }), settings));
    }
    const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`);
    const flags = ['--cluster-replicas', replicas ? '1' : '0', '--cluster-yes'];
    execFileSync('redis-cli', ['--cluster', 'create', ...hosts, ...flags], { stdio: 'pipe' });
    const cluster: RedisCluster = {
      url: `redis-cluster://${hosts.slice(0, 2).join(',')}`,
      nodes,
      masters: () => nodes.filter((node) => isRunning(node) && node.cli('role').startsWith('master')),
      untilWhole: () => untilWhole(nodes),
      close,
    };
    await cluster.untilWhole();
    return cluster;
  } catch (error) {
    await close();
    throw error;
  }
}

async function startServer(reserved: ReservedPort, settings: readonly string[]): Promise<RedisServer> {
  const { port } = reserved;
  const folder = mkdtempSync(join(tmpdir(), 'stayport-redis-'));
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  let server: ChildProcess | undefined;
  let startCount = 0;

  async function start(): Promise<void> {
    // A folder for each start: a cluster node that comes back empty must not find what it was told before.
    const home = join(folder, String((startCount += 1)));
    mkdirSync(home);
    const log: string[] = [];
    const started = spawn('redis-server', [...flags, '--dir', home, ...settings], { stdio: 'pipe' });
    started.stdout.setEncoding('utf8').on('data', (text: string) => log.push(text));
    started.stderr.setEncoding('utf8').on('data', (text: string) => log.push(text));
    server = started;
    const giveUpAtMs = performance.now() + START_MS_MAX;
    while (!log.join('').includes('Ready to accept connections')) {
      if (started.exitCode !== null || performance.now() > giveUpAtMs) throw new Error(log.join(''));
      await sleep(20);
    }
  }

  async function kill(): Promise<void> {
    const ended = server;
    server = undefined;
    if (ended === undefined || ended.exitCode !== null || ended.signalCode !== null) return;
    const exited = once(ended, 'exit');
    ended.kill('SIGKILL');
    await exited;
  }

  // A test process that is interrupted must not leave a server behind.
  const onExit = () => {
    server?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', onExit);
  await start();
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    pause: () => void server?.kill('SIGSTOP'),
    resume: () => void server?.kill('SIGCONT'),
    cli: (...args) =>
      execFileSync('redis-cli', ['-p', String(port), ...args], { encoding: 'utf8', stdio: 'pipe' }),
    async close() {
      await kill();
      process.off('exit', onExit);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      await reserved.release();
    },
  };
}

function isRunning(node: RedisServer): boolean {
  try {
    return node.cli('ping').startsWith('PONG');
  } catch {
    return false;
  }
}

/** Every node that runs knows all slots to be served, and each replica has what its master has. */
async function untilWhole(nodes: readonly RedisServer[]): Promise<void> {
  const giveUpAtMs = performance.now() + CLUSTER_MS_MAX;
  const isWhole = (node: RedisServer): boolean =>
    node.cli('cluster', 'info').includes('cluster_state:ok') &&
    !node.cli('info', 'replication').includes('master_link_status:down');
  while (!nodes.filter(isRunning).every(isWhole)) {
    if (performance.now() > giveUpAtMs) throw new Error('the Redis Cluster did not come together');
    await sleep(100);
  }
}
