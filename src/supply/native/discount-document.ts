/** The discounts of a property document. */
import { parseMoney } from '../../domain/money.ts';
import { type Discount, DISCOUNT_FIELDS, DISCOUNTS_MAX } from '../../domain/property.ts';
import { ADVANCE_DAYS_MAX } from '../../domain/stay-limits.ts';
import { Fields, shown, type Findings } from './document-fields.ts';
import { DISCOUNT_CODE_LENGTH_MAX, INVENTORY_TYPES_MAX, NAME_LENGTH_MAX } from './document-limits.ts';
import { readDateRange, readNumberRange } from './document-ranges.ts';
import { readLocalizedText } from './localized-document.ts';

const KNOWN_FIELDS: ReadonlySet<string> = new Set(DISCOUNT_FIELDS);
const HUNDREDTHS_MAX = 100_00n;

/** `typeIds` are the inventory types of the document: a discount may name these only. */
export function readDiscounts(property: Fields, typeIds: ReadonlySet<string>): Discount[] {
  const codes = new Set<string>();
  return property.list('discounts', DISCOUNTS_MAX).map(({ value, path }) => {
    const discount = readDiscount(value, path, typeIds, property.findings);
    if (codes.has(discount.code))
      property.findings.report(
        `${path}.code`,
        `${shown(discount.code)} is already a discount of this property`,
      );
    codes.add(discount.code);
    return discount;
  });
}

function readDiscount(
  value: unknown,
  path: string,
  typeIds: ReadonlySet<string>,
  findings: Findings,
): Discount {
  const discount = Fields.of(value, path, KNOWN_FIELDS, findings);
  return {
    code: discount.text('code', DISCOUNT_CODE_LENGTH_MAX),
    ...(discount.isNull('name') ? {} : { name: readLocalizedText(discount, 'name', NAME_LENGTH_MAX) }),
    percent: readPercent(discount),
    // As the minimum stays of a calendar: what is longer than any stay may be written and never applies.
    ...readNumberRange(discount, ['minNights', 'maxNights'], { least: 1, most: Number.MAX_SAFE_INTEGER }),
    ...readNumberRange(discount, ['minAdvanceDays', 'maxAdvanceDays'], { least: 0, most: ADVANCE_DAYS_MAX }),
    ...readDateRange(discount, ['stayFrom', 'stayTo']),
    ...readDateRange(discount, ['bookFrom', 'bookTo']),
    ...readTypeIds(discount, typeIds),
  };
}

function readPercent(discount: Fields): string {
  if (!discount.isPresent('percent')) return '';
  const value = discount.value('percent');
  const hundredths = typeof value === 'string' ? parseMoney(value) : undefined;
  if (hundredths !== undefined && hundredths > 0n && hundredths <= HUNDREDTHS_MAX) return String(value);
  discount.report(
    'percent',
    `must be above 0 and at most 100, with at most two decimals, in a string such as "12.5", not ${shown(value)}`,
  );
  return '';
}

function readTypeIds(discount: Fields, typeIds: ReadonlySet<string>): Pick<Discount, 'inventoryTypeIds'> {
  if (discount.isNull('inventoryTypeIds')) return {};
  const items = discount.list('inventoryTypeIds', INVENTORY_TYPES_MAX);
  if (items.length === 0)
    discount.report('inventoryTypeIds', 'must name at least one inventory type; leave the field out for all');
  const inventoryTypeIds = items.flatMap(({ value, path }) => {
    if (typeof value === 'string' && typeIds.has(value)) return [value];
    discount.findings.report(path, `must be an inventory type of this property, not ${shown(value)}`);
    return [];
  });
  return { inventoryTypeIds };
}
