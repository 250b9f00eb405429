/**
 * Partners, credentials and operator tokens in memory, looked up by the token's hash.
 *
 * A directory is immutable. The follower builds a new one only when a partner, a credential, a handoff key or an
 * operator token changed. Only expiry depends on the time of the question.
 */
import { timingSafeEqual } from 'node:crypto';
import type { AccessRows, CredentialRow, OperatorTokenRow, PartnerRow } from '../storage/access/store.ts';
import type { OperatorScope } from '../contract/operator/operator-scopes.ts';
import { type Network, readNetwork } from './networks.ts';
import { ORIGIN_LENGTH_MAX } from './origins.ts';
import { hashToken, isWellFormedToken } from './token.ts';

/** A credential whose token was recognised. */
export interface Credential {
  readonly credentialId: string;
  readonly partnerId: string;
  readonly scopes: ReadonlySet<string>;
  /** Requests per 60 seconds. */
  readonly quota: number;
  /** Browser origins of its partner. */
  readonly origins: ReadonlySet<string>;
  /** Sees only the sandbox. */
  readonly isTest: boolean;
  /** From elsewhere its token is unknown; undefined: from anywhere. */
  readonly networks: readonly Network[] | undefined;
  /** Infinity without expiry. A cached credential is valid until this instant. */
  readonly expiresAtMs: number;
}

/** `invalid`: malformed, unknown or expired. `revoked`: revoked, or its partner is disabled (SPEC 5). */
type Authentication =
  | { readonly ok: true; readonly credential: Credential }
  | {
      readonly ok: false;
      readonly reason: 'invalid' | 'revoked';
      /** The owner of the token, for the log and the metrics; the caller's answer does not depend on it. */
      readonly refused?: Pick<Credential, 'credentialId' | 'partnerId' | 'networks'>;
    };

export interface AccessDirectory {
  /** `tokenText` is the text after `Bearer`, of any length. From which networks it may come is for the caller to check. */
  authenticate(tokenText: string, nowMs: number): Authentication;
  /** Undefined when the token is malformed, unknown, expired or revoked; `authorizeOperator` also checks its scopes. */
  authenticateOperator(tokenText: string, nowMs: number): Operator | undefined;
  /** Whether any partner lists this origin: a preflight carries no credential. */
  isKnownOrigin(origin: string): boolean;
  partnerName(partnerId: string): string | undefined;
}

/** An operator token that was recognised. */
export interface Operator {
  readonly operatorTokenId: string;
  readonly name: string;
  readonly scopes: ReadonlySet<string>;
  /** Its only supply source for writing; null: any. */
  readonly source: string | null;
  /** Infinity without expiry. */
  readonly expiresAtMs: number;
}

const INVALID: Authentication = { ok: false, reason: 'invalid' };

interface KnownCredential {
  readonly hashBytes: Uint8Array;
  readonly expiresAtMs: number;
  readonly isRevoked: boolean;
  readonly accepted: Authentication;
  readonly expired: Authentication;
  readonly revoked: Authentication;
}

/** A credential without its partner, which a restore in the middle of a change may leave, lets nobody in. */
export function buildAccessDirectory(rows: AccessRows): AccessDirectory {
  const partners = new Map(rows.partners.map((partner) => [partner.partnerId, partner]));
  const origins = new Map(rows.partners.map((partner) => [partner.partnerId, new Set(partner.origins)]));
  const knownOrigins = new Set(rows.partners.flatMap((partner) => partner.origins));
  const credentials = new Map<string, KnownCredential>();
  const scopesOf = shareSets();
  for (const row of rows.credentials) {
    const partner = partners.get(row.partnerId);
    if (partner === undefined) continue;
    const sets = { scopes: scopesOf(row.scopes), origins: origins.get(row.partnerId) ?? new Set<string>() };
    credentials.set(row.tokenHash, knownCredential(row, partner, sets));
  }
  const inForce = rows.operatorTokens.filter((row) => row.revokedAtMs === null);
  const operators = new Map(inForce.map((row) => [row.tokenHash, knownOperator(row)]));

  return {
    authenticate(tokenText, nowMs) {
      if (!isWellFormedToken(tokenText) && !isWellFormedToken(tokenText, 'test')) return INVALID;
      const known = findByHash(credentials, tokenText);
      if (known === undefined) return INVALID;
      // An expired credential is treated as unknown, even if it was revoked too.
      if (known.expiresAtMs <= nowMs) return known.expired;
      return known.isRevoked ? known.revoked : known.accepted;
    },
    authenticateOperator(tokenText, nowMs) {
      if (!isWellFormedToken(tokenText, 'operator')) return undefined;
      const operator = findByHash(operators, tokenText)?.operator;
      return operator !== undefined && nowMs < operator.expiresAtMs ? operator : undefined;
    },
    isKnownOrigin: (origin) => origin.length <= ORIGIN_LENGTH_MAX && knownOrigins.has(origin),
    partnerName: (partnerId) => partners.get(partnerId)?.name,
  };
}

/** One set for all credentials with equal scopes: every request reads it, so it stays in the processor's cache. */
function shareSets(): (values: readonly string[]) => ReadonlySet<string> {
  const sets = new Map<string, ReadonlySet<string>>();
  return (values) => {
    const key = values.join(' ');
    const set = sets.get(key) ?? new Set(values);
    sets.set(key, set);
    return set;
  };
}

function knownCredential(
  row: CredentialRow,
  partner: PartnerRow,
  sets: Pick<Credential, 'scopes' | 'origins'>,
): KnownCredential {
  const expiresAtMs = row.expiresAtMs ?? Number.POSITIVE_INFINITY;
  const networks = row.networks.length === 0 ? undefined : row.networks.map(readNetwork);
  const refused = { credentialId: row.credentialId, partnerId: row.partnerId, networks };
  return {
    hashBytes: Buffer.from(row.tokenHash, 'hex'),
    expiresAtMs,
    expired: { ok: false, reason: 'invalid', refused },
    revoked: { ok: false, reason: 'revoked', refused },
    isRevoked: row.revokedAtMs !== null || partner.disabled,
    accepted: {
      ok: true,
      credential: {
        ...refused,
        ...sets,
        quota: row.quota,
        isTest: row.isTest,
        expiresAtMs,
      },
    },
  };
}

function knownOperator(row: OperatorTokenRow): { hashBytes: Uint8Array; operator: Operator } {
  return {
    hashBytes: Buffer.from(row.tokenHash, 'hex'),
    operator: {
      operatorTokenId: row.operatorTokenId,
      name: row.name,
      scopes: new Set(row.scopes),
      source: row.source,
      expiresAtMs: row.expiresAtMs ?? Number.POSITIVE_INFINITY,
    },
  };
}

/**
 * The map is keyed by the hash, so the time of a lookup reveals only hashes, which nobody can choose; the final
 * comparison is constant-time.
 */
function findByHash<Known extends { readonly hashBytes: Uint8Array }>(
  byHash: ReadonlyMap<string, Known>,
  tokenText: string,
): Known | undefined {
  const tokenHash = hashToken(tokenText);
  const known = byHash.get(tokenHash);
  if (known === undefined) return undefined;
  return timingSafeEqual(known.hashBytes, Buffer.from(tokenHash, 'hex')) ? known : undefined;
}

/** `missing`: no token at all. `invalid`: unknown, expired or revoked. `scope`: known, without this right. */
type OperatorAuthorization =
  | { readonly ok: true; readonly operator: Operator }
  | { readonly ok: false; readonly reason: 'missing' | 'invalid' | 'scope' };

/** The first check of every operator operation. `token` is the text after `Bearer`. */
export function authorizeOperator(
  directory: AccessDirectory,
  token: string | undefined,
  scope: OperatorScope,
  nowMs: number,
): OperatorAuthorization {
  if (token === undefined) return { ok: false, reason: 'missing' };
  const operator = directory.authenticateOperator(token, nowMs);
  if (operator === undefined) return { ok: false, reason: 'invalid' };
  return operator.scopes.has(scope) ? { ok: true, operator } : { ok: false, reason: 'scope' };
}
