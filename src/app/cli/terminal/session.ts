/**
 * The environment of every command: settings, database and output. The answer goes to standard output, everything else
 * to standard error.
 */
import { inEnglish, Wrong } from '../../../domain/wrong.ts';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordAct, type TellChange } from '../../../access/audit-trail.ts';
import type { Clock } from '../../../runtime/clock.ts';
import type { Random } from '../../../runtime/random.ts';
import {
  type Environment,
  loadSettings,
  originOf,
  type Settings,
  type SettingSources,
  warnOfEnvironmentFile,
} from '../../settings/settings.ts';
import { withSite } from '../../settings/site-settings.ts';
import { databasePlace, mayHaveData, openStorage } from '../../../storage/open.ts';
import type { AuditedState, Author } from '../../../storage/portable-sql/program.ts';
import type { Storage } from '../../../storage/storage.ts';
import { CommandFailure } from './failure.ts';
import { escapeControls } from './printable.ts';

export interface CommandAct {
  readonly author: Author;
  /** The object of the change, if the act is recorded around its writes; absent if its writes are signed. */
  readonly on?: string;
}

/** `tell`: what it has changed, for the audit trail. */
type UseStorage<T> = (storage: Storage, tell: TellChange) => Promise<T>;

export interface StorageUse {
  /** Reads input while the database writes: on SQLite, that takes a thread. */
  readonly writesMuch?: boolean;
}

export interface Session {
  readonly clock: Clock;
  readonly random: Random;
  /** Those of the environment. Read once, on first use; a wrong setting fails the command. */
  settings(): Settings;
  /** Where the settings come from, beside the environment. */
  readonly sources: SettingSources;
  /** The same session with these values for settings that are not set, in place of their built-in defaults. */
  withDefaults(defaults: Environment): Session;
  /** The same session with these values, whatever is set. */
  withFixed(fixed: Environment): Session;
  /** Opens the database, hands it over, and closes it whatever happens. What the command changes is recorded. */
  withStorage<T>(use: UseStorage<T>, options?: StorageUse): Promise<T>;
  /** Whether the answer is for a program, by `--json`. */
  isJson(): boolean;
  /** Prints the answer: `document` under `--json`, else the text for people, if there is one. */
  answer(document: unknown, readable?: () => string): void;
  /** Prints the answer; the text is a file for other programs, written byte for byte, including its line ends. */
  answerFile(document: unknown, file: () => string): void;
  /**
   * Prints many rows while they are read: as a document under `--json`, else by `file`. They are never all in memory.
   */
  answerRows<Row>(
    parts: AsyncIterable<readonly Row[]>,
    file: (rows: readonly Row[], isFirst: boolean) => string,
  ): Promise<void>;
  /** A line for the person at the terminal, on standard error. */
  note(line: string): void;
}

export interface SessionOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly isJson: () => boolean;
  readonly act?: () => CommandAct | undefined;
  /** Whether the command only says what it would do, by `--dry-run`. */
  readonly isDryRun?: () => boolean;
  /** Whether the command gives an empty database its schema. The others refuse there: it is a mistake in DATABASE_URL. */
  readonly createsSchema?: () => boolean;
  /** The file that `--env-file` names. */
  readonly environmentFile?: () => string | undefined;
  readonly defaults?: Environment;
  readonly fixed?: Environment;
}

export function openSession(options: SessionOptions): Session {
  const { defaults = {}, fixed = {} } = options;
  let settings: Settings | undefined;
  const session: Session = {
    clock: options.clock,
    random: options.random,
    settings() {
      if (settings !== undefined) return settings;
      const loaded = loadSettings(session.sources);
      if (!loaded.ok) throw new CommandFailure(loaded.problem);
      const warning = warnOfEnvironmentFile(session.sources.file);
      if (warning !== undefined) session.note(warning);
      settings = loaded.settings;
      return settings;
    },
    get sources() {
      return { defaults, fixed, file: options.environmentFile?.() };
    },
    isJson: options.isJson,
    withDefaults: (added) => openSession({ ...options, defaults: { ...defaults, ...added } }),
    withFixed: (added) => openSession({ ...options, fixed: { ...fixed, ...added } }),
    async withStorage(use, { writesMuch = false } = {}) {
      const { databaseUrl } = session.settings();
      const createsSchema = options.createsSchema?.() ?? true;
      if (!createsSchema && !mayHaveData(databaseUrl)) throw explainEmpty(session);
      // A dry run creates no database: where there is none, it has an empty one for as long as it runs.
      const scratch = options.isDryRun?.() === true && !mayHaveData(databaseUrl) ? makeScratch() : undefined;
      const url = scratch === undefined ? databaseUrl : `sqlite:${join(scratch, 'empty.db')}`;
      const storage = await openStorage(url, { clock: options.clock, writesHere: !writesMuch });
      try {
        if (!createsSchema && (await storage.schemaState()).version === 0) throw explainEmpty(session);
        await prepareSchema(storage);
        return await useRecorded(storage, options.act?.(), use);
      } finally {
        await storage.close();
        if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true });
      }
    },
    answer(document, readable) {
      const text = options.isJson() ? JSON.stringify(document) : readable?.();
      if (text !== undefined) process.stdout.write(`${escapeControls(text)}\n`);
    },
    answerFile(document, file) {
      if (options.isJson()) session.answer(document);
      else process.stdout.write(file());
    },
    async answerRows(parts, file) {
      for await (const text of options.isJson() ? jsonParts(parts) : fileParts(parts, file))
        if (!process.stdout.write(text)) await once(process.stdout, 'drain');
    },
    note(line) {
      process.stderr.write(`${escapeControls(line)}\n`);
    },
  };
  return session;
}

/** The settings of the environment, with those of the site from the database. */
export async function settingsInForce(
  session: Pick<Session, 'settings'>,
  storage: Pick<Storage, 'readSiteSettings'>,
): Promise<Settings> {
  return withSite(session.settings(), await storage.readSiteSettings()).settings;
}

/** A database without a schema is hardly ever the one that was meant: mostly DATABASE_URL is not set here. */
function explainEmpty(session: Session): CommandFailure {
  const { name } = databasePlace(session.settings().databaseUrl);
  const origin = originOf('DATABASE_URL', session.sources);
  return new CommandFailure(
    `${name} (${origin}) is not the database of a service yet: name that one in DATABASE_URL or by --env-file, or run "stayport migrate" to begin with this one`,
  );
}

function makeScratch(): string {
  return mkdtempSync(join(tmpdir(), 'stayport-dry-run-'));
}

async function* fileParts<Row>(
  parts: AsyncIterable<readonly Row[]>,
  file: (rows: readonly Row[], isFirst: boolean) => string,
): AsyncGenerator<string> {
  // Print what precedes the rows even without rows, and before the first is read.
  yield file([], true);
  for await (const rows of parts) yield file(rows, false);
}

/** The same text as `JSON.stringify` of all rows. */
async function* jsonParts(parts: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let before = '[';
  for await (const rows of parts) {
    if (rows.length === 0) continue;
    yield before + escapeControls(JSON.stringify(rows).slice(1, -1));
    before = ',';
  }
  yield before === '[' ? '[]\n' : ']\n';
}

async function useRecorded<T>(storage: Storage, act: CommandAct | undefined, use: UseStorage<T>): Promise<T> {
  if (act === undefined) return use(storage, auditNothing);
  const signed = storage.asAuthor(act.author);
  if (act.on === undefined) return use({ ...storage, ...signed }, auditNothing);
  return recordAct(signed, act.on, (tell) => use(storage, tell), presentResult);
}

function auditNothing(): void {}

/** Many commands answer a refusal as a value. */
function presentResult(result: unknown): AuditedState {
  const { ok, problem } = (result ?? {}) as { readonly ok?: unknown; readonly problem?: unknown };
  if (ok !== false) return 'done';
  return { refused: problem instanceof Wrong ? inEnglish(problem) : String(problem) };
}

/**
 * The first import gives an empty database its schema. An older schema is left to `migrate` and `serve`: a running
 * server of the older version may still use it.
 */
export async function prepareSchema(storage: Pick<Storage, 'schemaState' | 'migrate'>): Promise<void> {
  const { version, latest, isBehind, refusal } = await storage.schemaState();
  if (refusal !== undefined) throw new CommandFailure(refusal);
  if (!isBehind) return;
  if (version > 0) {
    throw new CommandFailure(
      `the database has schema ${version} and this program needs ${latest}: run "stayport migrate" first`,
    );
  }
  await storage.migrate();
}
