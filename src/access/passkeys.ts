/**
 * Passkeys of people who use the console (WebAuthn Level 3): discoverable, and always with user verification. A passkey
 * is registered in a session that a link opened, and has its name and role for good. It signs in, and renews the sign-in
 * of a session of the same name and role.
 *
 * A challenge is sealed, not stored: asking for one writes nothing, so nobody can crowd out the challenges of others.
 * Once answered rightly it is stored as a hash until it expires, and so answered once.
 */
import { Wrong } from '../domain/wrong.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { AdministeredStores } from '../storage/administered.ts';
import type { AnsweredChallenge, Passkey, PasskeyUse } from '../storage/passkeys/store.ts';
import type { Clock } from '../runtime/clock.ts';
import { type Random, randomBase62 } from '../runtime/random.ts';
import { forgetBefore, makeSession, type SignedIn } from './console-sessions.ts';
import { formatInstant } from './parse-duration.ts';
import { type Outcome, refuse } from '../domain/outcome.ts';
import { hashToken } from './token.ts';

export const CHALLENGE_MS_MAX = 5 * 60_000;
/** Passkeys of one name and role. */
export const PASSKEYS_OF_PERSON_MAX = 20;
const RANDOM_BYTES = 16;
const EXPIRY_BYTES = 6;
const SEAL_BYTES = 32;
/** Base64url of at most 1,023 bytes (WebAuthn 4, Credential ID). */
const CREDENTIAL_ID = /^[\w-]{1,1364}$/;
/** Ed25519, ES256 and RS256: every authenticator knows one of them. */
const ALGORITHMS = [-8, -7, -257];
/** Statements with a certificate tell who made the authenticator, which nobody asks, and may lead to other servers. */
const ATTESTATIONS: ReadonlySet<unknown> = new Set(['none', 'packed']);

export interface PasskeyDeps {
  readonly storage: Pick<
    AdministeredStores,
    | 'readPasskeySeal'
    | 'findPasskey'
    | 'listPasskeys'
    | 'putPasskey'
    | 'beginPasskeySession'
    | 'renewConsoleSession'
    | 'endPasskey'
  >;
  readonly clock: Clock;
  readonly random: Random;
}

/** Whom passkeys are for: a domain, and the origin of its pages. */
export interface RelyingParty {
  readonly rpId: string;
  readonly origin: string;
}

/** One row of `console passkeys`. Instants are RFC 3339. */
export interface PasskeyView extends Pick<Passkey, 'passkeyId' | 'name' | 'role'> {
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

type Person = Pick<SignedIn, 'sessionId' | 'name' | 'role'>;

/**
 * The host of CONSOLE_URL. Where that is an address of loopback on plain HTTP, `localhost` at its port: an address can't
 * be a domain. Undefined: passkeys don't work here, nor on a page that the browser asked for elsewhere (`host`). The
 * origin is never what was asked for: another program on this machine could get an answer for its own port. `port` is
 * that of the listener, for a CONSOLE_URL that follows OPERATOR_PORT=0.
 */
export function relyingPartyOf(consoleUrl: string, host: string, port?: number): RelyingParty | undefined {
  const url = new URL(consoleUrl);
  if (url.port === '0') url.port = String(port);
  const isPlain = url.protocol === 'http:';
  if (isPlain) url.hostname = 'localhost';
  if (isAddress(url.hostname) || (isPlain && host.toLowerCase() !== url.host)) return undefined;
  return { rpId: url.hostname, origin: url.origin };
}

function isAddress(hostname: string): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}

// Challenges.

type Purpose = 'sign-in' | `register ${string}` | `renew ${string}`;

/** Random bytes and when they expire, sealed for this purpose. */
async function makeChallenge({ storage, clock, random }: PasskeyDeps, purpose: Purpose): Promise<string> {
  const expiry = Buffer.alloc(EXPIRY_BYTES);
  expiry.writeUIntBE(clock() + CHALLENGE_MS_MAX, 0, EXPIRY_BYTES);
  const body = Buffer.concat([random(RANDOM_BYTES), expiry]);
  const key = await readSeal({ storage, random });
  return Buffer.concat([body, seal(key, purpose, body)]).toString('base64url');
}

/** Undefined for one that is not ours, for another purpose, or expired. */
function readChallenge(
  key: string,
  purpose: Purpose,
  challenge: string,
  nowMs: number,
): AnsweredChallenge | undefined {
  const bytes = Buffer.from(challenge, 'base64url');
  if (bytes.length !== RANDOM_BYTES + EXPIRY_BYTES + SEAL_BYTES) return undefined;
  const body = bytes.subarray(0, RANDOM_BYTES + EXPIRY_BYTES);
  if (!timingSafeEqual(bytes.subarray(body.length), seal(key, purpose, body))) return undefined;
  const expiresAtMs = body.readUIntBE(RANDOM_BYTES, EXPIRY_BYTES);
  if (expiresAtMs <= nowMs) return undefined;
  return { challengeHash: hashToken(bytes.toString('base64url')), expiresAtMs };
}

function seal(key: string, purpose: string, body: Uint8Array): Buffer {
  return createHmac('sha256', Buffer.from(key, 'base64url')).update(`${purpose}\0`).update(body).digest();
}

function readSeal({ storage, random }: Pick<PasskeyDeps, 'storage' | 'random'>): Promise<string> {
  return storage.readPasskeySeal(Buffer.from(random(SEAL_BYTES)).toString('base64url'));
}

// Registration.

/** Loaded when somebody uses a passkey: it is a megabyte of code. */
const loadChecker = () => import('@simplewebauthn/server');
const loadHelpers = () => import('@simplewebauthn/server/helpers');

/** For `navigator.credentials.create`, as JSON. */
export async function registrationOptions(
  deps: PasskeyDeps,
  { rpId }: RelyingParty,
  person: Person,
): Promise<object> {
  const own = await passkeysOf(deps, person);
  const { name, role } = person;
  // The same for all passkeys of a person: an authenticator then keeps one of them, not one for each registration.
  const userId = seal(await readSeal(deps), 'user', Buffer.from(`${role}\0${name}`));
  return {
    rp: { id: rpId, name: 'Stayport' },
    user: { id: userId.toString('base64url'), name: `${name} (${role})`, displayName: name },
    challenge: await makeChallenge(deps, `register ${person.sessionId}`),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: CHALLENGE_MS_MAX,
    attestation: 'none',
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    excludeCredentials: own.map(referenceTo),
  };
}

/** `response` is what the browser sent, whatever it is. Undefined: it proves nothing, or the person has too many. */
export async function registerPasskey(
  deps: PasskeyDeps,
  { rpId, origin }: RelyingParty,
  person: Person,
  response: unknown,
): Promise<PasskeyView | undefined> {
  const key = await readSeal(deps);
  const nowMs = deps.clock();
  let challenge: AnsweredChallenge | undefined;
  const registered = await orUndefined(async () => {
    const given = response as RegistrationResponseJSON;
    const { decodeAttestationObject, isoBase64URL } = await loadHelpers();
    const statement = decodeAttestationObject(isoBase64URL.toBuffer(given.response.attestationObject));
    if (!ATTESTATIONS.has(statement.get('fmt'))) return undefined;
    const { verifyRegistrationResponse } = await loadChecker();
    const { registrationInfo } = await verifyRegistrationResponse({
      response: given,
      expectedChallenge: (text) =>
        (challenge = readChallenge(key, `register ${person.sessionId}`, text, nowMs)) !== undefined,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    return registrationInfo?.credential;
  });
  if (registered === undefined || challenge === undefined || !CREDENTIAL_ID.test(registered.id))
    return undefined;
  const passkey: Passkey = {
    passkeyId: `pk_${randomBase62(16, deps.random)}`,
    credentialId: registered.id,
    publicKey: Buffer.from(registered.publicKey).toString('base64url'),
    signCount: registered.counter,
    name: person.name,
    role: person.role,
    createdAtMs: nowMs,
    lastUsedAtMs: null,
  };
  const { sessionId } = person;
  const by = { sessionId, challenge, passkeysMax: PASSKEYS_OF_PERSON_MAX };
  return (await deps.storage.putPasskey(passkey, by)) ? presentPasskey(passkey) : undefined;
}

// Sign-in.

/** For `navigator.credentials.get`, as JSON; with a person, to renew the sign-in of that session. */
export async function signInOptions(
  deps: PasskeyDeps,
  { rpId }: RelyingParty,
  person?: Person,
): Promise<object> {
  const own = person === undefined ? [] : await passkeysOf(deps, person);
  return {
    rpId,
    challenge: await makeChallenge(deps, purposeOf(person)),
    timeout: CHALLENGE_MS_MAX,
    userVerification: 'required',
    allowCredentials: own.map(referenceTo),
  };
}

function purposeOf(person: Person | undefined): Purpose {
  return person === undefined ? 'sign-in' : `renew ${person.sessionId}`;
}

/** Undefined: it proves nothing. `token` is for the cookie. */
export async function signInByPasskey(
  deps: PasskeyDeps,
  party: RelyingParty,
  response: unknown,
): Promise<{ readonly token: string } | undefined> {
  const use = await readUse(deps, party, undefined, response);
  if (use === undefined) return undefined;
  const { token, ...session } = makeSession(deps.random);
  const isBegun = await deps.storage.beginPasskeySession(use, session, forgetBefore(use.usedAtMs));
  return isBegun ? { token } : undefined;
}

/** False: it proves nothing, or is not of the person of this session. */
export async function renewByPasskey(
  deps: PasskeyDeps,
  party: RelyingParty,
  person: Person,
  response: unknown,
): Promise<boolean> {
  const use = await readUse(deps, party, person, response);
  return use !== undefined && deps.storage.renewConsoleSession(use, person.sessionId);
}

/** Checks origin, domain, challenge, signature, user verification and count. Undefined: one of them is wrong. */
async function readUse(
  deps: PasskeyDeps,
  { rpId, origin }: RelyingParty,
  person: Person | undefined,
  response: unknown,
): Promise<PasskeyUse | undefined> {
  const id: unknown = (response as { readonly id?: unknown } | null | undefined)?.id;
  if (typeof id !== 'string' || !CREDENTIAL_ID.test(id)) return undefined;
  const passkey = await deps.storage.findPasskey(id);
  if (passkey === undefined) return undefined;
  const key = await readSeal(deps);
  const usedAtMs = deps.clock();
  let challenge: AnsweredChallenge | undefined;
  const proof = await orUndefined(async () => {
    const { verifyAuthenticationResponse } = await loadChecker();
    return verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: (text) =>
        (challenge = readChallenge(key, purposeOf(person), text, usedAtMs)) !== undefined,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      credential: {
        id,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.signCount,
      },
    });
  });
  if (proof?.verified !== true || challenge === undefined) return undefined;
  const { passkeyId } = passkey;
  return { passkeyId, signCount: proof.authenticationInfo.newCounter, usedAtMs, challenge };
}

/** The checker throws at every wrong answer. Anybody can send one, so it is a refusal and not a bug. */
async function orUndefined<T>(check: () => Promise<T>): Promise<T | undefined> {
  try {
    return await check();
  } catch {
    return undefined;
  }
}

// Lists, and ends.

/** Newest first. */
export async function listPasskeys({
  storage,
}: Pick<PasskeyDeps, 'storage'>): Promise<readonly PasskeyView[]> {
  return (await storage.listPasskeys()).map(presentPasskey);
}

/** With the sessions that it opened or was the last to renew. */
export async function endPasskey(
  { storage }: Pick<PasskeyDeps, 'storage'>,
  passkeyId: string,
): Promise<Outcome<PasskeyView>> {
  const ended = await storage.endPasskey(passkeyId);
  return ended === undefined
    ? refuse(new Wrong('unknownPasskey', { id: JSON.stringify(passkeyId.slice(0, 200)) }))
    : { ok: true, value: presentPasskey(ended) };
}

/** Names are given out by the command line: the same name with the same role is the same person. */
export function isOwn(
  passkey: Pick<PasskeyView, 'name' | 'role'>,
  person: Pick<Person, 'name' | 'role'>,
): boolean {
  return passkey.name === person.name && passkey.role === person.role;
}

async function passkeysOf({ storage }: Pick<PasskeyDeps, 'storage'>, person: Person) {
  return (await storage.listPasskeys()).filter((passkey) => isOwn(passkey, person));
}

function referenceTo({ credentialId }: Passkey) {
  return { type: 'public-key', id: credentialId };
}

function presentPasskey({ passkeyId, name, role, createdAtMs, lastUsedAtMs }: Passkey): PasskeyView {
  return {
    passkeyId,
    name,
    role,
    createdAt: formatInstant(createdAtMs),
    lastUsedAt: lastUsedAtMs === null ? null : formatInstant(lastUsedAtMs),
  };
}
