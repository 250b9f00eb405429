/** The database, and the releases on it. */
import { BASELINE } from '../../storage/engine/last-beta.ts';
import type { DatabaseInspection } from '../../storage/inspection/inspection.ts';
import {
  allOf,
  asItIs,
  type Check,
  type Examined,
  fail,
  type Finding,
  ofContent,
  ofDatabase,
  ok,
  warn,
} from './check.ts';
import { Wrong, type WrongValue } from '../../domain/wrong.ts';
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
    return ok(asItIs((await database).name));
  } catch (error) {
    return fail(asItIs(messageOf(error)), new Wrong('fixDatabase'));
  }
}

function judgeSchema({ schema, name }: DatabaseInspection): Finding {
  const { version, latest, isBehind, refusal } = schema;
  if (refusal !== undefined) return fail(asItIs(refusal), new Wrong('fixSchemaRefused'));
  if (version === 0) return warn(new Wrong('databaseEmpty', { name }), new Wrong('fixDatabaseEmpty'));
  if (version < BASELINE) return fail(new Wrong('databaseOfBeta'), new Wrong('fixBeta'));
  if (isBehind) return fail(new Wrong('schemaBehind', { version, latest }), new Wrong('fixSchemaBehind'));
  return ok(version > latest ? new Wrong('schemaNewer', { version, latest }) : asItIs(version));
}

function judgeWritable({ readOnly }: DatabaseInspection): Finding {
  if (readOnly === undefined) return ok(new Wrong('databaseWritable'));
  const isFile = readOnly.includes('this user may not write');
  return fail(asItIs(readOnly), isFile ? new Wrong('fixFileOwner') : new Wrong('fixDatabasePrimary'));
}

function judgeModes({ modes }: DatabaseInspection): Finding {
  if (modes.length === 0) return ok(new Wrong('commitsDurable'));
  return warn(allOf(modes.map(({ detail }) => detail)), allOf(modes.map(({ fix }) => fix)));
}

function judgeClock({ clockAheadMs }: DatabaseInspection): Finding {
  if (clockAheadMs === undefined) return ok(new Wrong('noOtherClock'));
  return judgeClockDifference(new Wrong('databaseServer'), clockAheadMs);
}

/** Judges another clock against this machine's. */
export function judgeClockDifference(whose: WrongValue, aheadMs: number): Finding {
  if (Math.abs(aheadMs) < CLOCK_MS_WARN)
    return ok(new Wrong('clockWithin', { seconds: CLOCK_MS_WARN / 1_000 }));
  const seconds = (Math.abs(aheadMs) / 1_000).toFixed(1);
  const detail = new Wrong(aheadMs < 0 ? 'clockBehind' : 'clockAhead', { whose, seconds });
  const fix = new Wrong('fixClocks');
  return Math.abs(aheadMs) < CLOCK_MS_FAIL ? warn(detail, fix) : fail(detail, fix);
}

async function checkConnections(examined: Examined): Promise<Finding> {
  const { settings, system } = examined;
  const workers = settings.workers === 'auto' ? system.cores : settings.workers;
  return ofDatabase(examined, ({ connections, content }) => {
    if (connections === undefined) return ok(new Wrong('fileNeedsNone'));
    const { max, others } = connections;
    const processes = Math.max(1, content?.processes.length ?? 1);
    // One thread more follows the catalogue.
    const needed = processes * (workers + 1) * CONNECTIONS_PER_WORKER + CONNECTIONS_SPARE;
    const detail = new Wrong('connectionsUsed', { processes, workers, needed, others, max });
    const count = needed + others + CONNECTIONS_SPARE;
    return needed + others <= max ? ok(detail) : fail(detail, new Wrong('fixConnections', { count }));
  });
}

async function checkReleases(examined: Examined): Promise<Finding> {
  return ofContent(examined, async ({ processes }) => {
    const { schema } = await examined.database;
    const older = processes.filter(({ knows }) => knows < schema.latest);
    if (older.length === 0) return ok(new Wrong('processesServe', { count: processes.length }));
    const which = allOf(older.map(({ release, where }) => new Wrong('releaseOn', { release, where })));
    return warn(new Wrong('olderServes', { which }), new Wrong('fixOlder'));
  });
}
