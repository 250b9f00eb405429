/** Reads the parameters of a query. */
import {
  applyStayRule,
  findStayPlace,
  presentIssue,
  presentName,
  requirePresence,
  type Slot,
} from './field-rules.ts';
import type { ValidationIssue } from '../partner/issue-codes.ts';
import { ISSUES_MAX } from '../limits.ts';
import type { Operation, OperationId } from '../partner/operations.ts';
import type { Parameter } from '../partner/parameters.ts';
import { readQueryText } from './query-text.ts';
import type { QueryValues, StayDates } from './request-values.ts';
import { buildScalarRule, Refusal, type ScalarRule, trimmed } from './scalar-rules.ts';
import type { ContractLocale } from '../partner/scalars.ts';

/** The query of the operation when nothing was added to `issues`; undefined otherwise. */
export type QueryRule = (rawQuery: string, issues: ValidationIssue[]) => QueryValues[OperationId] | undefined;

export function buildQueryRule(operation: Operation): QueryRule {
  if (operation.method !== 'GET') return () => ({});
  const parameters = operation.queryParameters;
  const names = parameters.map(({ name }) => name);
  const rules = parameters.map(parameterRule);
  const indexByName = new Map(names.map((name, index) => [name, index]));
  const stayPlace = findStayPlace(operation.stayRule, names);
  const present = buildPresenter(operation.operationId, parameters);
  return (rawQuery, issues) => {
    const { values: slots, unknownNames } = readQueryText(rawQuery, indexByName, ISSUES_MAX);
    readSlots(slots, rules);
    requirePresence(slots, parameters);
    applyStayRule(slots, stayPlace);
    reportSlots(slots, names, issues);
    for (const [name, refusal] of unknownNames) {
      if (issues.length < ISSUES_MAX) issues.push(presentIssue(presentName(name), refusal));
    }
    return issues.length === 0 ? present(slots) : undefined;
  };
}

function parameterRule(parameter: Parameter): ScalarRule {
  const rule = buildScalarRule(parameter.schema);
  return parameter.trimmed === true ? trimmed(rule) : rule;
}

/** Replaces each text by its value or by why it is refused. */
function readSlots(slots: Slot[], rules: readonly ScalarRule[]): void {
  for (let index = 0; index < rules.length; index += 1) {
    const text = slots[index];
    if (typeof text === 'string') slots[index] = rules[index]?.readText(text);
  }
}

function reportSlots(slots: readonly Slot[], names: readonly string[], issues: ValidationIssue[]): void {
  for (let index = 0; index < names.length; index += 1) {
    const slot = slots[index];
    if (slot instanceof Refusal) issues.push(presentIssue(names[index] ?? '', slot));
  }
}

type Presenter = (slots: readonly Slot[]) => QueryValues[OperationId];

/**
 * Slots hold values that their schemas admit by now, and nothing where an optional parameter was absent; the
 * defaults of the schemas fill these. `validation-properties.test.ts`
 * reads back what the schemas admit.
 */
function buildPresenter(operationId: OperationId, parameters: readonly Parameter[]): Presenter {
  const at = (name: string) => parameters.findIndex((parameter) => parameter.name === name);
  const valueAt = <Value>(name: string) => {
    const index = at(name);
    const fallback = parameters[index]?.schema['default' as never] as Value;
    return (slots: readonly Slot[]) => (slots[index] ?? fallback) as Value;
  };
  const city = valueAt<string>('city');
  const country = valueAt<string | undefined>('country');
  const stay = stayAt(at('checkIn'), at('checkOut'));
  const guests = valueAt<number>('guests');
  const page = valueAt<number>('page');
  const pageSize = valueAt<number>('pageSize');
  const locale = valueAt<ContractLocale>('locale');
  const guestsIndex = at('guests');
  const presenters: { readonly [Id in OperationId]: (slots: readonly Slot[]) => QueryValues[Id] } = {
    listPartnerProperties: (slots) => ({
      city: city(slots),
      country: country(slots),
      stay: stay(slots),
      guests: guests(slots),
      guestsGiven: slots[guestsIndex] !== undefined,
      page: page(slots),
      pageSize: pageSize(slots),
      locale: locale(slots),
    }),
    getPartnerProperty: (slots) => ({ locale: locale(slots) }),
    getPartnerPropertyAvailability: (slots) => ({ stay: stay(slots) as StayDates, guests: guests(slots) }),
    createPartnerQuote: () => ({}),
  };
  return presenters[operationId];
}

function stayAt(checkInIndex: number, checkOutIndex: number) {
  return (slots: readonly Slot[]): StayDates | undefined => {
    const checkIn = slots[checkInIndex];
    const checkOut = slots[checkOutIndex];
    return typeof checkIn === 'number' && typeof checkOut === 'number' ? { checkIn, checkOut } : undefined;
  };
}
