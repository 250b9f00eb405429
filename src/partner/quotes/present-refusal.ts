/** An eligibility refusal for people: rule, date, and one sentence. */
import { FIELD_ROWS, isRestriction } from '../../domain/calendar-fields.ts';
import type { EligibilityRefusal, EligibilityRule, StayRequest } from '../../domain/eligibility.ts';
import { formatLocalDate } from '../../domain/local-date.ts';

export interface ExplainedRefusal {
  readonly rule: EligibilityRule;
  /** The refusing night, the check-out date for `closedToDeparture`, null without a date. */
  readonly date: string | null;
  /** The refusing value; for `today` and `horizon` the first or last night offered. */
  readonly value: number | string;
  readonly detail: string;
}

export function presentRefusal(refusal: EligibilityRefusal, stay: StayRequest): ExplainedRefusal {
  const isDateRule = refusal.rule === 'today' || refusal.rule === 'horizon';
  return {
    rule: refusal.rule,
    date: refusal.date === null ? null : formatLocalDate(refusal.date),
    value: isDateRule ? formatLocalDate(refusal.value) : refusal.value,
    detail: describeRefusal(refusal, stay),
  };
}

function describeRefusal({ rule, date, value }: EligibilityRefusal, stay: StayRequest): string {
  const on = date === null ? '' : formatLocalDate(date);
  if (isRestriction(rule)) {
    const nights = String(stay.checkOut - stay.checkIn);
    const places = { '{date}': on, '{value}': String(value), '{nights}': nights };
    return FIELD_ROWS[rule].refusal.replaceAll(/\{\w+\}/g, (place) => places[place as keyof typeof places]);
  }
  switch (rule) {
    case 'guestsMax':
      return `hosts at most ${value} guests, not ${stay.guests}`;
    case 'today':
      return `${on} is before today (${formatLocalDate(value)}) at the property`;
    case 'horizon':
      return `${on} is beyond the last night offered (${formatLocalDate(value)})`;
    case 'minAdvanceDays':
      return `arriving on ${on} is less than ${value} days ahead`;
    case 'maxAdvanceDays':
      return `arriving on ${on} is more than ${value} days ahead`;
  }
}
