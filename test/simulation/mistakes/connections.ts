/** Mistakes of connections: of what is held back, and of mappings that end. */
import type { Mistakes } from './mistake.ts';

export const CONNECTION_MISTAKES = {
  'a reading that opens all nights of a room counts at once': {
    file: 'src/supply/connections/hold-reading.ts',
    edits: [['const opens = !isRepeated && opensTooMuch(', 'const opens = false && opensTooMuch(']],
  },
  'a reading that opens all nights counts when it is said twice': {
    file: 'src/supply/connections/read-connection.ts',
    edits: [
      [
        'const isRepeated = repeated !== null && nowMs >= repeated.notBeforeMs;',
        'const isRepeated = repeated !== null;',
      ],
    ],
  },
  'a mapping that ends leaves its nights as they are': {
    file: 'src/supply/connections/mapped-rooms.ts',
    edits: [['    await dropLayer(deps, room.source, room);\n', '']],
  },
  'a room that an answer lacks is read as the others': {
    file: 'src/supply/connections/read-connection.ts',
    edits: [
      ["  if (calendar === undefined) return new Wrong('roomMissing');\n", ''],
      [
        'const { entries, unpriced } = calendar as Exclude<RoomCalendar, { readonly failure: Told }>;',
        'const { entries, unpriced } = (calendar ?? { entries: [], unpriced: [] }) as Exclude<RoomCalendar, { readonly failure: Told }>;',
      ],
    ],
  },
  'a connection that was removed leaves its nights as they are': {
    file: 'src/supply/connections/connection-changes.ts',
    edits: [
      [
        '    await settleMappings(deps, connection);\n    await deps.storage.deleteConnection(',
        '    await deps.storage.deleteConnection(',
      ],
    ],
  },
} as const satisfies Mistakes;
