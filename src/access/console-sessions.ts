/**
 * Console sessions. A link from the command line signs in once; its session is a random cookie, of which only the hash
 * is stored. Each request reads the database, so an ended session is ended in every process at once.
 */
import { Wrong } from '../domain/wrong.ts';
import type { ConsoleSession } from '../storage/sessions/store.ts';
import type { AdministeredStores } from '../storage/administered.ts';
import type { Clock } from '../runtime/clock.ts';
import { type Random, randomBase62 } from '../runtime/random.ts';
import { formatInstant } from './parse-duration.ts';
import { type Outcome, refuse } from '../domain/outcome.ts';
import { checkName } from './partner-changes.ts';
import { hashToken } from './token.ts';

/** Each includes the rights of those before it. */
export const ROLES = ['viewer', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export const LINK_TTL_MS = 60_000;
export const LINK_TTL_MS_MAX = 3_600_000;
export const SESSION_IDLE_MS_MAX = 30 * 60_000;
export const SESSION_MS_MAX = 12 * 3_600_000;
/** Acts of administrators need a younger sign-in. */
export const FRESH_SIGN_IN_MS_MAX = 5 * 60_000;
/** The first person of an installation sets it up without signing in again, and until then has no other way in. */
export const FIRST_SIGN_IN_MS_MAX = 60 * 60_000;
/** The time of the last request is stored so often at most: reading pages should not write. */
const SEEN_STEP_MS = 60_000;
/** Tolerated difference of clocks. A session that begins later than that came from a clock that was set back. */
const CLOCKS_APART_MS_MAX = 60_000;
export const SECRET_BYTES = 32;
/** Base64url of SECRET_BYTES. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

export interface SessionDeps {
  readonly storage: Pick<
    AdministeredStores,
    | 'putConsoleLink'
    | 'beginConsoleSession'
    | 'findConsoleSession'
    | 'wasConsoleSession'
    | 'listKnownConsoleSessions'
    | 'touchConsoleSession'
    | 'listConsoleSessions'
    | 'endConsoleSessions'
    | 'isOnlySignIn'
  >;
  readonly clock: Clock;
  readonly random: Random;
}

/** The person of a session. */
export interface SignedIn {
  readonly sessionId: string;
  readonly name: string;
  readonly role: Role;
  /** A link opened it, not a passkey. */
  readonly isByLink: boolean;
  /** For so long the sign-in is young enough for what only an administrator may do; 0: it is not. */
  readonly freshMs: number;
}

/** One row of `console sessions`. Instants are RFC 3339. */
export interface SessionView extends Pick<ConsoleSession, 'sessionId' | 'name' | 'role'> {
  readonly createdAt: string;
  readonly lastSeenAt: string;
}

export function mayAct(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** Makes a link; its secret is known only now. */
export async function makeLink(
  deps: SessionDeps,
  options: { readonly name: string; readonly role?: Role; readonly ttlMs?: number },
): Promise<Outcome<{ readonly secret: string; readonly expiresAtMs: number }>> {
  const { role = 'viewer', ttlMs = LINK_TTL_MS } = options;
  const name = checkName(options.name);
  if (!name.ok) return name;
  if (ttlMs < 1_000 || ttlMs > LINK_TTL_MS_MAX) return refuse(new Wrong('linkLife', { example: '60s' }));
  const secret = makeSecret(deps.random);
  const nowMs = deps.clock();
  const expiresAtMs = nowMs + ttlMs;
  await deps.storage.putConsoleLink(
    { linkHash: hashToken(secret), name: name.value, role, expiresAtMs },
    nowMs,
  );
  return { ok: true, value: { secret, expiresAtMs } };
}

/** Consumes the link. Undefined for a link that is unknown, used or expired. `token` is for the cookie. */
export async function signIn(
  deps: SessionDeps,
  secret: string,
): Promise<{ readonly token: string } | undefined> {
  if (!SECRET.test(secret)) return undefined;
  const { token, ...session } = makeSession(deps.random);
  const createdAtMs = deps.clock();
  const begun = await deps.storage.beginConsoleSession(
    hashToken(secret),
    { ...session, createdAtMs },
    forgetBefore(createdAtMs),
  );
  return begun === undefined ? undefined : { token };
}

/** The names of a new session; `token` is for the cookie. */
export function makeSession(random: Random) {
  const token = makeSecret(random);
  return { token, sessionId: `cs_${randomBase62(16, random)}`, tokenHash: hashToken(token) };
}

/** The session of a cookie; undefined when unknown or ended. */
export async function findSession(deps: SessionDeps, token: string): Promise<SignedIn | undefined> {
  if (!SECRET.test(token)) return undefined;
  const session = await deps.storage.findConsoleSession(hashToken(token));
  const nowMs = deps.clock();
  if (session === undefined || !isLive(session, nowMs)) return undefined;
  const { sessionId, name, createdAtMs, lastSeenAtMs, renewedAtMs, passkeyId } = session;
  if (nowMs - lastSeenAtMs >= SEEN_STEP_MS) await deps.storage.touchConsoleSession(sessionId, nowMs);
  const signedInAtMs = Math.max(createdAtMs, renewedAtMs ?? 0);
  const freshUntilMs = Math.max(
    signedInAtMs + FRESH_SIGN_IN_MS_MAX,
    await firstUntilMs(deps, session, nowMs),
  );
  const freshMs = Math.max(0, freshUntilMs - nowMs);
  return { sessionId, name, role: roleOf(session), isByLink: passkeyId === null, freshMs };
}

/** Until when the first session counts as a young sign-in; 0 for every other one. */
async function firstUntilMs(
  { storage }: Pick<SessionDeps, 'storage'>,
  { sessionId, createdAtMs, passkeyId }: ConsoleSession,
  nowMs: number,
): Promise<number> {
  const untilMs = createdAtMs + FIRST_SIGN_IN_MS_MAX;
  if (passkeyId !== null || nowMs >= untilMs) return 0;
  return (await storage.isOnlySignIn(sessionId)) ? untilMs : 0;
}

/** Whether a cookie without a session had one: what its form says is then kept for its person. */
export async function wasSession({ storage }: Pick<SessionDeps, 'storage'>, token: string): Promise<boolean> {
  return SECRET.test(token) && storage.wasConsoleSession(hashToken(token));
}

/** A later release may know roles that this one does not. */
function roleOf(stored: { readonly role: string }): Role {
  return ROLES.find((known) => known === stored.role) ?? 'viewer';
}

/**
 * The form token of a session, 64 hexadecimal digits: only pages of the holder of the cookie have it. It is made of the
 * stored hash, so that the forms of an ended session are known as its person's.
 */
export function formTokenOf(token: string): string {
  return formTokenOfHash(hashToken(token));
}

const formTokenOfHash = (tokenHash: string): string => hashToken(`form ${tokenHash}`);
/** The token of a form that was sent without a session and came back: for the next session of the same person. */
const keptTokenOfHash = (tokenHash: string): string => hashToken(`kept form ${tokenHash}`);

const FORM_TOKEN = /^[0-9a-f]{64}$/;
/** Sessions of the last hours whose forms are known, the newest first. */
const KNOWN_SESSIONS_MAX = 1_000;

/** The token for a form to be kept, of the session whose cookie was sent, or on whose page the form was. */
export async function findKeptToken(
  deps: Pick<SessionDeps, 'storage'>,
  sent: { readonly cookie: string | undefined; readonly formToken: string },
): Promise<string | undefined> {
  if (sent.cookie !== undefined) return keptTokenOfHash(hashToken(sent.cookie));
  const known = await listKnown(deps, sent.formToken);
  const found = known.find(({ tokenHash }) => isOneOf(sent.formToken, tokenHash));
  return found && keptTokenOfHash(found.tokenHash);
}

/**
 * Whether a form is of an ended session of this person, or was kept for them. The form of another session that is still
 * under way is not.
 */
export async function isFormOfPerson(
  deps: Pick<SessionDeps, 'storage' | 'clock'>,
  formToken: string,
  { name }: Pick<SignedIn, 'name'>,
): Promise<boolean> {
  const nowMs = deps.clock();
  const known = await listKnown(deps, formToken);
  return known.some(
    (session) =>
      session.name === name &&
      (formToken === keptTokenOfHash(session.tokenHash) ||
        (formToken === formTokenOfHash(session.tokenHash) && !isLive(session, nowMs))),
  );
}

function isOneOf(formToken: string, tokenHash: string): boolean {
  return formToken === formTokenOfHash(tokenHash) || formToken === keptTokenOfHash(tokenHash);
}

async function listKnown(
  { storage }: Pick<SessionDeps, 'storage'>,
  formToken: string,
): Promise<readonly ConsoleSession[]> {
  return FORM_TOKEN.test(formToken) ? storage.listKnownConsoleSessions(KNOWN_SESSIONS_MAX) : [];
}

/** Newest first. */
export async function listSessions({
  storage,
  clock,
}: Omit<SessionDeps, 'random'>): Promise<readonly SessionView[]> {
  const nowMs = clock();
  return (await storage.listConsoleSessions())
    .filter((session) => isLive(session, nowMs))
    .map(presentSession);
}

/** Ends one session, or all with null. */
export async function endSessions(
  { storage }: Pick<SessionDeps, 'storage'>,
  sessionId: string | null,
): Promise<Outcome<readonly SessionView[]>> {
  const ended = await storage.endConsoleSessions(sessionId);
  if (sessionId !== null && ended.length === 0)
    return refuse(new Wrong('unknownSession', { id: JSON.stringify(sessionId.slice(0, 200)) }));
  return { ok: true, value: ended.map(presentSession) };
}

function makeSecret(random: Random): string {
  return Buffer.from(random(SECRET_BYTES)).toString('base64url');
}

/** Sessions that were last seen before this instant are forgotten: until then, forms of ended ones are kept. */
export function forgetBefore(nowMs: number): number {
  return nowMs - SESSION_MS_MAX;
}

function isLive({ createdAtMs, lastSeenAtMs }: ConsoleSession, nowMs: number): boolean {
  const isOfFuture = createdAtMs > nowMs + CLOCKS_APART_MS_MAX;
  return createdAtMs > nowMs - SESSION_MS_MAX && lastSeenAtMs > nowMs - SESSION_IDLE_MS_MAX && !isOfFuture;
}

function presentSession({ sessionId, name, role, createdAtMs, lastSeenAtMs }: ConsoleSession): SessionView {
  return {
    sessionId,
    name,
    role,
    createdAt: formatInstant(createdAtMs),
    lastSeenAt: formatInstant(lastSeenAtMs),
  };
}
