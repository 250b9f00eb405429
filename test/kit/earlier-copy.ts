/** A database that goes back: copies of earlier states, and putting one in the place of what runs. */
import { existsSync, renameSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import type { SharedPostgres } from './postgres-server.ts';

/** A copy of one database, which processes may have open. */
export interface EarlierCopy {
  /** Keeps the state of now. */
  keep(): Promise<void>;
  /** Puts the copy back under the same URL. */
  goBack(): Promise<void>;
}

/** As sqlite3's `.restore`: through SQLite's own locks, in the same file. */
export function earlierSqlite(path: string): EarlierCopy {
  const copy = `${path}.kept`;
  return {
    async keep() {
      const database = new DatabaseSync(path, { timeout: 5_000 });
      database.exec(`VACUUM INTO '${copy}'`);
      database.close();
    },
    async goBack() {
      const source = new DatabaseSync(copy);
      await backup(source, path);
      source.close();
    },
  };
}

/** As an operator who moves the file and its log away and puts the backup in place. */
export function replacedSqlite(path: string): EarlierCopy {
  const restored = earlierSqlite(path);
  return {
    keep: () => restored.keep(),
    async goBack() {
      for (const suffix of ['', '-wal', '-shm']) {
        if (existsSync(path + suffix)) renameSync(path + suffix, `${path}.lost${suffix}`);
      }
      renameSync(`${path}.kept`, path);
    },
  };
}

/** As an operator who restores beside it and swaps the names. */
export function earlierPostgres(server: SharedPostgres, url: string): EarlierCopy {
  const name = new URL(url).pathname.slice(1);
  const kept = `${name}_kept`;
  const endSessions = (database: string) =>
    server.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`);
  /** New sessions may begin between two statements, so it is tried again. */
  async function alone(database: string, statement: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      await server.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`);
      await endSessions(database);
      try {
        await server.query(statement);
        return;
      } catch (error) {
        if (attempt === 100) throw error;
      }
    }
  }
  return {
    async keep() {
      await alone(name, `CREATE DATABASE ${kept} OWNER stayport TEMPLATE ${name}`);
      await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    },
    async goBack() {
      await alone(name, `ALTER DATABASE ${name} RENAME TO ${name}_lost`);
      await server.query(`ALTER DATABASE ${kept} RENAME TO ${name}`);
      await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
    },
  };
}
