/** Changes of credentials by the operator: issue, list, change, revoke, rotate. */
import { Wrong } from '../domain/wrong.ts';
import { ALL_SCOPE_NAMES, SCOPE_NAMES } from '../contract/partner/scopes.ts';
import { DAY_MS } from '../domain/local-date.ts';
import type { CredentialRow } from '../storage/access/store.ts';
import { type Outcome, refuse } from '../domain/outcome.ts';
import { NETWORKS_MAX, parseNetwork } from './networks.ts';
import { type AccessDeps, findPartner, refuseUnknownPartner } from './partner-changes.ts';
import { chooseExpiry, chooseScopes, QUOTA_MAX } from './token-terms.ts';
import { type Random, randomBase62 } from '../runtime/random.ts';
import { formatInstant, INSTANT_MAX_MS } from './parse-duration.ts';
import { hashToken, mintToken } from './token.ts';

export const OVERLAP_DEFAULT_MS = DAY_MS;
/** Longer than this it is not a rotation, but two valid tokens. */
const OVERLAP_MAX_MS = 90 * DAY_MS;

/** The operator's view of a credential; never its token or hash. Instants are RFC 3339. */
export interface CredentialView extends Pick<
  CredentialRow,
  'credentialId' | 'partnerId' | 'scopes' | 'quota' | 'networks'
> {
  readonly test: boolean;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

/** A new credential with its token, which is known only now. */
export interface IssuedCredential extends Pick<
  CredentialView,
  'credentialId' | 'partnerId' | 'scopes' | 'quota' | 'expiresAt'
> {
  readonly token: string;
  /** Sandbox only; absent for live credentials. */
  readonly test?: true;
  /** Absent: from anywhere. */
  readonly networks?: readonly string[];
  /** The same form made it before. */
  readonly isShownAgain?: true;
}

interface CredentialOptions {
  readonly partnerId: string;
  /** Defaults to the contract's scopes. */
  readonly scopes?: readonly string[] | undefined;
  /** Requests per 60 seconds. */
  readonly quota: number;
  readonly expiresAtMs?: number | undefined;
  /** For the sandbox instead of the catalogue. */
  readonly isTest?: boolean | undefined;
  readonly networks?: readonly string[] | undefined;
}

/** The form that asks, where it can be sent more than once: it then gets the credential that it made before. */
export interface FormOptions {
  /** A fresh copy of the randomness that this form has each time. */
  readonly randomOfForm?: (() => Random) | undefined;
}

/** Absent: stays as it is. */
interface CredentialChanges {
  readonly quota?: number | undefined;
  /** In place of the whole list; empty: from anywhere. */
  readonly networks?: readonly string[] | undefined;
}

export async function issueCredential(
  deps: AccessDeps,
  options: CredentialOptions & FormOptions,
): Promise<Outcome<IssuedCredential>> {
  if (options.randomOfForm !== undefined) {
    const before = findMadeBefore((await deps.storage.readAccess()).credentials, options);
    if (before !== undefined) return before;
  }
  const scopes = chooseScopes(ALL_SCOPE_NAMES, options.scopes, SCOPE_NAMES);
  if (!scopes.ok) return scopes;
  if (!isQuota(options.quota)) return refuse(NO_QUOTA);
  const networks = checkNetworks(options.networks ?? []);
  if (!networks.ok) return networks;
  const nowMs = deps.clock();
  const expiry = chooseExpiry('credentialExpiry', options.expiresAtMs, nowMs);
  if (!expiry.ok) return expiry;
  const partner = await findPartner(deps, options.partnerId);
  if (!partner.ok) return partner;
  const { row, token } = makeCredential(randomFor(deps, options), {
    partnerId: options.partnerId,
    scopes: scopes.value,
    quota: options.quota,
    isTest: options.isTest ?? false,
    networks: networks.value,
    createdAtMs: nowMs,
    expiresAtMs: expiry.value,
  });
  return store(deps, options, row, token);
}

function randomFor({ random }: AccessDeps, { randomOfForm }: FormOptions): Random {
  return randomOfForm?.() ?? random;
}

/** Where a form was sent at once to several processes, one of them makes the credential. */
async function store(
  { storage }: AccessDeps,
  options: FormOptions,
  row: CredentialRow,
  token: string,
  ending?: CredentialRow,
): Promise<Outcome<IssuedCredential>> {
  const before = await storage.putCredentialOnce(row, ending);
  if (before === 'partnerUnknown') return refuseUnknownPartner(row.partnerId);
  return before === undefined
    ? { ok: true, value: presentIssued(row, token) }
    : presentIssuedAgain(before, options);
}

/** Undefined: this form has made none. */
function findMadeBefore(
  credentials: readonly CredentialRow[],
  options: FormOptions,
): Outcome<IssuedCredential> | undefined {
  if (options.randomOfForm === undefined) return undefined;
  const { credentialId } = mintCredential(options.randomOfForm(), false);
  const before = credentials.find((row) => row.credentialId === credentialId);
  return before && presentIssuedAgain(before, options);
}

function presentIssuedAgain(row: CredentialRow, { randomOfForm }: FormOptions): Outcome<IssuedCredential> {
  const { credentialId, revokedAtMs } = row;
  if (randomOfForm === undefined) throw new Error('a random id of a credential was there already');
  if (revokedAtMs !== null)
    return refuse(new Wrong('formOfRevoked', { id: credentialId, at: formatInstant(revokedAtMs) }));
  const { token } = mintCredential(randomOfForm(), row.isTest);
  return { ok: true, value: { ...presentIssued(row, token), isShownAgain: true } };
}

const NO_QUOTA = new Wrong('quotaForm', { max: QUOTA_MAX });

function isQuota(quota: number): boolean {
  return Number.isInteger(quota) && quota >= 1 && quota <= QUOTA_MAX;
}

/** In the one spelling of each, without repetitions. */
function checkNetworks(texts: readonly string[]): Outcome<readonly string[]> {
  const networks = new Set<string>();
  for (const text of texts) {
    const network = parseNetwork(text);
    if (network === undefined)
      return refuse(
        new Wrong('networkForm', { text: JSON.stringify(text.slice(0, 200)), example: '192.0.2.0/24' }),
      );
    networks.add(network);
  }
  if (networks.size > NETWORKS_MAX) return refuse(new Wrong('networksMany', { max: NETWORKS_MAX }));
  return { ok: true, value: [...networks] };
}

/** Changes only what is named; every process follows within a second. */
export async function updateCredential(
  deps: AccessDeps,
  credentialId: string,
  { quota, networks }: CredentialChanges,
): Promise<Outcome<CredentialView>> {
  if (quota !== undefined && !isQuota(quota)) return refuse(NO_QUOTA);
  const checked = networks === undefined ? undefined : checkNetworks(networks);
  if (checked?.ok === false) return checked;
  const row = await deps.storage.updateCredential(credentialId, {
    ...(quota !== undefined && { quota }),
    ...(checked !== undefined && { networks: checked.value }),
  });
  return row === undefined ? refuseUnknown(credentialId) : { ok: true, value: presentCredential(row) };
}

/** Ascending by creation; of one partner if named. */
export async function listCredentials(
  deps: Pick<AccessDeps, 'storage'>,
  partnerId?: string,
): Promise<Outcome<readonly CredentialView[]>> {
  if (partnerId !== undefined) {
    const partner = await findPartner(deps, partnerId);
    if (!partner.ok) return partner;
  }
  const { credentials } = await deps.storage.readAccess();
  const views = credentials
    .filter((row) => partnerId === undefined || row.partnerId === partnerId)
    .sort((a, b) => a.createdAtMs - b.createdAtMs || (a.credentialId < b.credentialId ? -1 : 1))
    .map(presentCredential);
  return { ok: true, value: views };
}

/** Final. Revoking again keeps the first instant. */
export async function revokeCredential(
  deps: AccessDeps,
  credentialId: string,
): Promise<Outcome<CredentialView>> {
  const found = findCredential((await deps.storage.readAccess()).credentials, credentialId);
  if (!found.ok) return found;
  if (found.value.revokedAtMs !== null) return { ok: true, value: presentCredential(found.value) };
  const revoked = { ...found.value, revokedAtMs: deps.clock() };
  await deps.storage.putCredentials([revoked]);
  return { ok: true, value: presentCredential(revoked) };
}

/**
 * Issues a successor with the same partner, scopes, quota and networks. The old token works for the overlap, or until its own
 * expiry if that is earlier.
 *
 * The successor of an expiring credential has the same lifetime, counted from now: 90 days give 90 days. So a rotation
 * never makes a limited credential unlimited.
 */
export async function rotateCredential(
  deps: AccessDeps,
  credentialId: string,
  options: { readonly overlapMs?: number | undefined } & FormOptions = {},
): Promise<Outcome<IssuedCredential>> {
  const overlapMs = options.overlapMs ?? OVERLAP_DEFAULT_MS;
  if (!Number.isInteger(overlapMs) || overlapMs < 0 || overlapMs > OVERLAP_MAX_MS) {
    return refuse(new Wrong('overlapForm', { max: OVERLAP_MAX_MS / DAY_MS, example: '24h' }));
  }
  // Both of one view: another copy of the form may end the old one meanwhile.
  const { credentials } = await deps.storage.readAccess();
  const before = findMadeBefore(credentials, options);
  if (before !== undefined) return before;
  const found = findCredential(credentials, credentialId);
  if (!found.ok) return found;
  const old = found.value;
  const nowMs = deps.clock();
  if (old.revokedAtMs !== null) {
    return refuse(new Wrong('credentialRevoked', { id: credentialId, at: formatInstant(old.revokedAtMs) }));
  }
  if (old.expiresAtMs !== null && old.expiresAtMs <= nowMs) {
    return refuse(new Wrong('credentialExpired', { id: credentialId, at: formatInstant(old.expiresAtMs) }));
  }
  const { row, token } = makeCredential(randomFor(deps, options), {
    partnerId: old.partnerId,
    scopes: old.scopes,
    quota: old.quota,
    isTest: old.isTest,
    networks: old.networks,
    createdAtMs: nowMs,
    expiresAtMs:
      old.expiresAtMs === null ? null : Math.min(nowMs + (old.expiresAtMs - old.createdAtMs), INSTANT_MAX_MS),
  });
  const ending = {
    ...old,
    expiresAtMs: Math.min(old.expiresAtMs ?? Number.POSITIVE_INFINITY, nowMs + overlapMs),
  };
  return store(deps, options, row, token, ending);
}

function findCredential(credentials: readonly CredentialRow[], credentialId: string): Outcome<CredentialRow> {
  const row = credentials.find((candidate) => candidate.credentialId === credentialId);
  return row === undefined ? refuseUnknown(credentialId) : { ok: true, value: row };
}

function refuseUnknown(credentialId: string): Outcome<never> {
  return refuse(new Wrong('unknownCredential', { id: JSON.stringify(credentialId.slice(0, 200)) }));
}

function mintCredential(random: Random, isTest: boolean) {
  const token = mintToken(random, isTest ? 'test' : 'partner');
  return { token, credentialId: `cr_${randomBase62(16, random)}` };
}

function makeCredential(
  random: Random,
  terms: Omit<CredentialRow, 'credentialId' | 'tokenHash' | 'revokedAtMs' | 'revision'>,
): { readonly row: CredentialRow; readonly token: string } {
  const { token, credentialId } = mintCredential(random, terms.isTest);
  const row: CredentialRow = {
    ...terms,
    credentialId,
    tokenHash: hashToken(token),
    revokedAtMs: null,
    revision: 0,
  };
  return { row, token };
}

function presentCredential(row: CredentialRow): CredentialView {
  return {
    credentialId: row.credentialId,
    partnerId: row.partnerId,
    scopes: row.scopes,
    quota: row.quota,
    test: row.isTest,
    networks: row.networks,
    createdAt: formatInstant(row.createdAtMs),
    expiresAt: formatInstant(row.expiresAtMs),
    revokedAt: formatInstant(row.revokedAtMs),
  };
}

function presentIssued(row: CredentialRow, token: string): IssuedCredential {
  return {
    credentialId: row.credentialId,
    partnerId: row.partnerId,
    token,
    scopes: row.scopes,
    quota: row.quota,
    ...(row.isTest ? { test: true as const } : {}),
    ...(row.networks.length > 0 && { networks: row.networks }),
    expiresAt: formatInstant(row.expiresAtMs),
  };
}
