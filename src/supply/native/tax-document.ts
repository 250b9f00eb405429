/** The tax rules of a property document. */
import { parseDecimal } from '../../domain/money.ts';
import { TAX_BASES, TAX_KINDS, TAX_LOGICS, type TaxLogic, type TaxRule } from '../../domain/property.ts';
import { inRunningOrder, isPercentLogic } from '../../domain/taxes.ts';
import { Fields, shown, type Findings } from './document-fields.ts';
import { TAX_CODE_LENGTH_MAX, TAXES_MAX } from './document-limits.ts';
import { readDateRange } from './document-ranges.ts';

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

const BASE_WORDS = `one of ${TAX_BASES.join(', ')}, or the code of a rule that runs before`;

/** A name in a base, with its place. */
interface Named {
  readonly name: string;
  readonly path: string;
}

interface TaxDocument {
  readonly rule: TaxRule;
  readonly order: number;
  readonly named: readonly Named[];
}

export function readTaxes(property: Fields): TaxRule[] {
  const { findings } = property;
  const documents = property
    .list('taxes', TAXES_MAX)
    .map(({ value, path }) => readTax(value, path, findings));
  checkBases(documents, findings);
  return documents.map(({ rule }) => rule);
}

function readTax(value: unknown, path: string, findings: Findings): TaxDocument {
  const tax = Fields.of(value, path, TAX_FIELDS, findings);
  const logic = tax.choice('logic', TAX_LOGICS);
  const isPercentage = isPercentLogic(logic);
  const named = readBase(tax);
  const { validFrom = null, validTo = null } = readDateRange(tax, ['validFrom', 'validTo']);
  const rule: TaxRule = {
    code: tax.text('code', TAX_CODE_LENGTH_MAX),
    kind: tax.choice('kind', TAX_KINDS),
    logic,
    amount: readQuantity(tax, 'amount', logic, !isPercentage),
    percent: readQuantity(tax, 'percent', logic, isPercentage),
    maxNights: tax.isNull('maxNights') ? null : tax.integer('maxNights', 0, Number.MAX_SAFE_INTEGER),
    skipNights: tax.has('skipNights') ? tax.integer('skipNights', 0, Number.MAX_SAFE_INTEGER) : 0,
    validFrom,
    validTo,
    inclusive: tax.boolean('inclusive', false),
    base: canonicalBase(named),
    order: tax.has('order') ? tax.integer('order', -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER) : 0,
  };
  return { rule, order: rule.order, named };
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

function readBase(tax: Fields): Named[] {
  if (!tax.has('base')) return [{ name: 'accommodation', path: tax.path('base') }];
  return tax.list('base', TAX_BASES.length + TAXES_MAX).flatMap(({ value, path }) => {
    if (typeof value === 'string') return [{ name: value, path }];
    tax.findings.report(path, `must be ${BASE_WORDS}, not ${shown(value)}`);
    return [];
  });
}

/** Parts of the price in their own order, then codes of rules as they were written, each once. */
function canonicalBase(named: readonly Named[]): string[] {
  const names = new Set(named.map(({ name }) => name));
  return [
    ...TAX_BASES.filter((part) => names.has(part)),
    ...[...names].filter((name) => !isPartOfPrice(name)),
  ];
}

/** A base may name the codes of rules that run before, and no others: a word that adds nothing is a mistake. */
function checkBases(documents: readonly TaxDocument[], findings: Findings): void {
  const codesBefore = new Set<string>();
  for (const { rule, named } of inRunningOrder(documents)) {
    const unknown = named.find(({ name }) => !isPartOfPrice(name) && !codesBefore.has(name));
    if (unknown !== undefined)
      findings.report(unknown.path, `must be ${BASE_WORDS}, not ${shown(unknown.name)}`);
    codesBefore.add(rule.code);
  }
}

function isPartOfPrice(name: string): boolean {
  return TAX_BASES.some((part) => part === name);
}
