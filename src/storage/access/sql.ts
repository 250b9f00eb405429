/** Partners, credentials, handoff keys and operator tokens. Small tables, read whole and rarely written. */
import { assertStorableRow } from '../../domain/storable-text.ts';
import { commit, rollBack } from '../engine/write-result.ts';
import { continueHistory, historyColumns, type HistoryRow } from '../history/history.ts';
import { type HistoryMark, NOTHING_READ, type Revision } from '../history/revision.ts';
import { concern, type RunnerOf } from '../portable-sql/concern.ts';
import {
  administrative,
  change,
  note,
  type Program,
  rows,
  takeRevision,
  view,
} from '../portable-sql/program.ts';
import { changed } from '../portable-sql/stored-row.ts';
import { SITE_SETTINGS } from '../site/sql.ts';
import { SITE_SETTING } from '../site/store.ts';
import { type AccessMarkRow, accessMarkSql } from './access-mark.ts';
import {
  type AccessMark,
  type AccessRows,
  type AccessStore,
  type CredentialChanges,
  type CredentialRow,
  type FollowedAccess,
  HANDOFF_KEY,
  type HandoffKeyRow,
  OPERATOR_TOKEN,
  type OperatorTokenRow,
  PARTNER,
  type PartnerChanges,
  type PartnerRow,
  type PutOnce,
  termsOfPartner,
} from './store.ts';

const putPartner = administrative('putPartner', function* (partner: PartnerRow) {
  const { partnerId } = partner;
  const revision = yield* takeRevision();
  const before = yield* findPartner(partnerId);
  yield* change(
    `INSERT INTO partners (${PARTNER.columns}) VALUES (${PARTNER.places})
     ON CONFLICT (partner_id) DO UPDATE SET ${PARTNER.replacements}`,
    PARTNER.values({ ...partner, revision }),
  );
  yield* note(partnerId, before && termsOfPartner(before), termsOfPartner(partner));
  return commit(undefined);
});

/** An unknown partner takes no revision. */
const updatePartner = administrative('updatePartner', function* (partnerId: string, changes: PartnerChanges) {
  // It waits here for other writers, so the row that it reads is the one that it changes.
  const revision = yield* takeRevision();
  const before = yield* findPartner(partnerId);
  if (before === undefined) return rollBack(undefined);
  const partner = { ...changed(before, changes), revision };
  yield* change(`UPDATE partners SET ${PARTNER.assignments} WHERE partner_id = ?`, [
    ...PARTNER.values(partner),
    partnerId,
  ]);
  yield* note(partnerId, termsOfPartner(before), termsOfPartner(partner));
  return commit(partner);
});

const putCredentials = administrative('putCredentials', function* (credentials: readonly CredentialRow[]) {
  const revision = yield* takeRevision();
  for (const row of credentials) yield* putCredential(row, revision);
  return commit(undefined);
});

const putCredentialOnce = administrative(
  'putCredentialOnce',
  function* (credential: CredentialRow, ending: CredentialRow | null) {
    const revision = yield* takeRevision();
    const existing = yield* findCredential(credential.credentialId);
    if (existing !== undefined) return rollBack<PutOnce>(toCredential(existing));
    // A restore may have taken it since the caller found it.
    if ((yield* findPartner(credential.partnerId)) === undefined) return rollBack<PutOnce>('partnerUnknown');
    if (ending !== null) yield* putCredential(ending, revision);
    yield* putCredential(credential, revision);
    return commit<PutOnce>(undefined);
  },
);

/** An unknown credential takes no revision. */
const updateCredential = administrative(
  'updateCredential',
  function* (credentialId: string, { quota, networks }: CredentialChanges) {
    const revision = yield* takeRevision();
    const before = yield* findCredential(credentialId);
    if (before === undefined) return rollBack(undefined);
    const stored = toCredential(before);
    const granted = grantsOf({ ...stored, networks: networks ?? stored.networks });
    const [after] = yield* rows<StoredCredential>(
      `UPDATE credentials SET revision = ?, quota = ?, scopes = ?, networks = ?, scopes_within = ?
       WHERE credential_id = ? RETURNING *`,
      [revision, quota ?? stored.quota, ...granted, credentialId],
    );
    yield* note(credentialId, credentialTerms(before), credentialTerms(after!));
    return commit(toCredential(after!));
  },
);

/** A key never changes: one whose id exists already breaks the primary key. */
const putHandoffKey = administrative(
  'putHandoffKey',
  function* (key: HandoffKeyRow, unlessAnyExists: boolean) {
    const revision = yield* takeRevision();
    const existing = unlessAnyExists ? yield* selectHandoffKeys() : [];
    if (existing.length > 0) return rollBack(existing);
    yield* change('INSERT INTO handoff_keys (key_id, revision, secret, created_at_ms) VALUES (?, ?, ?, ?)', [
      key.keyId,
      revision,
      key.secret,
      key.createdAtMs,
    ]);
    yield* note(key.keyId, undefined, { createdAt: formatTime(key.createdAtMs) });
    return commit(yield* selectHandoffKeys());
  },
);

/** The first retirement counts; an unknown key takes no revision. */
const retireHandoffKey = administrative('retireHandoffKey', function* (keyId: string, atMs: number) {
  const retired = yield* change(
    'UPDATE handoff_keys SET retired_at_ms = ?, revision = ? WHERE key_id = ? AND retired_at_ms IS NULL',
    [atMs, yield* takeRevision(), keyId],
  );
  const keys = yield* selectHandoffKeys();
  if (retired > 0) yield* note(keyId, { retiredAt: null }, { retiredAt: formatTime(atMs) });
  return retired === 0 ? rollBack(keys) : commit(keys);
});

const putOperatorToken = administrative('putOperatorToken', function* (token: OperatorTokenRow) {
  const { operatorTokenId } = token;
  const revision = yield* takeRevision();
  const [found] = yield* rows<object>('SELECT * FROM operator_tokens WHERE operator_token_id = ?', [
    operatorTokenId,
  ]);
  const before = found && OPERATOR_TOKEN.read(found);
  const after = { ...token, revokedAtMs: before?.revokedAtMs ?? token.revokedAtMs, revision };
  yield* change(
    `INSERT INTO operator_tokens (${OPERATOR_TOKEN.columns}) VALUES (${OPERATOR_TOKEN.places})
     ON CONFLICT (operator_token_id) DO UPDATE SET ${OPERATOR_TOKEN.replacements}`,
    OPERATOR_TOKEN.values(after),
  );
  yield* note(operatorTokenId, before && operatorTokenTerms(before), operatorTokenTerms(after));
  return commit(undefined);
});

const WRITES = [
  putPartner,
  updatePartner,
  putCredentials,
  putCredentialOnce,
  updateCredential,
  putHandoffKey,
  retireHandoffKey,
  putOperatorToken,
];

export const accessConcern = concern(WRITES, accessStore);

function accessStore({
  follow,
  write,
}: RunnerOf<typeof WRITES>): AccessStore & Omit<FollowedAccess, 'readHistory'> {
  return {
    readAccess: async () => (await follow(selectAccessState())).rows,
    readAccessState: () => follow(selectAccessState()),
    readAccessMark: (known) => follow(selectAccessMark(known)),
    readHandoffKeys: () => follow(selectHandoffKeys()),
    async putPartner(partner) {
      assertStorableRow(partner);
      await write(putPartner, partner);
    },
    async updatePartner(partnerId, changes) {
      assertStorableRow(changes);
      return write(updatePartner, partnerId, changes);
    },
    async putCredentials(credentials) {
      credentials.forEach(assertStorableRow);
      if (credentials.length > 0) await write(putCredentials, credentials);
    },
    async putCredentialOnce(credential, ending) {
      assertStorableRow(credential);
      return write(putCredentialOnce, credential, ending ?? null);
    },
    async updateCredential(credentialId, changes) {
      assertStorableRow(changes);
      return write(updateCredential, credentialId, changes);
    },
    async putHandoffKey(key, { unlessAnyExists }) {
      assertStorableRow(key);
      return write(putHandoffKey, key, unlessAnyExists);
    },
    retireHandoffKey: (keyId, atMs) => write(retireHandoffKey, keyId, atMs),
    async putOperatorToken(token) {
      assertStorableRow(token);
      await write(putOperatorToken, token);
    },
  };
}

function* putCredential(row: CredentialRow, revision: Revision): Program<void> {
  const before = yield* findCredential(row.credentialId);
  const [after] = yield* rows<StoredCredential>(
    `INSERT INTO credentials AS stored (credential_id, revision, partner_id, token_hash, quota,
       created_at_ms, expires_at_ms, revoked_at_ms, is_test, scopes, networks, scopes_within)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (credential_id) DO UPDATE SET
       revision = excluded.revision, partner_id = excluded.partner_id, token_hash = excluded.token_hash,
       created_at_ms = excluded.created_at_ms, is_test = excluded.is_test,
       -- This row may have been read before another process revoked it, or ended it earlier. Null is never.
       expires_at_ms = CASE WHEN stored.expires_at_ms < excluded.expires_at_ms THEN stored.expires_at_ms
         ELSE coalesce(excluded.expires_at_ms, stored.expires_at_ms) END,
       revoked_at_ms = coalesce(stored.revoked_at_ms, excluded.revoked_at_ms)
     RETURNING *`,
    [
      row.credentialId,
      revision,
      row.partnerId,
      row.tokenHash,
      row.quota,
      row.createdAtMs,
      row.expiresAtMs,
      row.revokedAtMs,
      Number(row.isTest),
      ...grantsOf(row),
    ],
  );
  yield* note(row.credentialId, before && credentialTerms(before), credentialTerms(after!));
}

function* findCredential(credentialId: string): Program<StoredCredential | undefined> {
  const [row] = yield* rows<StoredCredential>('SELECT * FROM credentials WHERE credential_id = ?', [
    credentialId,
  ]);
  return row;
}

/**
 * The columns `scopes`, `networks` and `scopes_within`. A release that knows no networks reads `scopes` alone; there it
 * finds none where networks are set, so it grants nothing.
 */
function grantsOf({
  scopes,
  networks,
}: Pick<CredentialRow, 'scopes' | 'networks'>): readonly [string, string | null, string | null] {
  const text = JSON.stringify(scopes);
  return networks.length === 0 ? [text, null, null] : ['[]', JSON.stringify(networks), text];
}

// The audit trail records the terms of a row, never a token or key, nor its hash.

type Terms = Readonly<Record<string, unknown>>;

function* findPartner(partnerId: string): Program<PartnerRow | undefined> {
  const [row] = yield* rows<object>('SELECT * FROM partners WHERE partner_id = ?', [partnerId]);
  return row && PARTNER.read(row);
}

function credentialTerms(stored: StoredCredential): Terms {
  const { partnerId, scopes, quota, isTest, networks, expiresAtMs, revokedAtMs } = toCredential(stored);
  return {
    partnerId,
    scopes,
    quota,
    test: isTest,
    networks,
    expiresAt: formatTime(expiresAtMs),
    revokedAt: formatTime(revokedAtMs),
  };
}

function operatorTokenTerms({ name, scopes, source, expiresAtMs, revokedAtMs }: OperatorTokenRow): Terms {
  return {
    name,
    scopes,
    source,
    expiresAt: formatTime(expiresAtMs),
    revokedAt: formatTime(revokedAtMs),
  };
}

/** The latest instant that a `Date` can hold. */
const INSTANT_MS_MAX = 8_640_000_000_000_000;

function formatTime(atMs: number | null): string | null {
  if (atMs === null) return null;
  return atMs <= INSTANT_MS_MAX ? new Date(atMs).toISOString() : String(atMs);
}

/** The newest keys first, by revision: clocks of several machines differ. */
const HANDOFF_KEYS = 'SELECT * FROM handoff_keys ORDER BY revision DESC';

function* selectHandoffKeys(): Program<HandoffKeyRow[]> {
  return (yield* rows<object>(HANDOFF_KEYS)).map(HANDOFF_KEY.read);
}

/** All tables and the history, in one view. */
function* selectAccessState(): Program<{ readonly rows: AccessRows; readonly history: HistoryMark }> {
  const [newest, partners, credentials, handoffKeys, operatorTokens, siteSettings] = yield* view([
    `SELECT ${historyColumns(String(NOTHING_READ.revision))} FROM revision AS r`,
    'SELECT * FROM partners ORDER BY partner_id',
    'SELECT * FROM credentials ORDER BY credential_id',
    HANDOFF_KEYS,
    'SELECT * FROM operator_tokens ORDER BY operator_token_id',
    SITE_SETTINGS,
  ]);
  return {
    rows: {
      partners: (partners as object[]).map(PARTNER.read),
      credentials: (credentials as StoredCredential[]).map(toCredential),
      handoffKeys: (handoffKeys as object[]).map(HANDOFF_KEY.read),
      operatorTokens: (operatorTokens as object[]).map(OPERATOR_TOKEN.read),
      siteSettings: (siteSettings as object[]).map(SITE_SETTING.read),
    },
    history: continueHistory((newest as HistoryRow[])[0], NOTHING_READ),
  };
}

function* selectAccessMark(
  known: HistoryMark,
): Program<{ readonly mark: AccessMark; readonly history: HistoryMark }> {
  const [row] = yield* rows<AccessMarkRow>(accessMarkSql('?'), [known.revision], 'access-mark');
  const history = continueHistory(row, known);
  return { mark: { revision: row!.revision, rowCount: row!.row_count }, history };
}

// Credentials as they are stored.

interface StoredCredential {
  readonly credential_id: string;
  readonly partner_id: string;
  readonly token_hash: string;
  readonly scopes: string;
  readonly quota: number;
  readonly created_at_ms: number;
  readonly expires_at_ms: number | null;
  readonly revoked_at_ms: number | null;
  readonly is_test: number;
  /** JSON, as the scopes that it has there; null: from anywhere, with `scopes`. */
  readonly networks: string | null;
  readonly scopes_within: string | null;
  readonly revision: number;
}

function toCredential(row: StoredCredential): CredentialRow {
  return {
    credentialId: row.credential_id,
    partnerId: row.partner_id,
    tokenHash: row.token_hash,
    scopes: JSON.parse(row.networks === null ? row.scopes : (row.scopes_within ?? '[]')) as string[],
    quota: row.quota,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    revokedAtMs: row.revoked_at_ms,
    isTest: row.is_test === 1,
    networks: row.networks === null ? [] : (JSON.parse(row.networks) as string[]),
    revision: row.revision,
  };
}
