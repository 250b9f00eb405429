/** Mistakes of data that comes in, written by somebody who had not read the stories. */
import type { Mistakes } from './mistake.ts';

export const STRANGE_SUPPLY: Mistakes = {
  'entries that are all refused confirm their property': {
    file: 'src/domain/ledger/planner.ts',
    edits: [
      [
        'return good.length === 0 ? undefined : { propertyId, types: good };',
        'return { propertyId, types: good };',
      ],
    ],
  },
  'the last word of a retired source still counts': {
    file: 'src/domain/ledger/planner.ts',
    edits: [['      this.#forget(propertyId, source);\n', '']],
  },
  'a calendar that stays the same is never read again': {
    file: 'src/supply/ical/poll-feed.ts',
    edits: [
      ['localToday, utcDay }', 'localToday }'],
      [
        'knownOf({ confirmedAtMs, etag, lastModified, contentHash }: Feed, nowMs: number)',
        'knownOf({ confirmedAtMs, etag, lastModified, contentHash }: Feed)',
      ],
      ['confirmedAtMs !== null && utcDay(confirmedAtMs) === utcDay(nowMs)', 'confirmedAtMs !== null'],
      ['knownOf(feed, nowMs)', 'knownOf(feed)'],
    ],
    heldBy: {
      file: 'src/supply/ical/unchanged-feeds.test.ts',
      test: 'is read as a whole once a day',
    },
  },
  'a sheet of rates may be in another currency': {
    file: 'src/supply/rates/import-rates.ts',
    edits: [
      ['if (others.length > 0) return this.#reject(line', 'if (others.length > 1) return this.#reject(line'],
    ],
  },
  'a replacing import withdraws what it could not read': {
    file: 'src/supply/run/import-run.ts',
    edits: [['for (const propertyId of item.propertyIds) this.#named.name(propertyId);', '']],
  },
  'a price that is taken back comes to light in the other layer': {
    file: 'src/supply/manual-override/change-nights.ts',
    edits: [
      ['!isPrice(field) || value === null);', '!isPrice(field));'],
      ['([field, value]) => !isPrice', '([field]) => !isPrice'],
    ],
  },
};
