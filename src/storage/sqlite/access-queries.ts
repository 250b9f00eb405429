/**
 * Reading who may do what. Small tables, read whole.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { AccessMark, AccessRows, HandoffKeyRow } from '../port/access-store.ts';
import {
  type StoredCredential,
  type StoredHandoffKey,
  type StoredOperatorToken,
  type StoredPartner,
  toCredential,
  toHandoffKey,
  toOperatorToken,
  toPartner,
} from '../access-rows.ts';

/** Within a transaction, so that the four tables show one state. */
export function selectAccess(database: DatabaseSync): AccessRows {
  return {
    partners: selectAll<StoredPartner>(database, 'SELECT * FROM partners ORDER BY partner_id').map(toPartner),
    credentials: selectAll<StoredCredential>(
      database,
      'SELECT * FROM credentials ORDER BY credential_id',
    ).map(toCredential),
    handoffKeys: selectHandoffKeys(database),
    operatorTokens: selectAll<StoredOperatorToken>(
      database,
      'SELECT * FROM operator_tokens ORDER BY operator_token_id',
    ).map(toOperatorToken),
  };
}

/** `accessMark` is ACCESS_MARK, prepared. */
export function selectAccessMark(accessMark: StatementSync): AccessMark {
  const row = accessMark.get();
  return { revision: Number(row?.['revision']), rowCount: Number(row?.['row_count']) };
}

/** The newest first, by revision: clocks of several machines differ. */
export function selectHandoffKeys(database: DatabaseSync): HandoffKeyRow[] {
  return selectAll<StoredHandoffKey>(database, 'SELECT * FROM handoff_keys ORDER BY revision DESC').map(
    toHandoffKey,
  );
}

/** `Row` is what the columns of the table hold; the schema's STRICT tables guarantee their types. */
function selectAll<Row>(database: DatabaseSync, sql: string): Row[] {
  return database.prepare(sql).all() as unknown as Row[];
}
