/** Connections, and the rooms that are mapped. */
import { assertStorableRow } from '../../domain/storable-text.ts';
import { commit } from '../engine/write-result.ts';
import { CLOCKS_DIFFER_MS } from '../feeds/store.ts';
import { concern, type RunnerOf } from '../portable-sql/concern.ts';
import { administrative, change, ordinary, type Program, rows, type Value } from '../portable-sql/program.ts';
import { plain, type StoredRow, storedRow } from '../portable-sql/stored-row.ts';
import {
  CONNECTED_ROOM,
  type ConnectedRoom,
  CONNECTION,
  CONNECTION_STATE,
  type Connection,
  type ConnectionState,
  CONNECTION_STATE_COLUMNS,
  type ConnectionStore,
  type ConnectionSummary,
  type StoredCalls,
  type StoredRoom,
} from './store.ts';

const insert = administrative('insertConnection', function* (connection: Connection) {
  yield* change(
    `INSERT INTO connections (${CONNECTION.columns}) VALUES (${CONNECTION.places})`,
    CONNECTION.values(connection),
  );
  return commit(undefined);
});

const update = administrative('updateConnection', function* (connection: Connection) {
  return commit(yield* replaceColumns(CONNECTION, connection.name, connection));
});

const saveState = ordinary('saveConnectionState', function* (name: string, state: ConnectionState) {
  return commit(yield* replaceColumns(CONNECTION_STATE, name, state));
});

function* replaceColumns<Row>(table: StoredRow<Row>, name: string, row: Row): Program<boolean> {
  const text = `UPDATE connections SET ${table.assignments} WHERE name = ?`;
  return (yield* change(text, [...table.values(row), name])) === 1;
}

const saveRooms = ordinary(
  'saveConnectionRooms',
  function* (name: string, listed: readonly StoredRoom[], atMs: number) {
    const values = [JSON.stringify(listed), atMs, name];
    yield* change('UPDATE connections SET rooms = ?, rooms_at_ms = ? WHERE name = ?', values);
    return commit(undefined);
  },
);

const saveCalls = ordinary('saveConnectionCalls', function* (name: string, calls: StoredCalls) {
  yield* change('UPDATE connections SET calls = ? WHERE name = ?', [JSON.stringify(calls), name]);
  return commit(undefined);
});

const saveTokens = ordinary('saveConnectionTokens', function* (name: string, tokens: Connection['tokens']) {
  yield* change('UPDATE connections SET tokens = ? WHERE name = ?', [JSON.stringify(tokens), name]);
  return commit(undefined);
});

const saveComparison = ordinary('saveComparison', function* (name: string, comparison: string) {
  yield* change('UPDATE connections SET comparison = ? WHERE name = ?', [comparison, name]);
  return commit(undefined);
});

const remove = administrative('deleteConnection', function* (name: string, sources: readonly string[]) {
  yield* change('DELETE FROM connection_rooms WHERE name = ?', [name]);
  for (const source of sources) {
    yield* change('DELETE FROM supply_mappings WHERE source = ?', [source]);
    yield* change('DELETE FROM supply_confirmations WHERE source = ?', [source]);
  }
  return commit((yield* change('DELETE FROM connections WHERE name = ?', [name])) === 1);
});

const putRooms = ordinary('putConnectedRooms', function* (connected: readonly ConnectedRoom[]) {
  for (const room of connected) {
    yield* change(
      `INSERT INTO connection_rooms (${CONNECTED_ROOM.columns}) VALUES (${CONNECTED_ROOM.places})
       ON CONFLICT (name, room) DO UPDATE SET ${CONNECTED_ROOM.replacements}`,
      CONNECTED_ROOM.values(room),
    );
  }
  return commit(undefined);
});

const deleteRooms = ordinary('deleteConnectedRooms', function* (name: string, gone: readonly string[]) {
  for (const room of gone)
    yield* change('DELETE FROM connection_rooms WHERE name = ? AND room = ?', [name, room]);
  return commit(undefined);
});

const WRITES = [
  insert,
  update,
  saveState,
  saveRooms,
  saveCalls,
  saveTokens,
  saveComparison,
  remove,
  putRooms,
  deleteRooms,
];

export const connectionConcern = concern(WRITES, connectionStore);

function connectionStore({ read, write }: RunnerOf<typeof WRITES>): ConnectionStore {
  return {
    async insertConnection(connection) {
      assertStorableRow(connection);
      await write(insert, connection);
    },
    async updateConnection(connection) {
      assertStorableRow(connection);
      return write(update, connection);
    },
    async saveConnectionState(name, state) {
      assertStorableRow(state);
      return write(saveState, name, state);
    },
    saveConnectionRooms: (name, listed, atMs) => write(saveRooms, name, listed, atMs),
    saveConnectionCalls: (name, calls) => write(saveCalls, name, calls),
    saveConnectionTokens: (name, tokens) => write(saveTokens, name, tokens),
    saveComparison: (name, comparison) => write(saveComparison, name, comparison),
    deleteConnection: (name, sources) => write(remove, name, sources),
    findConnection: async (name) => (await read(selectConnections('WHERE name = ?', [name])))[0],
    listConnections: () => read(selectConnections('ORDER BY name')),
    summarizeConnections: () => read(summarize()),
    listDueConnections: (nowMs, limit) =>
      read(
        selectConnections(
          'WHERE next_poll_at_ms <= ? OR polled_at_ms > ? ORDER BY next_poll_at_ms, name LIMIT ?',
          [nowMs, nowMs + CLOCKS_DIFFER_MS, limit],
        ),
      ),
    listConnectedRooms: (name) =>
      read(
        name === undefined
          ? selectRooms('ORDER BY name, room')
          : selectRooms('WHERE name = ? ORDER BY room', [name]),
      ),
    async putConnectedRooms(connected) {
      connected.forEach(assertStorableRow);
      await write(putRooms, connected);
    },
    deleteConnectedRooms: (name, gone) => write(deleteRooms, name, gone),
  };
}

function* selectConnections(condition: string, values: readonly Value[] = []): Program<Connection[]> {
  return (yield* rows<object>(`SELECT * FROM connections ${condition}`, values)).map(CONNECTION.read);
}

function* selectRooms(condition: string, values: readonly Value[] = []): Program<ConnectedRoom[]> {
  return (yield* rows<object>(`SELECT * FROM connection_rooms ${condition}`, values)).map(
    CONNECTED_ROOM.read,
  );
}

const SUMMARY = storedRow({
  name: plain<string>(),
  kind: plain<string>(),
  everySeconds: plain<number>(),
  ...CONNECTION_STATE_COLUMNS,
});

interface SummedRooms {
  readonly types: number | string;
  readonly held: number | string;
  readonly oldest: number | string | null;
}

function* summarize(): Program<ConnectionSummary[]> {
  const columns = SUMMARY.columns.replaceAll(/\w+/g, (column) => `c.${column}`);
  const found = yield* rows<SummedRooms>(
    `SELECT ${columns}, COUNT(r.room) AS types, COUNT(r.held) AS held,
       MIN(COALESCE(r.read_at_ms, r.mapped_at_ms)) AS oldest
     FROM connections c LEFT JOIN connection_rooms r ON r.name = c.name
     GROUP BY ${columns} ORDER BY c.name`,
  );
  return found.map((row) => ({
    ...SUMMARY.read(row),
    types: Number(row.types),
    held: Number(row.held),
    oldestReadAtMs: row.oldest === null ? null : Number(row.oldest),
  }));
}
