/**
 * PostgreSQL databases for tests: each new and empty.
 */
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  borrowPostgres,
  type PostgresServer,
  postgresMissing,
  SHARED_POSTGRES,
  type SharedPostgres,
  startPostgres,
} from '../../kit/postgres-server.ts';
import type { Clock } from '../../../src/runtime/clock.ts';
import { type Storage, StorageUnavailable } from '../../../src/storage/storage.ts';
import type { OpenFixture } from './fixture.ts';
import { openPostgresStorage } from '../../../src/storage/open-postgres.ts';
import { parsePostgresUrl } from '../../../src/storage/engine/postgres/postgres-url.ts';

const RECOVERED_MS_MAX = 5_000;

/** A suite with databases, or the reason why it can't run here: on the server of the run where there is one. */
export function describePostgres(name: string, body: (server: () => SharedPostgres) => void): void {
  const port = process.env[SHARED_POSTGRES];
  describeServer(
    name,
    async () => (port === undefined ? startPostgres() : borrowPostgres(Number(port))),
    body,
  );
}

/** A suite with a server of its own, which it may stop, kill and configure. */
export function describeOwnPostgres(name: string, body: (server: () => PostgresServer) => void): void {
  describeServer(name, startPostgres, body);
}

function describeServer<Server extends SharedPostgres>(
  name: string,
  open: () => Promise<Server>,
  body: (server: () => Server) => void,
): void {
  describe(name, { skip: postgresMissing() }, () => {
    let server: Server | undefined;
    before(async () => {
      server = await open();
    });
    after(() => server?.close());
    body(() => {
      assert.ok(server, 'the server has been started');
      return server;
    });
  });
}

/** A machine may stand still for a second: only tests of failures are as impatient as a service. */
const PATIENT_MS = 30_000;

export async function openPostgres(
  url: string,
  clock: Clock,
  decisionMs: number = PATIENT_MS,
): Promise<Storage> {
  const parsed = parsePostgresUrl(url);
  assert.ok(parsed.ok);
  return openPostgresStorage({ databaseUrl: url, target: parsed.target, clock, decisionMs });
}

/** Until the database is back: no other failure is borne, and this one not for long. */
export async function untilItWorks(call: () => Promise<unknown>): Promise<void> {
  const giveUpAtMs = performance.now() + RECOVERED_MS_MAX;
  for (;;) {
    try {
      await call();
      return;
    } catch (error) {
      if (!(error instanceof StorageUnavailable) || performance.now() > giveUpAtMs) throw error;
    }
    await sleep(20);
  }
}

/** A database that others are copied from; nobody is connected to it. */
async function createMigratedDatabase(server: SharedPostgres): Promise<string> {
  const url = await server.createDatabase();
  const storage = await openPostgres(url, () => 0);
  await storage.migrate();
  await storage.close();
  return url;
}

/** For the contract suite. */
export function openPostgresFixture(server: () => SharedPostgres): OpenFixture {
  let migrated: Promise<string> | undefined;
  return async ({ clock, mayBeMigrated = false }) => {
    migrated ??= createMigratedDatabase(server());
    const url = await server().createDatabase(mayBeMigrated ? await migrated : undefined);
    const opened: Storage[] = [];
    async function openAnother(): Promise<Storage> {
      const storage = await openPostgres(url, clock);
      opened.push(storage);
      return storage;
    }
    return {
      storage: await openAnother(),
      openAnother,
      async pretendSchemaVersion(version) {
        await server().query(
          `DELETE FROM schema_version; DELETE FROM schema_releases;
           INSERT INTO schema_version VALUES (${version}, '', 0)`,
          url,
        );
      },
      async execute(sql) {
        await server().query(sql, url);
      },
      async loseConnections() {
        await server().query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${new URL(url).pathname.slice(1)}'`,
        );
      },
      async close() {
        for (const storage of opened) await storage.close();
      },
    };
  };
}
