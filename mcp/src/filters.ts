/** Filters that both searches take: a property without the value does not pass. */
import { type StayFilters, UsageError } from '../../sdk/src/index.ts';

const list = (maxItems: number, description: string) => ({
  type: 'array',
  items: { type: 'string', minLength: 1 },
  minItems: 1,
  maxItems,
  description,
});

/** Fields of an input schema; a token needs the scope `prices:read` for them, and a search needs dates. */
export const FILTER_FIELDS = {
  propertyTypes: list(10, 'Any of these kinds, such as apartment.'),
  amenities: list(20, 'All of these, such as wifi.'),
  areas: list(20, 'Any of these parts of the city.'),
  minRating: { type: 'number', minimum: 0, maximum: 5 },
  minBathrooms: { type: 'number', minimum: 0 },
  maxTotal: { type: 'string', description: 'Of the whole stay, such as 400.00; with currency.' },
  currency: { type: 'string', description: 'Of maxTotal, such as EUR.' },
} as const satisfies Record<keyof StayFilters, object>;

/** Throws where filters were given that nothing can apply: an answer without them would be another one. */
export function refuseFilters(input: StayFilters, why: string): void {
  const name = Object.keys(FILTER_FIELDS).find((field) => input[field as keyof StayFilters] !== undefined);
  if (name !== undefined)
    throw new UsageError('INVALID_ARGUMENT', `${name}: ${why}; call again without filters`, name);
}

/** The filters of an input alone. */
export function filtersIn(input: StayFilters): StayFilters {
  return Object.fromEntries(Object.entries(input).filter(([name]) => name in FILTER_FIELDS));
}
