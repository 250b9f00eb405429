/** Mistakes of the database, written by somebody who had not read the stories. */
import type { Mistakes } from './mistake.ts';

export const STRANGE_STORAGE: Mistakes = {
  'an inventory type that a document no longer names stays': {
    file: 'src/storage/catalogue/sqlite-writes.ts',
    edits: [['  statements.deleteTypes.run(propertyId, types.length);\n', '']],
  },
  'a restored database that has written on is taken for the same': {
    file: 'src/storage/history/history.ts',
    edits: [
      [
        'if (newest.revision < known.revision || !isOfHistory(row.known_stamp, known))',
        'if (newest.revision < known.revision)',
      ],
    ],
  },
  'what is to be rolled back is committed': {
    file: 'src/storage/engine/sqlite/transactions.ts',
    edits: [
      [
        "if (!isCommitted) database.exec('ROLLBACK');",
        "if (!isCommitted && !database.isTransaction) database.exec('ROLLBACK');",
      ],
    ],
    heldBy: {
      file: 'src/storage/sqlite-storage.test.ts',
      test: 'changes of a partner what is named, whatever another process',
    },
  },
};
