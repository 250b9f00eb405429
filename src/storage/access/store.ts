/** The part of the storage port for access: partners, credentials, keys and tokens. Small enough to be read whole. */
import type { HistoryMark, HistoryStore, Revision } from '../history/revision.ts';
import type { SiteSettingRow } from '../site/store.ts';
import { type ChangesOf, flag, json, plain, type RowOf, storedRow } from '../portable-sql/stored-row.ts';

export const PARTNER = storedRow({
  partnerId: plain<string>(),
  name: plain<string>(),
  origins: json<readonly string[]>(),
  disabled: flag,
  createdAtMs: plain<number>(),
  revision: plain<Revision>(),
});
export type PartnerRow = RowOf<typeof PARTNER>;

/** The operator's part of a partner: lists, the audit trail and the log show it. */
export type PartnerTerms = ReturnType<typeof termsOfPartner>;
export type PartnerChanges = ChangesOf<PartnerTerms>;

/** The terms of a partner that is created with its name alone. */
export const NEW_PARTNER: Omit<PartnerTerms, 'name'> = { origins: [], disabled: false };

export function termsOfPartner({
  partnerId: _id,
  createdAtMs: _at,
  revision: _revision,
  ...terms
}: PartnerRow) {
  return terms;
}

export interface CredentialRow {
  readonly credentialId: string;
  readonly partnerId: string;
  /** SHA-256 of the token, hex. */
  readonly tokenHash: string;
  readonly scopes: readonly string[];
  readonly quota: number;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  /** Sees the sandbox only. */
  readonly isTest: boolean;
  /** CIDRs that its token may come from; none: from anywhere. */
  readonly networks: readonly string[];
  readonly revision: Revision;
}

/** Undefined: stored. */
export type PutOnce = CredentialRow | 'partnerUnknown' | undefined;

/** Absent: stays as it is. */
export type CredentialChanges = Partial<Pick<CredentialRow, 'quota' | 'networks'>>;

export const HANDOFF_KEY = storedRow({
  keyId: plain<string>(),
  /** 256 bits, base64. */
  secret: plain<string>(),
  createdAtMs: plain<number>(),
  /** The key opens no handoff value from this instant on. */
  retiredAtMs: plain<number | null>(),
  revision: plain<Revision>(),
});
export type HandoffKeyRow = RowOf<typeof HANDOFF_KEY>;

export const OPERATOR_TOKEN = storedRow({
  operatorTokenId: plain<string>(),
  name: plain<string>(),
  /** SHA-256 of the token, hex. */
  tokenHash: plain<string>(),
  scopes: json<readonly string[]>(),
  /** The one supply source that it may write; null: any. */
  source: plain<string | null>(),
  createdAtMs: plain<number>(),
  expiresAtMs: plain<number | null>(),
  revokedAtMs: plain<number | null>(),
  revision: plain<Revision>(),
});
export type OperatorTokenRow = RowOf<typeof OPERATOR_TOKEN>;

/** All rows of access, and the settings of the site; small enough to be read whole. */
export interface AccessRows {
  readonly partners: readonly PartnerRow[];
  readonly credentials: readonly CredentialRow[];
  readonly handoffKeys: readonly HandoffKeyRow[];
  readonly operatorTokens: readonly OperatorTokenRow[];
  /** They are followed in the same way. */
  readonly siteSettings: readonly SiteSettingRow[];
}

export interface AccessStore {
  readAccess(): Promise<AccessRows>;
  /** Newest first. */
  readHandoffKeys(): Promise<readonly HandoffKeyRow[]>;
  /** Inserts or replaces by id; the revision in the row is ignored and taken from the counter. */
  putPartner(partner: PartnerRow): Promise<void>;
  /**
   * Changes only the fields that are given, so two commands at once do not undo each other's changes. Undefined:
   * unknown partner.
   */
  updatePartner(partnerId: string, changes: PartnerChanges): Promise<PartnerRow | undefined>;
  /**
   * Inserts or replaces by id, all of them in one transaction (a rotation writes two). A stored `revokedAtMs` is
   * kept whatever the row says, of two expiries the earlier, and of a stored row what `updateCredential` changes, so
   * that a command which read the row earlier can't undo a revocation, the end of an overlap or a change.
   */
  putCredentials(credentials: readonly CredentialRow[]): Promise<void>;
  /**
   * The credential, and the one that it succeeds, in one transaction. The stored credential, and nothing is changed: one
   * of its id is there already. `partnerUnknown`, and nothing is changed: its partner is not there.
   */
  putCredentialOnce(credential: CredentialRow, ending?: CredentialRow): Promise<PutOnce>;
  /** Changes only what is named; undefined: no such credential. */
  updateCredential(credentialId: string, changes: CredentialChanges): Promise<CredentialRow | undefined>;
  /**
   * Inserts the key unless one exists already and `unlessAnyExists` is set; returns the keys, newest first. The
   * first start of several processes at once must agree on one key.
   */
  putHandoffKey(
    key: HandoffKeyRow,
    options: { readonly unlessAnyExists: boolean },
  ): Promise<readonly HandoffKeyRow[]>;
  /**
   * The key opens no handoff value from `atMs` on; a key that is retired already keeps its instant. Returns the keys,
   * newest first; an unknown id changes nothing.
   */
  retireHandoffKey(keyId: string, atMs: number): Promise<readonly HandoffKeyRow[]>;
  /** Inserts or replaces by id. A stored `revokedAtMs` is kept whatever the row says. */
  putOperatorToken(token: OperatorTokenRow): Promise<void>;
}

/**
 * Distinguishes two states of access of one history without reading the rows. Every row that is written gets a
 * revision higher than all before; so a state that differs from an earlier one has a higher newest revision, or, when
 * rows were only removed, fewer rows.
 */
export interface AccessMark {
  /** The highest of all rows; 0 when there is none. */
  readonly revision: Revision;
  readonly rowCount: number;
}

/** The reads that a follower of access polls. */
export interface FollowedAccess extends HistoryStore {
  /**
   * The mark changes only when a row of access does; reads counts and revisions, no rows. Mark and history are of one
   * view. Throws `HistoryLost` unless the history continues that of `known`.
   */
  readAccessMark(known: HistoryMark): Promise<{ readonly mark: AccessMark; readonly history: HistoryMark }>;
  /** All rows and their history, in one view. */
  readAccessState(): Promise<{ readonly rows: AccessRows; readonly history: HistoryMark }>;
}
