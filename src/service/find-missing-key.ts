/**
 * Looks for a handoff key that is not held yet: another process may have made it this very second. A value with a
 * key id that nobody made costs its sender more than us: keys alone are read, at most once a second for all values
 * together, and an id that was not found is remembered.
 */
import type { HandoffKeyring } from '../handoff/handoff-keys.ts';
import type { Clock } from '../runtime/clock.ts';

const READ_INTERVAL_MS = 1_000;
/** Some 100 characters each, 500 at most. When there are more, all are forgotten. */
const UNKNOWN_HEADERS_MAX = 1_000;

export interface MissingKeyDeps {
  /** The keys as the database has them now. */
  readonly readKeys: () => Promise<HandoffKeyring>;
  /** Milliseconds that only ever grow. */
  readonly uptimeMs: Clock;
}

/** The keys to open a value of this header with; undefined when no key has it. */
export type FindMissingKey = (header: string) => Promise<HandoffKeyring | undefined>;

/**
 * What was read is good for a second: a key made later is brought by the follower, within a tenth of that, and one
 * that was retired meanwhile is not kept for longer.
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
