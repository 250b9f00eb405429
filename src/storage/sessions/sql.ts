/** Links and sessions of the console. */
import { assertStorableRow } from '../../domain/storable-text.ts';
import { commit, rollBack } from '../engine/write-result.ts';
import { concern, type RunnerOf } from '../portable-sql/concern.ts';
import { administrative, change, note, type Program, rows } from '../portable-sql/program.ts';
import { type ConsoleLink, type ConsoleSession, SESSION, type SessionStore } from './store.ts';

const putLink = administrative('putConsoleLink', function* (link: ConsoleLink, nowMs: number) {
  yield* change('DELETE FROM console_links WHERE expires_at_ms <= ?', [nowMs]);
  yield* change('INSERT INTO console_links (link_hash, name, role, expires_at_ms) VALUES (?, ?, ?, ?)', [
    link.linkHash,
    link.name,
    link.role,
    link.expiresAtMs,
  ]);
  yield* note(link.name, undefined, { role: link.role });
  return commit(undefined);
});

type NewSession = Pick<ConsoleSession, 'sessionId' | 'tokenHash' | 'createdAtMs'>;

/** The deletion decides which of two that press the button at once comes in. */
const begin = administrative(
  'beginConsoleSession',
  function* (linkHash: string, { sessionId, tokenHash, createdAtMs }: NewSession, forgetBeforeMs: number) {
    const [link] = yield* rows<{ readonly name: string; readonly role: string }>(
      'DELETE FROM console_links WHERE link_hash = ? AND expires_at_ms > ? RETURNING name, role',
      [linkHash, createdAtMs],
    );
    if (link === undefined) return rollBack(undefined);
    yield* forgetSessions(forgetBeforeMs);
    const { name, role } = link;
    const session: ConsoleSession = {
      sessionId,
      tokenHash,
      name,
      role,
      createdAtMs,
      lastSeenAtMs: createdAtMs,
      passkeyId: null,
      renewedAtMs: null,
    };
    yield* change(
      `INSERT INTO console_sessions (${SESSION.columns}) VALUES (${SESSION.places})`,
      SESSION.values(session),
    );
    yield* note(sessionId, undefined, { role }, { person: name, role });
    return commit<ConsoleSession | undefined>(session);
  },
);

const touch = administrative('touchConsoleSession', function* (sessionId: string, seenAtMs: number) {
  yield* change(
    'UPDATE console_sessions SET last_seen_at_ms = ? WHERE session_id = ? AND last_seen_at_ms < ?',
    [seenAtMs, sessionId, seenAtMs],
  );
  return commit(undefined);
});

const end = administrative('endConsoleSessions', function* (sessionId: string | null) {
  const ended = yield* sessionId === null ? endSessions() : endSessions('session_id = ?', [sessionId]);
  for (const session of ended)
    yield* note(session.sessionId, { name: session.name, role: session.role }, undefined);
  return commit(ended);
});

/** An ended session began at 0, which every release takes for ended. Its hash tells that its cookie was a session. */
export const NOT_ENDED = 'created_at_ms > 0';

/** The sessions as they were. */
export function* endSessions(
  condition = '0 = 0',
  values: readonly string[] = [],
): Program<readonly ConsoleSession[]> {
  const ended = yield* selectSessions(`WHERE ${NOT_ENDED} AND (${condition})`, values);
  yield* change(
    `UPDATE console_sessions SET created_at_ms = 0 WHERE ${NOT_ENDED} AND (${condition})`,
    values,
  );
  return ended;
}

export function* forgetSessions(seenBeforeMs: number): Program<void> {
  yield* change('DELETE FROM console_sessions WHERE last_seen_at_ms < ?', [seenBeforeMs]);
}

const WRITES = [putLink, begin, touch, end];

export const sessionConcern = concern(WRITES, sessionStore);

function sessionStore({ read, write }: RunnerOf<typeof WRITES>): SessionStore {
  return {
    async putConsoleLink(link, nowMs) {
      assertStorableRow(link);
      await write(putLink, link, nowMs);
    },
    async beginConsoleSession(linkHash, session, forgetBeforeMs) {
      // Anybody may send wrong links: they must not take turns with the writers.
      const isKnown = await read(hasLink(linkHash, session.createdAtMs));
      return isKnown ? write(begin, linkHash, session, forgetBeforeMs) : undefined;
    },
    findConsoleSession: async (tokenHash) =>
      (
        await read(selectSessions(`WHERE token_hash = ? AND ${NOT_ENDED}`, [tokenHash], 'console-session'))
      )[0],
    wasConsoleSession: (tokenHash) => read(hasSession(tokenHash)),
    touchConsoleSession: (sessionId, seenAtMs) => write(touch, sessionId, seenAtMs),
    listConsoleSessions: () =>
      read(selectSessions(`WHERE ${NOT_ENDED} ORDER BY created_at_ms DESC, session_id`)),
    listKnownConsoleSessions: (countMax) =>
      read(selectSessions('ORDER BY last_seen_at_ms DESC, session_id LIMIT ?', [countMax])),
    endConsoleSessions: (sessionId) => write(end, sessionId),
  };
}

function* hasLink(linkHash: string, nowMs: number): Program<boolean> {
  const found = yield* rows(
    'SELECT 1 AS found FROM console_links WHERE link_hash = ? AND expires_at_ms > ?',
    [linkHash, nowMs],
    'console-link',
  );
  return found.length > 0;
}

function* hasSession(tokenHash: string): Program<boolean> {
  const found = yield* rows('SELECT 1 AS found FROM console_sessions WHERE token_hash = ?', [tokenHash]);
  return found.length > 0;
}

function* selectSessions(
  condition: string,
  values: readonly (string | number)[] = [],
  name?: string,
): Program<ConsoleSession[]> {
  return (yield* rows<object>(`SELECT * FROM console_sessions ${condition}`, values, name)).map(SESSION.read);
}
