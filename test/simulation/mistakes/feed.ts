/** Mistakes of the feed of changes. */
import type { Mistakes } from './mistake.ts';

const CATALOGUE_FEED = 'src/partner/changes/catalogue-feed.ts';
const RECENT = 'src/partner/changes/recent-changes.ts';
const CHANGE_ROW = 'src/storage/catalogue/change-row.ts';

export const FEED_MISTAKES = {
  'a sweep ends on a thread that is behind another one': {
    file: CATALOGUE_FEED,
    edits: [
      [
        'const isWhole = Math.max(readTo.revision, cursor.seen.revision) <= upTo.revision;',
        'const isWhole = true;',
      ],
    ],
  },
  'a cursor is bound to no partner': {
    file: 'src/partner/changes/feed-cursor.ts',
    edits: [["${isTest ? 'test' : 'live'}\\n${partnerId}", "${isTest ? 'test' : 'live'}"]],
  },
  'a tombstone is deleted early': {
    file: CATALOGUE_FEED,
    edits: [
      ['storage.forgetViews(nowMs - retentionDays * DAY_MS - LONGER_MS,', 'storage.forgetViews(nowMs,'],
    ],
  },
  'a partner is told that what it never saw is gone': {
    file: 'src/storage/catalogue/change-row.ts',
    edits: [
      [
        "return -view > revision ? 'gone'",
        "return row.contentRevision > revision || -view > revision ? 'gone'",
      ],
    ],
  },
  'a full page passes the change that no longer fits': {
    file: CATALOGUE_FEED,
    edits: [
      [
        'const change = changeFor(found.row, this.partnerId, this.#since);',
        'const change = changeFor(found.row, this.partnerId, this.#since);\n    this.place = placeOf(found);',
      ],
    ],
  },
  'a full page of the database is taken for the last': {
    file: 'src/storage/catalogue/change-reads.ts',
    edits: [['const hasMore = told.length === limit;', 'const hasMore = told.length > limit;']],
  },
  'only the first page of what changed since is read': {
    file: RECENT,
    edits: [
      [
        'if (!hasMore) return { changes: read, from };',
        'if (!hasMore || reads === 0) return { changes: read, from };',
      ],
    ],
  },
  'changes that are no longer kept pass for told': {
    file: RECENT,
    edits: [['from: forgotten === undefined ? from : placeOf(forgotten)', 'from']],
  },
  'an answer is shared with other partners': {
    file: CATALOGUE_FEED,
    edits: [
      [
        'JSON.stringify([partnerId, limit, since, place, seen])',
        'JSON.stringify([limit, since, place, seen])',
      ],
    ],
  },
  'a cursor of a lost history is taken': {
    file: CATALOGUE_FEED,
    edits: [
      [
        'if (!(await this.#recent.continues([cursor.since, cursor.seen], recent))) return',
        'if (false) return',
      ],
    ],
  },
  'marks are remembered over a lost history': {
    file: RECENT,
    heldBy: {
      file: 'src/partner/changes/recent-changes.test.ts',
      test: 'forgets a database that went back while the catalogue had not shown all of it',
    },
    edits: [['if (known === undefined || this.#marks.size >=', 'if (this.#marks.size >=']],
  },
  'a partner is not told of what comes into its view': {
    file: CHANGE_ROW,
    edits: [['row.contentRevision > revision || view > revision', 'row.contentRevision > revision']],
  },
  'a calendar counts as the same when its length is': {
    file: CHANGE_ROW,
    edits: [
      [
        'calendarDigest !== null && calendarDigest === before.calendarDigest',
        'calendarDigest !== null && calendarDigest.length === before.calendarDigest?.length',
      ],
    ],
  },
  'those who saw a property as everybody did are not told that it is gone': {
    file: CHANGE_ROW,
    edits: [['next.set(EVERYBODY, -revision);', 'next.set(EVERYBODY, since);']],
  },
  'a cursor of a test token is taken from a live one': {
    file: 'src/partner/changes/feed-cursor.ts',
    edits: [["${isTest ? 'test' : 'live'}\\n${partnerId}", 'any\\n${partnerId}']],
  },
  'a poll sleeps over what changes': {
    file: 'src/partner/changes/long-polls.ts',
    edits: [['|| entry.feed.version() !== entry.version) entry.wake();', ') entry.wake();']],
  },
} as const satisfies Mistakes;
