/**
 * Writing partners, credentials, handoff keys and operator tokens. Rare: nothing is prepared.
 */
import type { ClientBase } from 'pg';
import { type StoredPartner, toPartner } from '../access-rows.ts';
import type {
  CredentialRow,
  HandoffKeyRow,
  OperatorTokenRow,
  PartnerChanges,
  PartnerRow,
} from '../port/access-store.ts';
import type { Revision } from '../port/revision.ts';
import { selectHandoffKeys } from './access-queries.ts';
import { takeRevision } from './revision.ts';
import { inWriteTransaction } from './connection/transactions.ts';

export async function putPartner(client: ClientBase, partner: PartnerRow): Promise<void> {
  const { partnerId, name, origins, disabled, createdAtMs } = partner;
  await stamped(client, (revision) =>
    client.query(
      `INSERT INTO partners (partner_id, revision, name, origins, disabled, created_at_ms)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (partner_id) DO UPDATE SET
         revision = excluded.revision, name = excluded.name, origins = excluded.origins,
         disabled = excluded.disabled, created_at_ms = excluded.created_at_ms`,
      [partnerId, revision, name, JSON.stringify(origins), disabled ? 1 : 0, createdAtMs],
    ),
  );
}

export async function updatePartner(
  client: ClientBase,
  partnerId: string,
  { name, origins, disabled }: PartnerChanges,
): Promise<PartnerRow | undefined> {
  return inWriteTransaction(client, async () => {
    const { rows } = await client.query<StoredPartner>(
      `UPDATE partners SET revision = $1, name = coalesce($2, name), origins = coalesce($3, origins),
         disabled = coalesce($4, disabled)
       WHERE partner_id = $5
       RETURNING partner_id, name, origins, disabled, created_at_ms, revision`,
      [
        await takeRevision(client),
        name ?? null,
        origins === undefined ? null : JSON.stringify(origins),
        disabled === undefined ? null : Number(disabled),
        partnerId,
      ],
    );
    return { result: rows[0] && toPartner(rows[0]), isCommitted: rows.length === 1 };
  });
}

export async function putCredentials(
  client: ClientBase,
  credentials: readonly CredentialRow[],
): Promise<void> {
  if (credentials.length === 0) return;
  await stamped(client, async (revision) => {
    for (const row of credentials) await putCredential(client, row, revision);
  });
}

async function putCredential(client: ClientBase, row: CredentialRow, revision: Revision): Promise<void> {
  await client.query(
    `INSERT INTO credentials AS stored (credential_id, revision, partner_id, token_hash, scopes, quota,
       created_at_ms, expires_at_ms, revoked_at_ms, is_test)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     ON CONFLICT (credential_id) DO UPDATE SET
       revision = excluded.revision, partner_id = excluded.partner_id, token_hash = excluded.token_hash,
       scopes = excluded.scopes, quota = excluded.quota, created_at_ms = excluded.created_at_ms,
       is_test = excluded.is_test,
       -- This row may have been read before another process revoked it, or ended it earlier. No expiry counts as none.
       expires_at_ms = least(stored.expires_at_ms, excluded.expires_at_ms),
       revoked_at_ms = coalesce(stored.revoked_at_ms, excluded.revoked_at_ms)`,
    [
      row.credentialId,
      revision,
      row.partnerId,
      row.tokenHash,
      JSON.stringify(row.scopes),
      row.quota,
      row.createdAtMs,
      row.expiresAtMs,
      row.revokedAtMs,
      Number(row.isTest),
    ],
  );
}

/** A key never changes: one whose id exists already breaks the primary key. Returns all keys. */
export async function putHandoffKey(
  client: ClientBase,
  key: HandoffKeyRow,
  unlessAnyExists: boolean,
): Promise<HandoffKeyRow[]> {
  return inWriteTransaction(client, async () => {
    const revision = await takeRevision(client);
    if (unlessAnyExists) {
      const existing = await selectHandoffKeys(client);
      if (existing.length > 0) return { result: existing, isCommitted: false };
    }
    await client.query(
      'INSERT INTO handoff_keys (key_id, revision, secret, created_at_ms) VALUES ($1, $2, $3, $4)',
      [key.keyId, revision, key.secret, key.createdAtMs],
    );
    return { result: await selectHandoffKeys(client), isCommitted: true };
  });
}

/** The first retirement counts; an unknown key takes no revision. Returns all keys. */
export async function retireHandoffKey(
  client: ClientBase,
  keyId: string,
  atMs: number,
): Promise<HandoffKeyRow[]> {
  return inWriteTransaction(client, async () => {
    const { rowCount } = await client.query(
      'UPDATE handoff_keys SET retired_at_ms = $1, revision = $2 WHERE key_id = $3 AND retired_at_ms IS NULL',
      [atMs, await takeRevision(client), keyId],
    );
    return { result: await selectHandoffKeys(client), isCommitted: rowCount === 1 };
  });
}

export async function putOperatorToken(client: ClientBase, token: OperatorTokenRow): Promise<void> {
  await stamped(client, (revision) =>
    client.query(
      `INSERT INTO operator_tokens AS stored (operator_token_id, revision, name, token_hash, scopes, source,
         created_at_ms, expires_at_ms, revoked_at_ms)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       ON CONFLICT (operator_token_id) DO UPDATE SET
         revision = excluded.revision, name = excluded.name, token_hash = excluded.token_hash,
         scopes = excluded.scopes, source = excluded.source, created_at_ms = excluded.created_at_ms,
         expires_at_ms = excluded.expires_at_ms,
         revoked_at_ms = coalesce(stored.revoked_at_ms, excluded.revoked_at_ms)`,
      [
        token.operatorTokenId,
        revision,
        token.name,
        token.tokenHash,
        JSON.stringify(token.scopes),
        token.source,
        token.createdAtMs,
        token.expiresAtMs,
        token.revokedAtMs,
      ],
    ),
  );
}

async function stamped(client: ClientBase, write: (revision: Revision) => Promise<unknown>): Promise<void> {
  await inWriteTransaction(client, async () => {
    await write(await takeRevision(client));
    return { result: undefined, isCommitted: true };
  });
}
