/** Mistakes of quotes on their way to the booking site, written by somebody who had not read the stories. */
import type { Mistakes } from './mistake.ts';

export const STRANGE_QUOTES: Mistakes = {
  'as many of another currency are the same price': {
    file: 'src/partner/quotes/check-handoff.ts',
    edits: [
      [
        `handoff.total === formatMoney(offer.price.total) && stored.property.currency === handoff.currency;`,
        'handoff.total === formatMoney(offer.price.total);',
      ],
    ],
    heldBy: {
      file: 'src/partner/quotes/resolve-handoff.test.ts',
      test: 'answers price_changed when the currency is another one',
    },
  },
  'an expired quote that cannot be had any more is only unavailable': {
    file: 'src/partner/quotes/check-handoff.ts',
    edits: [
      [
        `if (handoff.expiresAtMs <= nowMs) return 'expired';
  if (stored === undefined || offer === undefined) return 'unavailable';`,
        `if (stored === undefined || offer === undefined) return 'unavailable';
  if (handoff.expiresAtMs <= nowMs) return 'expired';`,
      ],
    ],
  },
  'each rotation of keys prolongs all that came before': {
    file: 'src/handoff/handoff-keys.ts',
    edits: [
      [
        '.sort((a, b) => a.revision - b.revision);\n  if (successor',
        '.sort((a, b) => b.revision - a.revision);\n  if (successor',
      ],
    ],
    heldBy: {
      file: 'src/handoff/handoff-keys.test.ts',
      test: 'opens with an older key until a day after',
    },
  },
  'a traveller is told that the free room is gone': {
    file: 'src/partner/quotes/check-handoff.ts',
    edits: [['type === undefined || !isEligible(type,', 'type === undefined || isEligible(type,']],
  },
  'other dates keep the departure of the quote': {
    file: 'src/traveller/http/traveller.ts',
    edits: [['checkOut: stay.checkOut,', 'checkOut: handoff.checkOut,']],
  },
};
