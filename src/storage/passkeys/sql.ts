/** Passkeys of the console. */
import { assertStorableRow } from '../../domain/storable-text.ts';
import { commit, rollBack } from '../engine/write-result.ts';
import { concern, type RunnerOf } from '../portable-sql/concern.ts';
import { administrative, change, note, type Program, rows } from '../portable-sql/program.ts';
import { endSessions, forgetSessions, NOT_ENDED } from '../sessions/sql.ts';
import type { ConsoleSession } from '../sessions/store.ts';
import {
  type AnsweredChallenge,
  PASSKEY,
  type Passkey,
  type PasskeyStore,
  type PasskeyUse,
} from './store.ts';

/** Answered within their lifetime, of all people together: beyond, a sign-in is refused. */
export const ANSWERED_CHALLENGES_MAX = 500;

const putSeal = administrative('putPasskeySeal', function* (key: string) {
  yield* change(
    "INSERT INTO passkey_seal (seal_id, seal_key) VALUES ('console', ?) ON CONFLICT (seal_id) DO NOTHING",
    [key],
  );
  return commit(undefined);
});

/** The key of the table decides which of two that send the same answer at once comes in. */
function* answer({ challengeHash, expiresAtMs }: AnsweredChallenge, nowMs: number): Program<boolean> {
  yield* change('DELETE FROM passkey_challenges WHERE expires_at_ms <= ?', [nowMs]);
  const [kept] = yield* rows<{ readonly count: number }>('SELECT COUNT(*) AS count FROM passkey_challenges');
  if (Number(kept?.count) >= ANSWERED_CHALLENGES_MAX) return false;
  const added = yield* change(
    `INSERT INTO passkey_challenges (challenge_hash, expires_at_ms) VALUES (?, ?)
     ON CONFLICT (challenge_hash) DO NOTHING`,
    [challengeHash, expiresAtMs],
  );
  return added === 1;
}

const put = administrative(
  'putPasskey',
  function* (
    passkey: Passkey,
    { sessionId, challenge, passkeysMax }: Parameters<PasskeyStore['putPasskey']>[1],
  ) {
    const { passkeyId, name, role, createdAtMs } = passkey;
    const session = yield* rows(
      `SELECT 1 AS found FROM console_sessions WHERE session_id = ? AND ${NOT_ENDED}`,
      [sessionId],
    );
    const own = yield* rows('SELECT 1 AS found FROM passkeys WHERE name = ? AND role = ?', [name, role]);
    if (session.length === 0 || own.length >= passkeysMax) return rollBack(false);
    if (!(yield* answer(challenge, createdAtMs))) return rollBack(false);
    const added = yield* change(
      `INSERT INTO passkeys (${PASSKEY.columns}) VALUES (${PASSKEY.places})
       ON CONFLICT (credential_id) DO NOTHING`,
      PASSKEY.values(passkey),
    );
    if (added === 0) return rollBack(false);
    yield* note(passkeyId, undefined, { name, role });
    return commit(true);
  },
);

/** A count that does not grow is that of a copy, unless the authenticator does not count at all. */
function* use({ passkeyId, signCount, usedAtMs, challenge }: PasskeyUse): Program<Passkey | undefined> {
  if (!(yield* answer(challenge, usedAtMs))) return undefined;
  const [used] = yield* rows<object>(
    `UPDATE passkeys SET sign_count = ?, last_used_at_ms = ?
     WHERE passkey_id = ? AND (sign_count < ? OR (sign_count = 0 AND sign_count = ?)) RETURNING *`,
    [signCount, usedAtMs, passkeyId, signCount, signCount],
  );
  return used && PASSKEY.read(used);
}

type NewSession = Pick<ConsoleSession, 'sessionId' | 'tokenHash'>;

const begin = administrative(
  'beginPasskeySession',
  function* (used: PasskeyUse, { sessionId, tokenHash }: NewSession, forgetBeforeMs: number) {
    const passkey = yield* use(used);
    if (passkey === undefined) return rollBack(false);
    const { passkeyId, name, role } = passkey;
    yield* forgetSessions(forgetBeforeMs);
    yield* change(
      `INSERT INTO console_sessions
         (session_id, token_hash, name, role, created_at_ms, last_seen_at_ms, passkey_id)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      [sessionId, tokenHash, name, role, used.usedAtMs, used.usedAtMs, passkeyId],
    );
    yield* note(sessionId, undefined, { role, passkeyId }, { person: name, role });
    return commit(true);
  },
);

const renew = administrative('renewConsoleSession', function* (used: PasskeyUse, sessionId: string) {
  const passkey = yield* use(used);
  if (passkey === undefined) return rollBack(false);
  const { passkeyId, name, role } = passkey;
  const renewed = yield* change(
    `UPDATE console_sessions SET renewed_at_ms = ?, renewed_by = ?
     WHERE session_id = ? AND name = ? AND role = ? AND ${NOT_ENDED}`,
    [used.usedAtMs, passkeyId, sessionId, name, role],
  );
  if (renewed === 0) return rollBack(false);
  yield* note(sessionId, undefined, { passkeyId });
  return commit(true);
});

const end = administrative('endPasskey', function* (passkeyId: string) {
  const deleted = yield* rows<object>('DELETE FROM passkeys WHERE passkey_id = ? RETURNING *', [passkeyId]);
  const [ended] = deleted.map(PASSKEY.read);
  if (ended === undefined) return rollBack<Passkey | undefined>(undefined);
  const { name, role } = ended;
  yield* note(passkeyId, { name, role }, undefined);
  const sessions = yield* endSessions('passkey_id = ? OR renewed_by = ?', [passkeyId, passkeyId]);
  for (const { sessionId } of sessions) yield* note(sessionId, { name, role }, undefined);
  return commit<Passkey | undefined>(ended);
});

const WRITES = [putSeal, put, begin, renew, end];

export const passkeyConcern = concern(WRITES, passkeyStore);

function passkeyStore({ read, write }: RunnerOf<typeof WRITES>): PasskeyStore {
  return {
    async readPasskeySeal(candidate) {
      const known = await read(selectSeal());
      if (known !== undefined) return known;
      await write(putSeal, candidate);
      return (await read(selectSeal())) ?? candidate;
    },
    findPasskey: async (credentialId) =>
      (await read(selectPasskeys('WHERE credential_id = ?', [credentialId])))[0],
    listPasskeys: () => read(selectPasskeys('ORDER BY created_at_ms DESC, passkey_id')),
    async putPasskey(passkey, by) {
      assertStorableRow(passkey);
      return write(put, passkey, by);
    },
    beginPasskeySession: (used, session, forgetBeforeMs) => write(begin, used, session, forgetBeforeMs),
    renewConsoleSession: (used, sessionId) => write(renew, used, sessionId),
    endPasskey: (passkeyId) => write(end, passkeyId),
    isOnlySignIn: (sessionId) => read(selectOnlySignIn(sessionId)),
    isConsoleUnused: () => read(selectUnused()),
  };
}

function* selectSeal(): Program<string | undefined> {
  const [row] = yield* rows<{ readonly seal_key: string }>('SELECT seal_key FROM passkey_seal');
  return row?.seal_key;
}

function* selectUnused(): Program<boolean> {
  const found = yield* rows(
    `SELECT 1 AS found WHERE EXISTS (SELECT 1 FROM console_sessions) OR EXISTS (SELECT 1 FROM passkeys)
       OR EXISTS (SELECT 1 FROM audit_log WHERE act = 'sign-in')`,
  );
  return found.length === 0;
}

/** In the trail, which keeps the sign-ins of ended sessions; its ids are in the order of time. */
function* selectOnlySignIn(sessionId: string): Program<boolean> {
  const [first] = yield* rows<{ readonly subject: string; readonly person: string; readonly role: string }>(
    "SELECT subject, person, role FROM audit_log WHERE act = 'sign-in' ORDER BY entry_id, position LIMIT 1",
  );
  if (first?.subject !== sessionId) return false;
  const others = yield* rows(
    `SELECT 1 AS found WHERE EXISTS (SELECT 1 FROM passkeys)
       OR EXISTS (SELECT 1 FROM audit_log WHERE act = 'sign-in' AND (person <> ? OR role <> ?))`,
    [first.person, first.role],
  );
  return others.length === 0;
}

function* selectPasskeys(condition: string, values: readonly string[] = []): Program<Passkey[]> {
  return (yield* rows<object>(`SELECT * FROM passkeys ${condition}`, values)).map(PASSKEY.read);
}
