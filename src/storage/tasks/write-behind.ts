/**
 * What answers leave in memory, on its way into the database: every few moments, and once more at the end. A database
 * that is away costs no request anything; what was to be written waits for it.
 */
import { repeat, type RepeatedWork, type RepeatLogger } from './repeat.ts';

export interface WriteBehindWork extends Omit<RepeatedWork, 'round' | 'onAway'> {
  readonly logger: RepeatLogger & { warn(fields: object, message: string): void };
  /** Writes all that waits. Rejects when the database does not take it; it waits again then. */
  readonly write: () => Promise<void>;
  /** Logged once when the database is away, until it takes something again. */
  readonly awayMessage: string;
}

export interface WriteBehind {
  /** Writes the rest, as far as the database takes it. Never rejects. */
  close(): Promise<void>;
}

export function writeBehind({ write, awayMessage, ...work }: WriteBehindWork): WriteBehind {
  let isAway = false;
  const onAway = (err: unknown): void => {
    if (!isAway) work.logger.warn({ err }, awayMessage);
    isAway = true;
  };
  const rounds = repeat({
    ...work,
    async round() {
      await write();
      isAway = false;
    },
    onAway,
  });
  return {
    async close() {
      await rounds.stop();
      await write().catch(onAway);
    },
  };
}
