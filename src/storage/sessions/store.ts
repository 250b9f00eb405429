/** The part of the storage port that keeps who is signed in to the console. */
import { plain, type RowOf, storedRow } from '../portable-sql/stored-row.ts';

export interface ConsoleLink {
  /** SHA-256 of what the link carries, hex. */
  readonly linkHash: string;
  readonly name: string;
  readonly role: string;
  readonly expiresAtMs: number;
}

export const SESSION = storedRow({
  sessionId: plain<string>(),
  /** SHA-256 of the cookie's value, hex. */
  tokenHash: plain<string>(),
  name: plain<string>(),
  role: plain<string>(),
  createdAtMs: plain<number>(),
  /** To the minute. */
  lastSeenAtMs: plain<number>(),
  /** The passkey that opened it; null: a link did. */
  passkeyId: plain<string | null>(),
  /** When a passkey last renewed the sign-in. */
  renewedAtMs: plain<number | null>(),
});
export type ConsoleSession = RowOf<typeof SESSION>;

export interface SessionStore {
  /** Deletes links that have expired. */
  putConsoleLink(link: ConsoleLink, nowMs: number): Promise<void>;
  /**
   * Uses the link up and begins a session with its name and role, in one transaction; forgets sessions that were last
   * seen before `forgetBeforeMs`. Undefined, and nothing is changed: no such link, or it has expired by `createdAtMs`.
   */
  beginConsoleSession(
    linkHash: string,
    session: Pick<ConsoleSession, 'sessionId' | 'tokenHash' | 'createdAtMs'>,
    forgetBeforeMs: number,
  ): Promise<ConsoleSession | undefined>;
  findConsoleSession(tokenHash: string): Promise<ConsoleSession | undefined>;
  /** Whether it is, or was, the cookie of a session that is not yet forgotten. */
  wasConsoleSession(tokenHash: string): Promise<boolean>;
  /** Never goes back; an ended session stays ended. */
  touchConsoleSession(sessionId: string, seenAtMs: number): Promise<void>;
  /** Those that have ended may be among them. Newest first. */
  listConsoleSessions(): Promise<readonly ConsoleSession[]>;
  /** With those that have ended and are not forgotten yet: the `countMax` that were seen last. */
  listKnownConsoleSessions(countMax: number): Promise<readonly ConsoleSession[]>;
  /** The sessions that were ended: this one, or all. */
  endConsoleSessions(sessionId: string | null): Promise<readonly ConsoleSession[]>;
}
