/**
 * What every command works with: the settings, the database, and the two ways out: one answer on standard output,
 * everything else on standard error.
 */
import type { Clock } from '../../runtime/clock.ts';
import type { Random } from '../../runtime/random.ts';
import {
  type Environment,
  loadSettings,
  type Settings,
  warnOfEnvironmentFile,
} from '../../settings/settings.ts';
import { openStorage } from '../../storage/open.ts';
import type { Storage } from '../../storage/storage.ts';
import { CommandFailure } from './failure.ts';
import { escapeControls } from './printable.ts';

export interface Session {
  readonly clock: Clock;
  readonly random: Random;
  /** Read once, when the first command asks; a wrong one fails the command. */
  settings(): Settings;
  /** What settings are where the environment doesn't set them, in place of their own defaults. */
  readonly defaults: Environment;
  /** The same session with such defaults. */
  withDefaults(defaults: Environment): Session;
  /** Opens the database, hands it over, and closes it whatever happens. */
  withStorage<T>(use: (storage: Storage) => Promise<T>): Promise<T>;
  /** The answer of the command: `document` under `--json`, else the text for people, or nothing without one. */
  answer(document: unknown, readable?: () => string): void;
  /** The same where the text is a file for other programs: written byte for byte, its line ends too. */
  answerFile(document: unknown, file: () => string): void;
  /** A line for the person at the terminal, on standard error. */
  note(line: string): void;
}

export interface SessionOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly isJson: () => boolean;
  readonly defaults?: Environment;
}

export function openSession(options: SessionOptions): Session {
  const { defaults = {} } = options;
  let settings: Settings | undefined;
  const session: Session = {
    clock: options.clock,
    random: options.random,
    settings() {
      if (settings !== undefined) return settings;
      const loaded = loadSettings(defaults);
      if (!loaded.ok) throw new CommandFailure(loaded.problem);
      const warning = warnOfEnvironmentFile();
      if (warning !== undefined) session.note(warning);
      settings = loaded.settings;
      return settings;
    },
    defaults,
    withDefaults: (added) => openSession({ ...options, defaults: { ...defaults, ...added } }),
    async withStorage(use) {
      const storage = await openStorage(session.settings().databaseUrl, { clock: options.clock });
      try {
        await prepareSchema(storage);
        return await use(storage);
      } finally {
        await storage.close();
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
    note(line) {
      process.stderr.write(`${escapeControls(line)}\n`);
    },
  };
  return session;
}

/**
 * An empty database gets its schema from whichever command comes first. An older schema is left to `migrate` and
 * `serve`: a running server of the older version may still be using it.
 */
export async function prepareSchema(storage: Pick<Storage, 'schemaState' | 'migrate'>): Promise<void> {
  const { version, latest } = await storage.schemaState();
  if (version === latest) return;
  if (version === 0) {
    await storage.migrate();
    return;
  }
  throw new CommandFailure(
    version < latest
      ? `the database has schema ${version} and this program needs ${latest}: run "stayport migrate" first`
      : `the database has schema ${version}, which is newer than this program (${latest}): use a newer Stayport`,
  );
}
