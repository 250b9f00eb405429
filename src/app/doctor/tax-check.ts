/** Taxes whose last dated rule ends before the nights that are offered: later stays would be quoted without them. */
import { makeOfferedNights, type OfferedNights } from '../../domain/eligibility.ts';
import { getLocalDate, localToday } from '../../domain/local-date.ts';
import type { TaxRule } from '../../domain/property.ts';
import type { SomeTaxed } from '../../storage/inspection/inspection.ts';
import { type Check, type Examined, type Finding, firstOf, ofContent, ok, warn } from './check.ts';
import { type Told, Wrong } from '../../domain/wrong.ts';

/** A longer list makes no better line. */
const SHOWN_MAX = 5;

export const TAX_CHECK: Check = {
  name: 'taxes that end',
  run: (examined) => ofContent(examined, ({ taxed }) => judge(taxed, examined)),
};

function judge({ properties, isCut }: SomeTaxed, { settings, clock }: Examined): Finding {
  const nowMs = clock();
  const ends = properties.flatMap(({ propertyId, timezone, taxes }) => {
    const offered = makeOfferedNights(localToday(timezone, nowMs), settings.horizonNights);
    return findEnding(taxes, offered).map(({ code, validTo }) => `${propertyId}, ${code}: ${validTo}`);
  });
  const whole = (finding: Told): Told =>
    isCut ? new Wrong('taxesCut', { finding, count: properties.length }) : finding;
  if (ends.length === 0) return ok(whole(new Wrong('taxesLast')));
  const names = firstOf(ends, SHOWN_MAX, ends.length, '; ');
  return warn(whole(new Wrong('taxesEnd', { names })), new Wrong('fixTaxes'));
}

type DatedRule = Pick<TaxRule, 'code' | 'kind' | 'validFrom' | 'validTo'>;

/**
 * Rules that end from today on and before the last night offered, without another one of their code that ends later, or
 * of their kind that begins later.
 */
export function findEnding(rules: readonly DatedRule[], { first, end }: OfferedNights): readonly DatedRule[] {
  return rules.filter((rule, place) => {
    const lastNight = endOf(rule);
    if (lastNight < first || lastNight >= end - 1) return false;
    return !rules.some((other, otherPlace) => {
      if (other.code === rule.code)
        return endOf(other) > lastNight || (endOf(other) === lastNight && otherPlace > place);
      return other.kind === rule.kind && beginOf(other) > lastNight;
    });
  });
}

function endOf({ validTo }: DatedRule): number {
  return validTo === null ? Infinity : getLocalDate(validTo);
}

function beginOf({ validFrom }: DatedRule): number {
  return validFrom === null ? -Infinity : getLocalDate(validFrom);
}
