/** Rules of a type and of the offered nights, one row each; all other rules are fields of the calendar. */

interface OfferRuleRow {
  /** Sentence for a refused stay, with {date} and {value}, and {guests} of the stay. */
  readonly refusal: string;
  /** `value` is a date. */
  readonly isDate?: true;
  /** Name in the report of searches without a result. */
  readonly reason: string;
  /** Code of the reason that partners get; its row is in `stay-reasons.ts`. */
  readonly told: string;
}

// prettier-ignore
export const OFFER_RULE_ROWS = {
  guestsMax: {
    refusal: 'hosts at most {value} guests, not {guests}', reason: 'guests', told: 'CAPACITY',
  },
  today: {
    refusal: '{date} is before today ({value}) at the property', isDate: true,
    reason: 'beyond_horizon', told: 'PAST',
  },
  horizon: {
    refusal: '{date} is beyond the last night offered ({value})', isDate: true,
    reason: 'beyond_horizon', told: 'BEYOND_HORIZON',
  },
  minAdvanceDays: {
    refusal: 'arriving on {date} is less than {value} days ahead', reason: 'advance', told: 'TOO_SOON',
  },
  maxAdvanceDays: {
    refusal: 'arriving on {date} is more than {value} days ahead', reason: 'advance', told: 'TOO_FAR_AHEAD',
  },
} as const satisfies Readonly<Record<string, OfferRuleRow>>;

export type OfferRule = keyof typeof OFFER_RULE_ROWS;

export const OFFER_RULES = Object.keys(OFFER_RULE_ROWS) as readonly OfferRule[];

export function isDateRule(rule: OfferRule): boolean {
  const row: OfferRuleRow = OFFER_RULE_ROWS[rule];
  return row.isDate === true;
}
