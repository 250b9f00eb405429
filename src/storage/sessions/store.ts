/** The part of the storage port that keeps who is signed in to the console. */

export interface ConsoleLink {
  /** SHA-256 of what the link carries, hex. */
  readonly linkHash: string;
  readonly name: string;
  readonly role: string;
  readonly expiresAtMs: number;
}

export interface ConsoleSession {
  readonly sessionId: string;
  /** SHA-256 of the cookie's value, hex. */
  readonly tokenHash: string;
  readonly name: string;
  readonly role: string;
  readonly createdAtMs: number;
  /** To the minute. */
  readonly lastSeenAtMs: number;
  /** The passkey that opened it; null: a link did. */
  readonly passkeyId: string | null;
  /** When a passkey last renewed the sign-in. */
  readonly renewedAtMs: number | null;
}

/** Sessions that began, or were last seen, before these instants have ended. */
export interface SessionEnds {
  readonly createdBeforeMs: number;
  readonly seenBeforeMs: number;
}

export interface SessionStore {
  /** Deletes links that have expired. */
  putConsoleLink(link: ConsoleLink, nowMs: number): Promise<void>;
  /**
   * Uses the link up and begins a session with its name and role, in one transaction; deletes sessions that have ended.
   * Undefined, and nothing is changed: no such link, or it has expired by `createdAtMs`.
   */
  beginConsoleSession(
    linkHash: string,
    session: Pick<ConsoleSession, 'sessionId' | 'tokenHash' | 'createdAtMs'>,
    ended: SessionEnds,
  ): Promise<ConsoleSession | undefined>;
  findConsoleSession(tokenHash: string): Promise<ConsoleSession | undefined>;
  /** Never goes back; an ended session stays ended. */
  touchConsoleSession(sessionId: string, seenAtMs: number): Promise<void>;
  /** Those that have ended may be among them. Newest first. */
  listConsoleSessions(): Promise<readonly ConsoleSession[]>;
  /** The sessions that were ended: this one, or all. */
  endConsoleSessions(sessionId: string | null): Promise<readonly ConsoleSession[]>;
}
