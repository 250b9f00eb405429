/** Why an open night has no price, or an upper bound of it. */

interface ReasonRow {
  /** The operator may accept the price that is read without it. */
  readonly isAllowable?: true;
}

const REASON_ROWS = {
  /** No price is set for the night. */
  no_price: {},
  /** The room has no price rule for guests who book the chosen offer directly. */
  no_rule: {},
  /** The room does not say how many guests it takes. */
  no_capacity: {},
  /** Each guest takes a unit, and pays for it. */
  units_by_guest: {},
  /** A fixed price covers the night. */
  fixed_price: {},
  /** The price is linked to another one, and the answer has no amount for it. */
  linked_price: {},
  /** One of several rules counts for some stays only: its price may be lower. */
  conditional_rule: {},
  /** A rule is not understood. */
  price_rule: {},
  /** The night has a multiplier, and whether its prices contain it is not said. */
  multiplier: { isAllowable: true },
  booking_page_multiplier: { isAllowable: true },
  price_rounding: { isAllowable: true },
  min_price: { isAllowable: true },
  block_after_check_out: { isAllowable: true },
} as const satisfies Readonly<Record<string, ReasonRow>>;

export type Reason = keyof typeof REASON_ROWS;

/** In the order in which they are told. */
export const REASONS = Object.keys(REASON_ROWS) as readonly Reason[];
const ROWS: Readonly<Record<Reason, ReasonRow>> = REASON_ROWS;
export const ALLOWABLE = REASONS.filter((reason) => ROWS[reason].isAllowable === true);
