/** Mistakes of memory, and of what follows the database into it. */
import type { Mistakes } from './mistake.ts';

const CATALOGUE_FOLLOWER = 'src/read-model/following/catalogue-follower.ts';
const READER = 'src/read-model/catalogue/catalogue-reader.ts';

export const MEMORY_MISTAKES = {
  'a revision is published before its rows': {
    file: CATALOGUE_FOLLOWER,
    edits: [
      [
        'while (revision > reached && !signal.aborted) {',
        `if (revision > this.#appliedRevision) {
          this.#appliedRevision = revision;
          lag.apply(revision);
          await this.#pause(true);
        }
        while (revision > reached && !signal.aborted) {`,
      ],
    ],
  },
  'a file is loaded that is older than a restore': {
    file: CATALOGUE_FOLLOWER,
    edits: [
      [
        'async #takeSaved({ history, take, refuse }: SavedCatalogue)',
        'async #takeSaved({ history, take, refuse }: any)',
      ],
      [
        'await this.#options.storage.readHistory(history);',
        'history = await this.#options.storage.readHistory(NOTHING_READ);',
      ],
    ],
  },
  'a page is built from two versions': {
    file: CATALOGUE_FOLLOWER,
    edits: [
      [
        'await this.#intake.applyAll(page.changes);\n      await this.#publish();',
        `for (const change of page.changes) {
          await this.#intake.applyAll([change]);
          await this.#publish();
          await this.#pause(true);
        }`,
      ],
    ],
  },
  'memory between two pages passes for a whole state': {
    file: CATALOGUE_FOLLOWER,
    heldBy: {
      file: 'src/read-model/following/catalogue-follower.test.ts',
      test: 'says that a revision is shown only when everything up to there is, also what changed again',
    },
    edits: [
      ['if (!page.complete) continue;', ''],
      [
        'this.#appliedRevision = reached;\n      break;',
        'this.#appliedRevision = reached;\n      if (page.complete) break;',
      ],
    ],
  },
  'a page ends behind all properties of its last revision': {
    file: 'src/storage/catalogue/change-cursor.ts',
    edits: [
      [
        'cursor: { revision: last.revision, propertyId, history: newest }',
        'cursor: { revision: last.revision, propertyId: BEHIND_ALL_IDS, history: newest }',
      ],
    ],
  },
  'what a lost history had stays in memory': {
    file: CATALOGUE_FOLLOWER,
    edits: [['for (const propertyId of outdated) catalogue.forget(propertyId);', '']],
  },
  'what is older than memory is not taken after a lost history': {
    file: 'src/read-model/following/property-intake.ts',
    edits: [
      [
        'if (outdated?.delete(idOf(change)) === true) this.#catalogue.forget(idOf(change));',
        'outdated?.delete(idOf(change));',
      ],
    ],
  },
  'revisions are compared without their stamp': {
    file: 'src/storage/history/history.ts',
    edits: [
      [
        'newest.revision < known.revision || !isOfHistory(row.known_stamp, known)',
        'newest.revision < known.revision',
      ],
    ],
  },
  'the last property found is remembered over a change': {
    file: READER,
    edits: [
      [
        'if (last?.directory === directory && last.propertyId === propertyId)',
        'if (last?.propertyId === propertyId)',
      ],
    ],
  },
  'views of memory are kept when it is written again': {
    file: READER,
    edits: [
      ['if (known?.version === version) return known.view;', 'if (known !== undefined) return known.view;'],
    ],
  },
  'a further page of a search begins one too late': {
    file: READER,
    edits: [
      [
        'const walk = new MergedWalk(found, (query.page - 1) * query.pageSize);',
        'const walk = new MergedWalk(found, (query.page - 1) * (query.pageSize + 1));',
      ],
    ],
  },
  'a full last page says that there is more': {
    file: 'src/read-model/catalogue/bodies/list-body.ts',
    edits: [['const hasMore = page * pageSize < total;', 'const hasMore = page * pageSize <= total;']],
  },
  'a search shows what is hidden': {
    file: 'src/read-model/catalogue/index/block-search.ts',
    edits: [
      [
        'words[line + word]! & (all[word]! | own[word]!)',
        'words[line + word]! & (all[word]! | ~own[word]! | own[word]!)',
      ],
    ],
  },
  'filters and counts are read once for a place of memory': {
    file: 'src/read-model/catalogue/prices/trait-book.ts',
    heldBy: {
      file: 'src/read-model/catalogue/prices/trait-book.test.ts',
      test: 'reads them again of a block that has changed, of another block, and of another memory',
    },
    edits: [['if (known?.version === version) return known;', 'if (known !== undefined) return known;']],
  },
  'what was sent is not taken when a long question is answered': {
    file: 'src/app/workers/catalogue-place.ts',
    heldBy: {
      file: 'src/app/workers/reader-keeper.test.ts',
      test: 'answers each kind of question as the asking thread would, from what is shown when it is asked',
    },
    edits: [['this.#takeSegments();\n    return root;', 'return root;']],
  },
  'a city counts what is hidden': {
    file: 'src/read-model/catalogue/cities/city-suggestions.ts',
    edits: [
      ['if (markets.every(({ restrictedCount }) => restrictedCount === 0))', 'if (markets.length > 0)'],
    ],
  },
  'amenities are counted of what fails the filters': {
    file: 'src/read-model/catalogue/prices/search-filter.ts',
    edits: [['if (failures !== PASSES) return;', '']],
  },
  'days ahead are ignored by searches': {
    file: 'src/read-model/catalogue/index/block-search.ts',
    edits: [['block.lines.advance.addOutside(daysAhead, unwanted);', '']],
  },
} as const satisfies Mistakes;
