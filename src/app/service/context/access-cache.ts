/** Partners, credentials and handoff keys in memory, replaced as a whole when they change. */
import type { Clock } from '../../../runtime/clock.ts';
import { buildHandoffKeyring, type HandoffKeyring } from '../../../handoff/handoff-keys.ts';
import { ensureHandoffKey } from '../../../handoff/key-changes.ts';
import { type AccessDirectory, buildAccessDirectory } from '../../../access/access-directory.ts';
import type { Random } from '../../../runtime/random.ts';
import type { Settings } from '../../settings/settings.ts';
import type { AccessRows, HandoffKeyRow } from '../../../storage/access/store.ts';
import type { Storage } from '../../../storage/storage.ts';
import { AUDIT_EVENTS, type AuditEvent, findAuditEvents } from '../../../access/audit-events.ts';

export interface AccessCache {
  readonly directory: () => AccessDirectory;
  readonly handoffKeys: () => HandoffKeyring;
  /** Replaces the cached access by these rows. */
  readonly take: (rows: AccessRows) => void;
  /** Looks for a key that sealed a value and is not cached; undefined if the keys come from a setting. */
  readonly findNewHandoffKeys: FindMissingKey | undefined;
}

interface AccessCacheDeps {
  readonly clock: Clock;
  readonly random: Random;
}

interface KeySettings extends Pick<Settings, 'handoffKeys'> {
  /** It may change. */
  readonly quoteTtlSeconds: () => number;
}

/** Reads everything once. Keys of the setting take precedence over stored ones; without either, a first key is made. */
export async function loadAccessCache(
  storage: Storage,
  { handoffKeys: keysOfSetting, quoteTtlSeconds }: KeySettings,
  deps: AccessCacheDeps,
): Promise<AccessCache> {
  let handoffKeys =
    keysOfSetting ?? (await ensureHandoffKey({ ...deps, storage, quoteTtlSeconds: quoteTtlSeconds() }));
  let directory = buildAccessDirectory(await storage.readAccess());
  const keyringOf = (rows: readonly HandoffKeyRow[]): HandoffKeyring =>
    buildHandoffKeyring(rows, quoteTtlSeconds()) ?? handoffKeys;
  const findNewHandoffKeys = createMissingKeyFinder({
    readKeys: async () => keyringOf(await storage.readHandoffKeys()),
    uptimeMs: () => performance.now(),
  });
  return {
    directory: () => directory,
    handoffKeys: () => handoffKeys,
    take(rows) {
      directory = buildAccessDirectory(rows);
      if (keysOfSetting === undefined) handoffKeys = keyringOf(rows.handoffKeys);
    },
    findNewHandoffKeys: keysOfSetting === undefined ? findNewHandoffKeys : undefined,
  };
}

// Looks for a handoff key that is not cached: another process may have just made it. Values with made-up key ids must
// cost their sender more than us: only keys are read, at most once a second for all values together, and unknown ids
// are remembered.

const READ_INTERVAL_MS = 1_000;
/** Some 100 characters each, 500 at most. Beyond this number all are forgotten. */
const UNKNOWN_HEADERS_MAX = 1_000;

interface MissingKeyDeps {
  /** Reads the current keys from the database. */
  readonly readKeys: () => Promise<HandoffKeyring>;
  /** Monotonic milliseconds. */
  readonly uptimeMs: Clock;
}

/** Finds the keys to open a value with this header; undefined if no key has it. */
type FindMissingKey = (header: string) => Promise<HandoffKeyring | undefined>;

/**
 * A read is reused for a second. The follower brings a later key within a tenth of that time, and a key retired
 * meanwhile is not used for longer.
 */
export function createMissingKeyFinder({ readKeys, uptimeMs }: MissingKeyDeps): FindMissingKey {
  const unknownHeaders = new Set<string>();
  let lastRead: Promise<HandoffKeyring> | undefined;
  let isReading = false;
  let nextReadMs = Number.NEGATIVE_INFINITY;

  async function read(): Promise<HandoffKeyring> {
    isReading = true;
    try {
      return await readKeys();
    } finally {
      isReading = false;
    }
  }

  return async (header) => {
    if (unknownHeaders.has(header)) return undefined;
    const nowMs = uptimeMs();
    if (lastRead === undefined || (!isReading && nowMs >= nextReadMs)) {
      nextReadMs = nowMs + READ_INTERVAL_MS;
      lastRead = read();
    }
    const keyring = await lastRead;
    if (keyring.byHeader.has(header)) return keyring;
    if (unknownHeaders.size >= UNKNOWN_HEADERS_MAX) unknownHeaders.clear();
    unknownHeaders.add(header);
    return undefined;
  };
}

// One log line and one count per administrative act, when the follower brings it.

/** Lines per change; a restored database may bring thousands of acts. Further ones are only counted. */
const LINES_MAX = 100;

type AuditEventName = AuditEvent['act'];

interface AccessAudit {
  readonly counts: Readonly<Record<AuditEventName, number>>;
  /** Only remembers the first rows: acts made while no process ran may not be new. */
  take(rows: AccessRows): void;
}

export function auditAccess(logger: { info(fields: object, message: string): void }): AccessAudit {
  const counts = Object.fromEntries(AUDIT_EVENTS.map((act) => [act, 0])) as Record<AuditEventName, number>;
  let known: AccessRows | undefined;
  return {
    counts,
    take(rows) {
      const acts = known === undefined ? [] : findAuditEvents(known, rows);
      known = rows;
      for (const { act } of acts) counts[act] += 1;
      for (const { act, about } of acts.slice(0, LINES_MAX)) logger.info({ act, ...about }, 'access changed');
      if (acts.length > LINES_MAX) {
        logger.info(
          { leftOutCount: acts.length - LINES_MAX },
          'access changed: more changes than are logged one by one',
        );
      }
    },
  };
}
