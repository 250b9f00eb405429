/**
 * Rows of partners, credentials, keys and operator tokens, as both adapters select them. Lists are JSON text; flags
 * are 0 or 1; an instant is a number or null.
 */
import type { CredentialRow, HandoffKeyRow, OperatorTokenRow, PartnerRow } from './store.ts';

export interface StoredPartner {
  readonly partner_id: string;
  readonly name: string;
  readonly origins: string;
  readonly disabled: number;
  readonly created_at_ms: number;
  readonly revision: number;
}

export interface StoredCredential {
  readonly credential_id: string;
  readonly partner_id: string;
  readonly token_hash: string;
  readonly scopes: string;
  readonly quota: number;
  readonly created_at_ms: number;
  readonly expires_at_ms: number | null;
  readonly revoked_at_ms: number | null;
  readonly is_test: number;
  readonly revision: number;
}

export interface StoredHandoffKey {
  readonly key_id: string;
  readonly secret: string;
  readonly created_at_ms: number;
  readonly retired_at_ms: number | null;
  readonly revision: number;
}

export interface StoredOperatorToken {
  readonly operator_token_id: string;
  readonly name: string;
  readonly token_hash: string;
  readonly scopes: string;
  readonly source: string | null;
  readonly created_at_ms: number;
  readonly expires_at_ms: number | null;
  readonly revoked_at_ms: number | null;
  readonly revision: number;
}

export function toPartner(row: StoredPartner): PartnerRow {
  return {
    partnerId: row.partner_id,
    name: row.name,
    origins: JSON.parse(row.origins) as string[],
    disabled: row.disabled === 1,
    createdAtMs: row.created_at_ms,
    revision: row.revision,
  };
}

export function toCredential(row: StoredCredential): CredentialRow {
  return {
    credentialId: row.credential_id,
    partnerId: row.partner_id,
    tokenHash: row.token_hash,
    scopes: JSON.parse(row.scopes) as string[],
    quota: row.quota,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    revokedAtMs: row.revoked_at_ms,
    isTest: row.is_test === 1,
    revision: row.revision,
  };
}

export function toHandoffKey(row: StoredHandoffKey): HandoffKeyRow {
  return {
    keyId: row.key_id,
    secret: row.secret,
    createdAtMs: row.created_at_ms,
    retiredAtMs: row.retired_at_ms,
    revision: row.revision,
  };
}

export function toOperatorToken(row: StoredOperatorToken): OperatorTokenRow {
  return {
    operatorTokenId: row.operator_token_id,
    name: row.name,
    tokenHash: row.token_hash,
    scopes: JSON.parse(row.scopes) as string[],
    source: row.source,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    revokedAtMs: row.revoked_at_ms,
    revision: row.revision,
  };
}
