/** The part of the storage port that keeps the passkeys of people who use the console. */
import { plain, type RowOf, storedRow } from '../portable-sql/stored-row.ts';
import type { ConsoleSession } from '../sessions/store.ts';

export const PASSKEY = storedRow({
  passkeyId: plain<string>(),
  /** The authenticator's id of it, base64url. */
  credentialId: plain<string>(),
  /** COSE, base64url. */
  publicKey: plain<string>(),
  /** As the authenticator last said; 0 where it does not count. */
  signCount: plain<number>(),
  name: plain<string>(),
  role: plain<string>(),
  createdAtMs: plain<number>(),
  /** Null: not used yet. */
  lastUsedAtMs: plain<number | null>(),
});
export type Passkey = RowOf<typeof PASSKEY>;

/** A challenge that was answered rightly. */
export interface AnsweredChallenge {
  /** SHA-256, hex. */
  readonly challengeHash: string;
  readonly expiresAtMs: number;
}

/** That a passkey signed a challenge. */
export interface PasskeyUse {
  readonly passkeyId: string;
  readonly signCount: number;
  readonly usedAtMs: number;
  readonly challenge: AnsweredChallenge;
}

export interface PasskeyStore {
  /** The key that seals challenges, base64url; `candidate` where there is none yet. */
  readPasskeySeal(candidate: string): Promise<string>;
  findPasskey(credentialId: string): Promise<Passkey | undefined>;
  /** Newest first. */
  listPasskeys(): Promise<readonly Passkey[]>;
  /**
   * False, and nothing is changed: the challenge was answered before, the session has ended, the credential is known, or
   * this name and role have `passkeysMax` of them.
   */
  putPasskey(
    passkey: Passkey,
    by: {
      readonly sessionId: string;
      readonly challenge: AnsweredChallenge;
      readonly passkeysMax: number;
    },
  ): Promise<boolean>;
  /** Begins a session with the passkey's name and role. False, and nothing is changed: see `renewConsoleSession`. */
  beginPasskeySession(
    use: PasskeyUse,
    session: Pick<ConsoleSession, 'sessionId' | 'tokenHash'>,
    forgetBeforeMs: number,
  ): Promise<boolean>;
  /**
   * The sign-in of this session is as young as the use. False, and nothing is changed: the passkey or the session has
   * ended, they are not of the same name and role, the challenge was answered before, or the count goes back.
   */
  renewConsoleSession(use: PasskeyUse, sessionId: string): Promise<boolean>;
  /** Ends the sessions that it opened or was the last to renew, too. Undefined: there is none. */
  endPasskey(passkeyId: string): Promise<Passkey | undefined>;
  /**
   * This session was the first sign-in to this database, nobody of another name or role has signed in since, and nobody
   * has a passkey.
   */
  isOnlySignIn(sessionId: string): Promise<boolean>;
  /** Nobody has ever signed in: no session, no passkey, and no sign-in in the audit trail. */
  isConsoleUnused(): Promise<boolean>;
}
