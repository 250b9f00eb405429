/** An account without a thread of its own, for tests that read it some thousand times. */
import { randomUUID } from 'node:crypto';
import { createCaller } from '../../../src/supply/connections/account-caller.ts';
import { findKind } from '../../../src/supply/connections/connection-kinds.ts';
import { BASE_SETTING, type openAccount } from '../../../src/supply/connections/open-account.ts';
import { readCalendars } from '../../../src/supply/connections/read-calendars.ts';

export const openAccountHere: typeof openAccount = (connection, deps) => {
  const { key, allowed, tokens, calls } = connection;
  const kind = findKind(connection.kind)!;
  const origin = connection.settings[BASE_SETTING] ?? kind.origin;
  const call = createCaller(kind, { origin, calls }, deps);
  const settings = Object.fromEntries(
    Object.entries(kind.settings).map(([name, [usual = '']]) => [name, connection.settings[name] ?? usual]),
  );
  let kept = tokens;
  const account = kind.open({
    key,
    settings,
    allowed: new Set(allowed),
    tokens,
    nowMs: deps.clock,
    newNonce: randomUUID,
    async call(request) {
      const { status, headers, body } = await call(request);
      return { status, headers, text: Buffer.from(body).toString('utf8') };
    },
    async keepToken(name, token) {
      kept = { ...kept, [name]: token };
      await deps.saveTokens(kept);
    },
  });
  return {
    identify: () => account.identify(),
    listRooms: () => account.listRooms(),
    readCalendars: (rooms, range) => readCalendars(account, rooms, range),
    askStay: (rooms, stay) => account.askStay(rooms, stay),
    end: () => Promise.resolve(),
  };
};
