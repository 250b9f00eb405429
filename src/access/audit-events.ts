/**
 * Derives administrative acts from two states of access, so it covers every command on any machine. Names ids, never a
 * token, a hash or a key.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  type AccessRows,
  type CredentialRow,
  type HandoffKeyRow,
  type OperatorTokenRow,
  type PartnerRow,
  termsOfPartner,
} from '../storage/access/store.ts';
import { formatInstant } from './parse-duration.ts';

export const AUDIT_EVENTS = [
  'partner_created',
  'partner_changed',
  'partner_disabled',
  'partner_enabled',
  'credential_issued',
  'credential_changed',
  'credential_ends',
  'credential_revoked',
  'handoff_key_made',
  'handoff_key_retired',
  'operator_token_issued',
  'operator_token_revoked',
] as const;

export interface AuditEvent {
  readonly act: (typeof AUDIT_EVENTS)[number];
  /** Ids and terms for a log line. */
  readonly about: Readonly<Record<string, unknown>>;
}

/** Partners first, each list in the order of its rows. */
export function findAuditEvents(before: AccessRows, after: AccessRows): readonly AuditEvent[] {
  return [
    ...eachChange(before.partners, after.partners, 'partnerId', actsOnPartner),
    ...eachChange(before.credentials, after.credentials, 'credentialId', actsOnCredential),
    ...eachChange(before.handoffKeys, after.handoffKeys, 'keyId', actsOnKey),
    ...eachChange(before.operatorTokens, after.operatorTokens, 'operatorTokenId', actsOnOperatorToken),
  ];
}

/** Every row that is new or has another revision. */
function* eachChange<
  Id extends string,
  Row extends { readonly revision: number } & Readonly<Record<Id, string>>,
>(
  before: readonly Row[],
  after: readonly Row[],
  id: Id,
  actsOn: (old: Row | undefined, row: Row) => Iterable<AuditEvent>,
): Generator<AuditEvent> {
  const known = new Map(before.map((row) => [row[id], row]));
  for (const row of after) {
    const old = known.get(row[id]);
    if (old?.revision !== row.revision) yield* actsOn(old, row);
  }
}

function* actsOnPartner(old: PartnerRow | undefined, row: PartnerRow): Generator<AuditEvent> {
  const { partnerId } = row;
  const { disabled: _disabled, ...terms } = termsOfPartner(row);
  const about = { partnerId, ...terms };
  if (old === undefined) yield { act: 'partner_created', about };
  else if (!isDeepStrictEqual({ ...termsOfPartner(old), ...terms }, termsOfPartner(old)))
    yield { act: 'partner_changed', about };
  if (row.disabled && old?.disabled !== true) yield { act: 'partner_disabled', about: { partnerId } };
  if (!row.disabled && old?.disabled === true) yield { act: 'partner_enabled', about: { partnerId } };
}

function* actsOnCredential(old: CredentialRow | undefined, row: CredentialRow): Generator<AuditEvent> {
  const { credentialId, partnerId, scopes, quota, networks } = row;
  const expiresAt = formatInstant(row.expiresAtMs);
  if (old === undefined) {
    yield {
      act: 'credential_issued',
      about: { credentialId, partnerId, scopes, quota, networks, expiresAt },
    };
  } else {
    if (old.quota !== quota || old.networks.join() !== networks.join())
      yield { act: 'credential_changed', about: { credentialId, partnerId, quota, networks } };
    if (old.expiresAtMs !== row.expiresAtMs)
      yield { act: 'credential_ends', about: { credentialId, partnerId, expiresAt } };
  }
  if (row.revokedAtMs !== null && (old?.revokedAtMs ?? null) === null) {
    yield { act: 'credential_revoked', about: { credentialId, partnerId } };
  }
}

function* actsOnKey(
  old: HandoffKeyRow | undefined,
  { keyId, retiredAtMs }: HandoffKeyRow,
): Generator<AuditEvent> {
  if (old === undefined) yield { act: 'handoff_key_made', about: { keyId } };
  if (retiredAtMs !== null && (old?.retiredAtMs ?? null) === null) {
    yield { act: 'handoff_key_retired', about: { keyId } };
  }
}

function* actsOnOperatorToken(
  old: OperatorTokenRow | undefined,
  row: OperatorTokenRow,
): Generator<AuditEvent> {
  const { operatorTokenId, name, scopes, source } = row;
  if (old === undefined) {
    const about = { operatorTokenId, name, scopes, source, expiresAt: formatInstant(row.expiresAtMs) };
    yield { act: 'operator_token_issued', about };
  }
  if (row.revokedAtMs !== null && (old?.revokedAtMs ?? null) === null) {
    yield { act: 'operator_token_revoked', about: { operatorTokenId } };
  }
}
