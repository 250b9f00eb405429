/** An eligibility refusal for people: rule, date, and one sentence. */
import { FIELD_ROWS, isRestriction } from '../../domain/calendar-fields.ts';
import type { EligibilityRefusal, EligibilityRule, StayRequest } from '../../domain/eligibility.ts';
import { formatLocalDate } from '../../domain/local-date.ts';
import { isDateRule, OFFER_RULE_ROWS } from '../../domain/offer-rules.ts';

export interface ExplainedRefusal {
  readonly rule: EligibilityRule;
  /** The refusing night, the check-out date for `closedToDeparture`, null without a date. */
  readonly date: string | null;
  /** The refusing value; for `today` and `horizon` the first or last night offered. */
  readonly value: number | string;
  readonly detail: string;
}

export function presentRefusal(refusal: EligibilityRefusal, stay: StayRequest): ExplainedRefusal {
  const { rule } = refusal;
  const date = refusal.date === null ? null : formatLocalDate(refusal.date);
  const isDate = !isRestriction(rule) && isDateRule(rule);
  const value = isDate ? formatLocalDate(refusal.value) : refusal.value;
  return { rule, date, value, detail: formatRefusal({ rule, date, value }, stay) };
}

function formatRefusal(
  { rule, date, value }: Omit<ExplainedRefusal, 'detail'>,
  { checkIn, checkOut, guests }: StayRequest,
): string {
  const { refusal } = isRestriction(rule) ? FIELD_ROWS[rule] : OFFER_RULE_ROWS[rule];
  const places: Readonly<Record<string, string | number>> = {
    '{date}': date ?? '',
    '{value}': value,
    '{nights}': checkOut - checkIn,
    '{guests}': guests,
  };
  return refusal.replaceAll(/\{\w+\}/g, (place) => String(places[place]));
}
