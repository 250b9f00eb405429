/** Mistakes of answers from memory, written by somebody who had not read the stories. */
import type { Mistakes } from './mistake.ts';

export const STRANGE_MEMORY: Mistakes = {
  'a search does not know a release period of one day': {
    file: 'src/read-model/catalogue/index/advance-windows.ts',
    edits: [['if (minAdvanceDays > 0) this.#zoneOf', 'if (minAdvanceDays > 1) this.#zoneOf']],
  },
  'a changed booking window does not reach the search': {
    file: 'src/read-model/catalogue/index/property-bits.ts',
    edits: [
      ['minAdvanceDays, maxAdvanceDays, ageBands }, index)', 'minAdvanceDays, ageBands }, index)'],
      ['    maxAdvanceDays,\n', ''],
    ],
    heldBy: {
      file: 'src/read-model/catalogue/same-bits.test.ts',
      test: 'has another digest where any of its bits may differ',
    },
  },
  'a property of the revision that memory holds is not read again': {
    file: 'src/read-model/catalogue/catalogue-writer.ts',
    edits: [
      [
        'held.open.block.slots.revision(held.slot) > change.revision',
        'held.open.block.slots.revision(held.slot) >= change.revision',
      ],
    ],
  },
  'prices by night are multiplied by their own nights': {
    file: 'src/read-model/catalogue/prices/price-order.ts',
    edits: [
      [
        '[BigInt(one.total) * BigInt(other.per), BigInt(other.total) * BigInt(one.per)]',
        '[BigInt(one.total) * BigInt(one.per), BigInt(other.total) * BigInt(other.per)]',
      ],
    ],
  },
  'the counts of areas leave out what the filter of areas leaves out': {
    file: 'src/read-model/catalogue/prices/search-filter.ts',
    edits: [['if ((failures & ~OTHER_AREA) === 0) {', 'if (failures === PASSES) {']],
  },
  'a full last page promises another one': {
    file: 'src/read-model/catalogue/bodies/list-body.ts',
    edits: [['page * pageSize < total', 'page * pageSize <= total']],
  },
  'a property withdrawn while the horizon moves on is shown again': {
    file: 'src/read-model/following/catalogue-follower.ts',
    edits: [
      [
        `await this.#intake.applyAll(
            batch.filter(({ property }) => catalogue.revisionOf(property.propertyId) !== undefined),
          );`,
        'await this.#intake.applyAll(batch);',
      ],
    ],
  },
  'nobody minds that access was not read for long': {
    file: 'src/read-model/following/follower.ts',
    edits: [
      ['const { ready, access, catalogue, loadsFrom', 'const { ready, catalogue, loadsFrom'],
      ["findStale('accessStale', access, stalenessMaxSeconds) ??", ''],
    ],
    heldBy: {
      file: 'src/read-model/following/judge-readiness.test.ts',
      test: 'ends when access is older than allowed',
    },
  },
};
