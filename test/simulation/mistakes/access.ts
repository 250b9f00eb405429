/** Mistakes about who may call. */
import type { Mistakes } from './mistake.ts';

export const ACCESS_MISTAKES = {
  'a revocation waits behind the catalogue': {
    file: 'src/read-model/following/access-follower.ts',
    edits: [
      [
        'if (!isSameHistory(newest, this.#history)) await',
        `await storage.readPropertyChanges({ revision: newest.revision, propertyId: '', history: newest }, 1);
        if (!isSameHistory(newest, this.#history)) await`,
      ],
    ],
  },
  'partners and credentials are read one after the other': {
    file: 'src/storage/access/sql.ts',
    edits: [
      ['siteSettings] = yield* view([', 'siteSettings] = yield* oneByOne(['],
      [
        '/** All tables and the history, in one view. */',
        `function* oneByOne(texts) {
          const found = [];
          for (const text of texts.toReversed()) found.unshift(yield* rows(text));
          return found;
        }`,
      ],
    ],
  },
  'a partner that is stopped goes on': {
    file: 'src/access/access-directory.ts',
    edits: [
      ['isRevoked: row.revokedAtMs !== null || partner.disabled,', 'isRevoked: row.revokedAtMs !== null,'],
    ],
  },
  'after a lost history access is not read again': {
    file: 'src/read-model/following/access-follower.ts',
    heldBy: {
      file: 'src/read-model/following/history-lost.test.ts',
      test: 'notices a new history with the same revision and the same number of rows',
    },
    edits: [['this.#mark = undefined;\n    }', '}']],
  },
  'a token that has ended goes on by the clock of the machine': {
    file: 'src/access/access-directory.ts',
    edits: [
      [
        'if (known.expiresAtMs <= nowMs) return known.expired;',
        'if (known.expiresAtMs <= performance.now()) return known.expired;',
      ],
    ],
  },
  'a rotation takes a revocation back': {
    file: 'src/storage/access/sql.ts',
    heldBy: {
      file: 'src/access/access-changes.test.ts',
      test: 'is never undone by commands that run at the same time',
    },
    edits: [
      [
        'revoked_at_ms = coalesce(stored.revoked_at_ms, excluded.revoked_at_ms)\n     RETURNING *`,\n    [\n      row.credentialId,',
        'revoked_at_ms = excluded.revoked_at_ms\n     RETURNING *`,\n    [\n      row.credentialId,',
      ],
    ],
  },
} as const satisfies Mistakes;
