/**
 * Writing partners, credentials, handoff keys and operator tokens; runs in the writer thread, each function within a
 * write transaction. Rare: statements are prepared when used.
 */
import type { DatabaseSync } from 'node:sqlite';
import { type StoredPartner, toPartner } from '../access-rows.ts';
import type {
  CredentialRow,
  HandoffKeyRow,
  OperatorTokenRow,
  PartnerChanges,
  PartnerRow,
} from '../port/access-store.ts';
import { takeRevision } from './revision.ts';

export function putPartner(database: DatabaseSync, partner: PartnerRow): void {
  const { partnerId, name, origins, disabled, createdAtMs } = partner;
  database
    .prepare(`
      INSERT INTO partners (partner_id, revision, name, origins, disabled, created_at_ms)
      VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (partner_id) DO UPDATE SET
        revision = excluded.revision, name = excluded.name, origins = excluded.origins,
        disabled = excluded.disabled, created_at_ms = excluded.created_at_ms`)
    .run(partnerId, takeRevision(database), name, JSON.stringify(origins), disabled ? 1 : 0, createdAtMs);
}

export function updatePartner(
  database: DatabaseSync,
  partnerId: string,
  { name, origins, disabled }: PartnerChanges,
): PartnerRow | undefined {
  if (database.prepare('SELECT 1 FROM partners WHERE partner_id = ?').get(partnerId) === undefined)
    return undefined;
  const row = database
    .prepare(`
      UPDATE partners SET revision = ?, name = coalesce(?, name), origins = coalesce(?, origins),
        disabled = coalesce(?, disabled)
      WHERE partner_id = ? RETURNING *`)
    .get(
      takeRevision(database),
      name ?? null,
      origins === undefined ? null : JSON.stringify(origins),
      disabled === undefined ? null : Number(disabled),
      partnerId,
    );
  return toPartner(row as unknown as StoredPartner);
}

export function putCredentials(database: DatabaseSync, credentials: readonly CredentialRow[]): void {
  if (credentials.length === 0) return;
  const revision = takeRevision(database);
  const put = database.prepare(`
    INSERT INTO credentials (credential_id, revision, partner_id, token_hash, scopes, quota,
      created_at_ms, expires_at_ms, revoked_at_ms, is_test)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (credential_id) DO UPDATE SET
      revision = excluded.revision, partner_id = excluded.partner_id, token_hash = excluded.token_hash,
      scopes = excluded.scopes, quota = excluded.quota, created_at_ms = excluded.created_at_ms,
      is_test = excluded.is_test,
      -- This row may have been read before another process revoked it, or ended it earlier.
      expires_at_ms = coalesce(min(credentials.expires_at_ms, excluded.expires_at_ms),
        credentials.expires_at_ms, excluded.expires_at_ms),
      revoked_at_ms = coalesce(credentials.revoked_at_ms, excluded.revoked_at_ms)`);
  for (const row of credentials) {
    const scopes = JSON.stringify(row.scopes);
    put.run(
      row.credentialId,
      revision,
      row.partnerId,
      row.tokenHash,
      scopes,
      row.quota,
      row.createdAtMs,
      row.expiresAtMs,
      row.revokedAtMs,
      Number(row.isTest),
    );
  }
}

/** A key never changes: one whose id exists already breaks the primary key. */
export function putHandoffKey(database: DatabaseSync, key: HandoffKeyRow, unlessAnyExists: boolean): void {
  if (unlessAnyExists && database.prepare('SELECT 1 FROM handoff_keys LIMIT 1').get() !== undefined) return;
  database
    .prepare('INSERT INTO handoff_keys (key_id, revision, secret, created_at_ms) VALUES (?, ?, ?, ?)')
    .run(key.keyId, takeRevision(database), key.secret, key.createdAtMs);
}

/** The first retirement counts; an unknown key takes no revision. */
export function retireHandoffKey(database: DatabaseSync, keyId: string, atMs: number): void {
  const isInUse = database.prepare('SELECT 1 FROM handoff_keys WHERE key_id = ? AND retired_at_ms IS NULL');
  if (isInUse.get(keyId) === undefined) return;
  database
    .prepare('UPDATE handoff_keys SET retired_at_ms = ?, revision = ? WHERE key_id = ?')
    .run(atMs, takeRevision(database), keyId);
}

export function putOperatorToken(database: DatabaseSync, token: OperatorTokenRow): void {
  const { operatorTokenId, name, tokenHash, scopes, source, createdAtMs, expiresAtMs, revokedAtMs } = token;
  database
    .prepare(`
      INSERT INTO operator_tokens (operator_token_id, revision, name, token_hash, scopes, source,
        created_at_ms, expires_at_ms, revoked_at_ms)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (operator_token_id) DO UPDATE SET
        revision = excluded.revision, name = excluded.name, token_hash = excluded.token_hash,
        scopes = excluded.scopes, source = excluded.source, created_at_ms = excluded.created_at_ms,
        expires_at_ms = excluded.expires_at_ms,
        revoked_at_ms = coalesce(operator_tokens.revoked_at_ms, excluded.revoked_at_ms)`)
    .run(
      operatorTokenId,
      takeRevision(database),
      name,
      tokenHash,
      JSON.stringify(scopes),
      source,
      createdAtMs,
      expiresAtMs,
      revokedAtMs,
    );
}
