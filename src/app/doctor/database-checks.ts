/** The database, and the releases on it. */
import { BASELINE } from '../../storage/engine/last-beta.ts';
import type { DatabaseInspection } from '../../storage/inspection/inspection.ts';
import { type Check, type Examined, fail, type Finding, ofContent, ofDatabase, ok, warn } from './check.ts';
import { messageOf } from '../../runtime/message-of.ts';

/** Windows of limits, expiry and freshness compare clocks: a larger difference does harm. */
export const CLOCK_MS_FAIL = 30_000;
export const CLOCK_MS_WARN = 2_000;
/** For one worker; see docs/operating.md. */
const CONNECTIONS_PER_WORKER = 12;
/** For commands, including this one. */
const CONNECTIONS_SPARE = 5;

export const DATABASE_CHECKS: readonly Check[] = [
  { name: 'database', run: checkReachable },
  { name: 'database schema', run: (examined) => ofDatabase(examined, judgeSchema) },
  { name: 'database writable', run: (examined) => ofDatabase(examined, judgeWritable) },
  { name: 'database modes', run: (examined) => ofDatabase(examined, judgeModes) },
  { name: 'database clock', run: (examined) => ofDatabase(examined, judgeClock) },
  { name: 'database connections', run: checkConnections },
  { name: 'releases', run: checkReleases },
];

async function checkReachable({ database }: Examined): Promise<Finding> {
  try {
    return ok((await database).name);
  } catch (error) {
    return fail(
      messageOf(error),
      'check DATABASE_URL, and that the database runs and can be reached from this machine',
    );
  }
}

function judgeSchema({ schema, name }: DatabaseInspection): Finding {
  const { version, latest, isBehind, refusal } = schema;
  if (refusal !== undefined)
    return fail(refusal, 'start the named release, or restore a backup from before the upgrade');
  if (version === 0) return warn(`${name} is empty`, 'run "stayport migrate", or just start the service');
  if (version < BASELINE)
    return fail(
      'the database is of a beta',
      'end all processes of the beta, make a backup, and run "stayport migrate"; no beta starts afterwards',
    );
  if (isBehind)
    return fail(
      `the schema is at ${version}, and this release needs ${latest}`,
      'run "stayport migrate"; it is additive: running processes are unaffected',
    );
  return ok(version > latest ? `${version}; this release knows ${latest} and works on it` : `${version}`);
}

function judgeWritable({ readOnly }: DatabaseInspection): Finding {
  if (readOnly === undefined) return ok('yes');
  const isFile = readOnly.includes('this user may not write');
  return fail(
    readOnly,
    isFile
      ? 'give the file and its folder to the user of the service (chown)'
      : 'let DATABASE_URL lead to the writable primary, with the role that owns the database',
  );
}

function judgeModes({ modes }: DatabaseInspection): Finding {
  if (modes.length === 0) return ok('commits are durable');
  return warn(modes.map(({ detail }) => detail).join('; '), modes.map(({ fix }) => fix).join('; '));
}

function judgeClock({ clockAheadMs }: DatabaseInspection): Finding {
  if (clockAheadMs === undefined) return ok('the database has no other clock');
  return judgeClockDifference('the database server', clockAheadMs);
}

/** Judges another clock against this machine's. */
export function judgeClockDifference(whose: string, aheadMs: number): Finding {
  const seconds = (Math.abs(aheadMs) / 1_000).toFixed(1);
  const detail = `the clock of ${whose} is ${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine's`;
  if (Math.abs(aheadMs) < CLOCK_MS_WARN) return ok(`within ${CLOCK_MS_WARN / 1_000} s of this machine's`);
  const fix = 'set both clocks with NTP (timedatectl set-ntp true)';
  return Math.abs(aheadMs) < CLOCK_MS_FAIL ? warn(detail, fix) : fail(detail, fix);
}

async function checkConnections(examined: Examined): Promise<Finding> {
  const { settings, system } = examined;
  const workers = settings.workers === 'auto' ? system.cores : settings.workers;
  return ofDatabase(examined, ({ connections, content }) => {
    if (connections === undefined) return ok('a file needs none');
    const { max, others } = connections;
    const processes = Math.max(1, content?.processes.length ?? 1);
    // One thread more follows the catalogue.
    const needed = processes * (workers + 1) * CONNECTIONS_PER_WORKER + CONNECTIONS_SPARE;
    const detail = `${processes} processes with ${workers} workers can use ${needed} connections, other programs use ${others}, and the server allows ${max}`;
    return needed + others <= max
      ? ok(detail)
      : fail(
          detail,
          `set max_connections to ${needed + others + CONNECTIONS_SPARE} or more in PostgreSQL and restart it, or lower WORKERS`,
        );
  });
}

async function checkReleases(examined: Examined): Promise<Finding> {
  return ofContent(examined, async ({ processes }) => {
    const { schema } = await examined.database;
    const older = processes.filter(({ knows }) => knows < schema.latest);
    if (older.length === 0) return ok(`${processes.length} processes serve this database`);
    return warn(
      `an older release serves too: ${older.map(({ release, where }) => `${release} on ${where}`).join('; ')}`,
      'finish the upgrade: what is new waits until every process is of this release',
    );
  });
}
