import type { Command } from 'commander';
import { type CopyProgress, copyDatabase } from '../../../storage/copy/copy-database.ts';
import { accessTables, DatabaseUrlInvalid, openStorage } from '../../../storage/open.ts';
import {
  SchemaMismatch,
  type SeenProcess,
  type Storage,
  StorageUnavailable,
} from '../../../storage/storage.ts';
import { PROCESS_SEEN_MS } from '../../../storage/processes/store.ts';
import type { TableAccess } from '../../../storage/copy/tables.ts';
import { example, helpLines } from '../terminal/example.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { formatTable } from '../terminal/readable.ts';
import type { Session } from '../terminal/session.ts';

interface CopyUrls {
  readonly from: string;
  readonly to: string;
}

const PROGRESS_INTERVAL_MS = 3000;

export function addDatabaseCommands(databases: Command, session: Session): void {
  databases
    .command('copy')
    .description('copy everything to an empty database, and compare it row by row')
    .requiredOption('--from <url>', 'the database that has the data')
    .requiredOption('--to <url>', 'the database to fill; it must be empty')
    .addHelpText(
      'after',
      example(
        'database copy --from sqlite:data/stayport.db --to postgres://stayport:PASSWORD@db.example/stayport',
      ),
    )
    .action((urls: CopyUrls) => copyVisibly(urls, session));
}

async function copyVisibly(urls: CopyUrls, session: Session): Promise<void> {
  if (urls.from === urls.to) throw new CommandFailure('--from and --to are the same database');
  const result = await copyDatabase({
    from: await accessNamed('--from', urls.from, session),
    to: await accessNamed('--to', urls.to, session),
    onProgress: noteNowAndThen(session),
  });
  if (!result.ok) throw new CommandFailure(`${result.problem}; nothing was copied`);
  const { tables, hasSourceMoved } = result;
  session.answer({ tables, hasSourceMoved }, () => formatTable(['name', 'rowCount', 'sha256'], tables, ''));
  if (hasSourceMoved) {
    session.note(
      'The source changed during the copy, and the copy lacks those changes. Stop all writers and copy again.',
    );
  }
}

/** Whatever keeps a database from being opened names the option that it was given by. */
async function accessNamed(option: string, url: string, session: Session): Promise<TableAccess> {
  const name = (error: unknown): never => {
    const isExpected = [DatabaseUrlInvalid, SchemaMismatch, StorageUnavailable].some(
      (kind) => error instanceof kind,
    );
    throw isExpected && error instanceof Error ? new CommandFailure(`${option}: ${error.message}`) : error;
  };
  const access = await accessTables(url, { clock: session.clock }).catch(name);
  return {
    openReader: () => access.openReader().catch(name),
    openWriter: () => access.openWriter().catch(name),
  };
}

function noteNowAndThen(session: Session): (progress: CopyProgress) => void {
  let lastNoteMs = performance.now();
  return ({ step, table, rowsDone, rowsTotal }) => {
    const nowMs = performance.now();
    if (nowMs - lastNoteMs < PROGRESS_INTERVAL_MS) return;
    lastNoteMs = nowMs;
    session.note(`${step} ${table}: ${rowsDone} of ${rowsTotal} rows`);
  };
}

export function configureMigrate(command: Command, session: Session): void {
  command
    .option('--contract', 'remove what only older releases need; refused while a process of one is seen')
    .addHelpText(
      'after',
      helpLines(
        'Migrations only add, so the release before goes on beside this one. After --contract it does not.',
        example('migrate', 'migrate --contract'),
      ),
    )
    .action(async ({ contract }: { readonly contract?: true }) => {
      const { databaseUrl } = session.settings();
      const storage = await openStorage(databaseUrl, { clock: session.clock, writesHere: true });
      try {
        if (contract === true) return await contractVisibly(storage, session);
        const before = await storage.schemaState();
        const { version } = await storage.migrate();
        if (before.version !== version) {
          const signed = storage.asAuthor({ person: 'command line', role: null, act: 'migrate' });
          const change = { from: { version: before.version }, to: { version } };
          await signed.beginAct({ on: 'schema', ...change });
        }
        session.answer({ version }, () => `The database has schema ${version}.`);
      } finally {
        await storage.close();
      }
    });
}

async function contractVisibly(storage: Storage, session: Session): Promise<void> {
  const nowMs = session.clock();
  const result = await storage.contract(nowMs);
  if (result.ok && result.contracted.length > 0) {
    const signed = storage.asAuthor({ person: 'command line', role: null, act: 'migrate --contract' });
    await signed.beginAct({ on: 'schema', from: { removed: [] }, to: { removed: result.contracted } });
  }
  if (!result.ok) {
    const seen = result.older.map((one) => formatProcess(one, nowMs)).join('; ');
    throw new CommandFailure(
      `nothing was removed, because processes of an older release serve this database: ${seen}. Stop them, then run "stayport migrate --contract" again`,
    );
  }
  const { version, contracted } = result;
  session.answer({ version, contracted }, () =>
    contracted.length === 0
      ? `Nothing to remove: the database has schema ${version}, and no process of an older release is seen.`
      : `Removed what only older releases need: ${contracted.join(', ')}. The database has schema ${version}.`,
  );
}

/** A killed process counts until it has said nothing for a while, so the line says when that will be. */
function formatProcess({ release, where, seenAtMs }: SeenProcess, nowMs: number): string {
  const seconds = Math.max(0, Math.round((nowMs - seenAtMs) / 1000));
  return `Stayport ${release} on ${where}, seen ${seconds} s ago (one that was killed is forgotten after ${PROCESS_SEEN_MS / 60_000} minutes)`;
}
