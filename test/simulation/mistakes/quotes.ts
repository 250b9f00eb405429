/** Mistakes of quotes, and of what travellers are shown. */
import type { Mistakes } from './mistake.ts';

export const QUOTES_MISTAKES = {
  'a quote is acknowledged before its commit': {
    file: 'src/partner/quotes/create-quote.ts',
    edits: [
      ['await deps.storage.insertQuote({', 'void deps.storage.insertQuote({'],
      ['isTest: deps.isTest,\n  });', 'isTest: deps.isTest,\n  }).catch(() => undefined);'],
    ],
  },
  'a traveller is shown what was hidden from the partner': {
    file: 'src/partner/quotes/check-handoff.ts',
    edits: [
      ['found !== undefined && isVisibleTo(found.property, handoff.partnerId) ? found : undefined', 'found'],
    ],
  },
  'a quote is given for what has just been hidden': {
    file: 'src/partner/quotes/decide-visible.ts',
    edits: [
      ['stored === undefined || !isVisibleTo(stored.property, asked.partnerId)', 'stored === undefined'],
    ],
  },
  'a property is read from the cache whatever its revision': {
    file: 'src/storage/catalogue/sqlite.ts',
    heldBy: {
      file: 'src/storage/catalogue/property-cache.test.ts',
      test: 'are read again when their revision is another one, or their content at the same revision',
    },
    edits: [
      [
        'if (state?.revision !== kept.stored.revision || state.content_hash !== kept.contentHash)',
        'if (state === undefined)',
      ],
    ],
  },
  'a reference is booked for a second quote': {
    file: 'src/storage/conversions/sql.ts',
    edits: [["if (before.quote_id !== quoteId) return 'otherQuote';", '']],
  },
  'a quote that has ended is still shown': {
    file: 'src/partner/quotes/check-handoff.ts',
    edits: [
      [
        "if (handoff.expiresAtMs <= nowMs) return 'expired';",
        "if (handoff.expiresAtMs <= nowMs - 60_000) return 'expired';",
      ],
    ],
  },
  'a tax of the first nights is taken of all': {
    file: 'src/domain/taxes.ts',
    edits: [
      [
        'if (skipNights === 0 && inForce.length <= maxNights) return inForce;',
        'if (skipNights === 0) return inForce;',
      ],
    ],
  },
} as const satisfies Mistakes;
