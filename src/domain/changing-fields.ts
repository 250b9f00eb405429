/**
 * Fields that change what the other fields of a value of ARI mean, as Channex, SiteMinder (OTA XML as JSON) and
 * Cloudbeds name them. Such a field is read or refused, never left out with a warning as others are.
 */
import { Wrong } from './wrong.ts';

/**
 * `currency`: must be the property's. `digits`: of whole minor units. `perRoom`: the one kind of rate that there is
 * here. `refused`: has no meaning here, so its value would change another one without a word.
 */
type Reading = 'currency' | 'digits' | 'perRoom';

export interface ChangingField {
  readonly names: readonly string[];
  readonly reading: Reading | { /** How to say the same. */ readonly refused: Wrong };
}

const BY_GUESTS = new Wrong('sendByGuests', { example: '[{"occupancy":2,"rate":"120.00"}]' });
const OWN_AMOUNT = new Wrong('sendOwnAmount');

/** Names are compared without case, `_` and `-`. Null is absent. */
export const CHANGING_FIELDS: readonly ChangingField[] = [
  { names: ['currency', 'currency_code'], reading: 'currency' },
  { names: ['fraction_size', 'decimal_places'], reading: 'digits' },
  { names: ['sell_mode', 'price_mode', 'pricing_type', 'charge_type'], reading: 'perRoom' },
  {
    names: ['occupancy', 'number_of_guests', 'guests', 'adults', 'children', 'age_qualifying_code'],
    reading: { refused: BY_GUESTS },
  },
  {
    names: ['extra_adult_rate', 'extra_child_rate', 'additional_guest_amounts', 'additional_guest_amount'],
    reading: { refused: BY_GUESTS },
  },
  {
    names: [
      'tax_inclusive',
      'tax_included',
      'taxes_included',
      'includes_tax',
      'is_inclusive',
      'inclusive',
      'amount_before_tax',
      'amount_after_tax',
    ],
    reading: { refused: new Wrong('taxesOfProperty') },
  },
  {
    names: ['rate_mode', 'rate_type', 'rate_time_unit', 'unit_multiplier', 'derived_option', 'multiplier'],
    reading: { refused: OWN_AMOUNT },
  },
  { names: ['percent', 'percentage', 'adjustment', 'discount'], reading: { refused: OWN_AMOUNT } },
  {
    names: ['length_of_stay', 'los', 'number_of_nights'],
    reading: { refused: new Wrong('rateOfNight') },
  },
];

/** Names of a rate for a whole room. */
export const PER_ROOM: readonly unknown[] = ['per_room', 'PerRoom', 'room'];
export const FRACTION_DIGITS_MAX = 4;
