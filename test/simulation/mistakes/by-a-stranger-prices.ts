/** Mistakes of what can be had and what it costs, written by somebody who had not read the stories. */
import type { Mistakes } from './mistake.ts';

export const STRANGE_PRICES: Mistakes = {
  'a closed departure is looked for on the last night': {
    file: 'src/domain/eligibility.ts',
    edits: [
      [
        "const from = appliesTo === 'departure' ? checkOut : checkIn;",
        "const from = appliesTo === 'departure' ? checkOut - 1 : checkIn;",
      ],
    ],
  },
  'a stay that takes the last night offered has no quote': {
    file: 'src/domain/eligibility.ts',
    edits: [['until <= offered.end &&', 'until < offered.end &&']],
  },
  'a discount for booking early counts the days to the departure': {
    file: 'src/domain/pricing.ts',
    edits: [['isWithin(advanceDays, stay.checkIn - today)', 'isWithin(advanceDays, stay.checkOut - today)']],
  },
  'of two discounts of one room the lower one counts': {
    file: 'src/domain/pricing.ts',
    edits: [
      [
        'if (!ofType.has(inventoryTypeId)) ofType.set(inventoryTypeId, discount);',
        'ofType.set(inventoryTypeId, discount);',
      ],
    ],
  },
  'a tax that skips nights ends as many nights too soon': {
    file: 'src/domain/taxes.ts',
    edits: [['inForce.slice(skipNights, skipNights + maxNights)', 'inForce.slice(skipNights, maxNights)']],
  },
  'a night that costs just as much as a tier pays the one below': {
    file: 'src/domain/taxes.ts',
    edits: [['price >= from * stay.guests', 'price > from * stay.guests']],
  },
  'the starting price knows a night a day before it is offered': {
    file: 'src/domain/lowest-rates.ts',
    edits: [['firstNight - horizonNights + 1, EPOCH_DAY_MIN', 'firstNight - horizonNights, EPOCH_DAY_MIN']],
  },
  'a price by hand counts although the source has set its own': {
    file: 'src/domain/layers.ts',
    edits: [
      [
        'return !prices(priceSource) && prices(MANUAL_SOURCE) ? MANUAL_SOURCE : priceSource;',
        'return prices(MANUAL_SOURCE) ? MANUAL_SOURCE : priceSource;',
      ],
    ],
  },
};
