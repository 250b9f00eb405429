/**
 * Writes counts that answers leave in memory to the database, every few moments and once more at the end. If the
 * database is away, requests are unaffected: the counts wait in memory.
 */
import { repeat, type RepeatedWork, type RepeatLogger } from './repeat.ts';

export interface WriteBehindWork extends Omit<RepeatedWork, 'round' | 'onAway'> {
  readonly logger: RepeatLogger & { warn(fields: object, message: string): void };
  /** Writes everything that waits. Rejects if the database does not accept it; the counts then keep waiting. */
  readonly write: () => Promise<void>;
  /** Logged once when the database is away, until a write succeeds again. */
  readonly awayMessage: string;
}

export interface WriteBehind {
  /** Writes the rest if the database accepts it. Never rejects. */
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
