/** Tokens of the operator's own systems: issue, list, revoke. */
import { OPERATOR_SCOPE_NAMES } from '../contract/operator/operator-scopes.ts';
import { findReservedReason, isSourceName, SOURCE_FORM } from '../domain/layers.ts';
import type { OperatorTokenRow } from '../storage/access/store.ts';
import { type Outcome, refuse } from '../domain/outcome.ts';
import { Wrong } from '../domain/wrong.ts';
import { type AccessDeps, checkName } from './partner-changes.ts';
import { randomBase62 } from '../runtime/random.ts';
import { formatInstant } from './parse-duration.ts';
import { chooseExpiry, chooseScopes } from './token-terms.ts';
import { hashToken, mintToken } from './token.ts';

/** The operator's view of a token; never the token itself. Instants are RFC 3339. */
interface OperatorTokenView extends Pick<OperatorTokenRow, 'operatorTokenId' | 'name' | 'scopes' | 'source'> {
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

/** With the token, which is known only now. */
export interface IssuedOperatorToken extends Omit<OperatorTokenView, 'createdAt' | 'revokedAt'> {
  readonly token: string;
}

interface OperatorTokenOptions {
  readonly name: string;
  /** Defaults to all. */
  readonly scopes?: readonly string[] | undefined;
  readonly source?: string | undefined;
  /** Never expires when absent. */
  readonly expiresAtMs?: number | undefined;
}

export async function issueOperatorToken(
  deps: AccessDeps,
  options: OperatorTokenOptions,
): Promise<Outcome<IssuedOperatorToken>> {
  const nowMs = deps.clock();
  const name = checkName(options.name);
  if (!name.ok) return name;
  const scopes = chooseScopes(OPERATOR_SCOPE_NAMES, options.scopes);
  if (!scopes.ok) return scopes;
  const { source = null } = options;
  const reserved = source === null ? undefined : findReservedReason(source);
  if (reserved !== undefined) return refuse(reserved);
  if (source !== null && !isSourceName(source))
    return refuse(new Wrong('sourceWrong', { wrong: SOURCE_FORM }));
  const expiry = chooseExpiry('tokenExpiry', options.expiresAtMs, nowMs);
  if (!expiry.ok) return expiry;
  const token = mintToken(deps.random, 'operator');
  const row: OperatorTokenRow = {
    operatorTokenId: `ot_${randomBase62(16, deps.random)}`,
    name: name.value,
    tokenHash: hashToken(token),
    scopes: scopes.value,
    source,
    createdAtMs: nowMs,
    expiresAtMs: expiry.value,
    revokedAtMs: null,
    revision: 0,
  };
  await deps.storage.putOperatorToken(row);
  const { createdAt: _createdAt, revokedAt: _revokedAt, ...view } = presentOperatorToken(row);
  return { ok: true, value: { ...view, token } };
}

/** Ascending by creation. */
export async function listOperatorTokens(
  deps: Pick<AccessDeps, 'storage'>,
): Promise<readonly OperatorTokenView[]> {
  const { operatorTokens } = await deps.storage.readAccess();
  return operatorTokens
    .toSorted((a, b) => a.createdAtMs - b.createdAtMs || (a.operatorTokenId < b.operatorTokenId ? -1 : 1))
    .map(presentOperatorToken);
}

/** Final. Revoking again keeps the first instant. */
export async function revokeOperatorToken(
  deps: AccessDeps,
  operatorTokenId: string,
): Promise<Outcome<OperatorTokenView>> {
  const { operatorTokens } = await deps.storage.readAccess();
  const row = operatorTokens.find((candidate) => candidate.operatorTokenId === operatorTokenId);
  if (row === undefined) {
    return refuse(new Wrong('unknownToken', { id: JSON.stringify(operatorTokenId.slice(0, 200)) }));
  }
  if (row.revokedAtMs !== null) return { ok: true, value: presentOperatorToken(row) };
  const revoked = { ...row, revokedAtMs: deps.clock() };
  await deps.storage.putOperatorToken(revoked);
  return { ok: true, value: presentOperatorToken(revoked) };
}

function presentOperatorToken(row: OperatorTokenRow): OperatorTokenView {
  return {
    operatorTokenId: row.operatorTokenId,
    name: row.name,
    scopes: row.scopes,
    source: row.source,
    createdAt: formatInstant(row.createdAtMs),
    expiresAt: formatInstant(row.expiresAtMs),
    revokedAt: formatInstant(row.revokedAtMs),
  };
}
