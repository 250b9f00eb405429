/** The tax rules of a property document. */
import { parseLocalDate } from '../../domain/local-date.ts';
import { parseDecimal } from '../../domain/money.ts';
import {
  TAX_BASES,
  TAX_KINDS,
  TAX_LOGICS,
  type TaxBase,
  type TaxLogic,
  type TaxRule,
} from '../../domain/property.ts';
import { Fields, shown, type Findings } from './document-fields.ts';
import { TAX_CODE_LENGTH_MAX, TAXES_MAX } from './document-limits.ts';

const TAX_FIELDS: ReadonlySet<string> = new Set([
  'code',
  'kind',
  'logic',
  'amount',
  'percent',
  'maxNights',
  'skipNights',
  'validFrom',
  'validTo',
  'inclusive',
  'base',
  'order',
]);

export function readTaxes(property: Fields): TaxRule[] {
  return property.list('taxes', TAXES_MAX).map(({ value, path }) => readTax(value, path, property.findings));
}

function readTax(value: unknown, path: string, findings: Findings): TaxRule {
  const tax = Fields.of(value, path, TAX_FIELDS, findings);
  const logic = tax.choice('logic', TAX_LOGICS);
  const isPercentage = isPercentLogic(logic);
  const rule: TaxRule = {
    code: tax.text('code', TAX_CODE_LENGTH_MAX),
    kind: tax.choice('kind', TAX_KINDS),
    logic,
    amount: readQuantity(tax, 'amount', logic, !isPercentage),
    percent: readQuantity(tax, 'percent', logic, isPercentage),
    maxNights: tax.isNull('maxNights') ? null : tax.integer('maxNights', 0, Number.MAX_SAFE_INTEGER),
    skipNights: tax.has('skipNights') ? tax.integer('skipNights', 0, Number.MAX_SAFE_INTEGER) : 0,
    validFrom: readValidity(tax, 'validFrom'),
    validTo: readValidity(tax, 'validTo'),
    inclusive: tax.boolean('inclusive', false),
    base: readBase(tax),
    order: tax.has('order') ? tax.integer('order', -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER) : 0,
  };
  if (rule.validFrom !== null && rule.validTo !== null && rule.validTo < rule.validFrom) {
    tax.report('validTo', `must not be before validFrom (${rule.validFrom}), both are included`);
  }
  return rule;
}

function isPercentLogic(logic: TaxLogic): boolean {
  return logic === 'percent' || logic === 'cumulative_percent';
}

/** `amount` or `percent`: the one that the logic needs is required, the other has to be absent or null. */
function readQuantity(
  tax: Fields,
  name: 'amount' | 'percent',
  logic: TaxLogic,
  isNeeded: boolean,
): string | null {
  if (!isNeeded) {
    if (!tax.isNull(name)) tax.report(name, `does not belong to the logic ${logic}; remove it`);
    return null;
  }
  const value = tax.value(name);
  if (typeof value === 'string' && parseDecimal(value) !== undefined) return value;
  if (tax.isNull(name)) tax.report(name, `is required by the logic ${logic}`);
  else tax.report(name, `must be a non-negative decimal in a string such as "4.00", not ${shown(value)}`);
  return null;
}

function readValidity(tax: Fields, name: 'validFrom' | 'validTo'): string | null {
  if (tax.isNull(name)) return null;
  const value = tax.value(name);
  if (typeof value === 'string' && parseLocalDate(value) !== undefined) return value;
  tax.report(name, `must be a real date written YYYY-MM-DD, not ${shown(value)}`);
  return null;
}

function readBase(tax: Fields): TaxBase[] {
  if (!tax.has('base')) return ['accommodation'];
  const items = tax.list('base', TAX_BASES.length);
  for (const { value, path } of items) {
    if (TAX_BASES.some((base) => base === value)) continue;
    tax.findings.report(path, `must be one of ${TAX_BASES.join(', ')}, not ${shown(value)}`);
  }
  return TAX_BASES.filter((base) => items.some(({ value }) => value === base));
}
