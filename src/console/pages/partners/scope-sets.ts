/** Sets of scopes that the form of a new credential begins with. */
import { ALL_SCOPE_NAMES, type Scope, SCOPE_NAMES } from '../../../contract/partner/scopes.ts';

/** The field of the page's address that names the set. */
export const SCOPE_SET_FIELD = 'scopes';

const SCOPES_OF = {
  basic: SCOPE_NAMES,
  prices: [...SCOPE_NAMES, 'prices:read', 'content:read'],
  all: ALL_SCOPE_NAMES,
} as const satisfies Readonly<Record<string, readonly Scope[]>>;

export type ScopeSet = keyof typeof SCOPES_OF;
export const SCOPE_SETS = Object.keys(SCOPES_OF) as readonly ScopeSet[];

/** The contract's scopes unless the address names another set. */
export function readScopeSet(query: URLSearchParams): ScopeSet {
  return SCOPE_SETS.find((name) => name === query.get(SCOPE_SET_FIELD)) ?? 'basic';
}

export function scopeNames(set: ScopeSet): readonly Scope[] {
  return SCOPES_OF[set];
}
