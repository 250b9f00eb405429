/**
 * Reading who may do what. Small tables, read whole.
 */
import type { ClientBase, QueryResult } from 'pg';
import { ACCESS_MARK } from '../access-mark.ts';
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

/** The newest keys first, by revision: clocks of several machines differ. */
const HANDOFF_KEYS =
  'SELECT key_id, secret, created_at_ms, retired_at_ms, revision FROM handoff_keys ORDER BY revision DESC';

const ACCESS = [
  'SELECT partner_id, name, origins, disabled, created_at_ms, revision FROM partners ORDER BY partner_id',
  `SELECT credential_id, partner_id, token_hash, scopes, quota, created_at_ms, expires_at_ms, revoked_at_ms,
     is_test, revision
   FROM credentials ORDER BY credential_id`,
  HANDOFF_KEYS,
  `SELECT operator_token_id, name, token_hash, scopes, source, created_at_ms, expires_at_ms, revoked_at_ms, revision
   FROM operator_tokens ORDER BY operator_token_id`,
];

/** One state of all four tables. */
export async function selectAccess(client: ClientBase): Promise<AccessRows> {
  const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
  return toAccess((await selectMany(client, [begin, ...ACCESS, 'COMMIT'])).slice(1));
}

export async function selectAccessMark(client: ClientBase): Promise<AccessMark> {
  const { rows } = await client.query<{ revision: number; row_count: number }>({
    name: 'access-mark',
    text: ACCESS_MARK,
  });
  const [row] = rows;
  if (row === undefined) throw new Error('an aggregate has one row');
  return { revision: row.revision, rowCount: row.row_count };
}

export async function selectHandoffKeys(client: ClientBase): Promise<HandoffKeyRow[]> {
  const { rows } = await client.query<StoredHandoffKey>(HANDOFF_KEYS);
  return rows.map(toHandoffKey);
}

/** Without parameters the statements travel together: one round trip. */
async function selectMany(client: ClientBase, statements: readonly string[]): Promise<QueryResult[]> {
  return (await client.query(statements.join(';'))) as unknown as QueryResult[];
}

function toAccess([partners, credentials, handoffKeys, operatorTokens]: readonly QueryResult[]): AccessRows {
  return {
    partners: rowsOf<StoredPartner>(partners).map(toPartner),
    credentials: rowsOf<StoredCredential>(credentials).map(toCredential),
    handoffKeys: rowsOf<StoredHandoffKey>(handoffKeys).map(toHandoffKey),
    operatorTokens: rowsOf<StoredOperatorToken>(operatorTokens).map(toOperatorToken),
  };
}

function rowsOf<Row>(result: QueryResult | undefined): Row[] {
  return result === undefined ? [] : (result.rows as Row[]);
}
