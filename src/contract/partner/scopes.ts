/** The rights of a credential. */

/** Scopes of the contract (SPEC 5). A credential has all of them unless some are named. */
export const SCOPES = {
  'properties:read': 'Search properties and read one.',
  'availability:read': 'Ask whether a stay is available.',
  'quotes:write': 'Create indicative quotes with their handoff link.',
} as const;

/** Scopes beside the contract: a credential has only those that are named. */
export const EXTRA_SCOPES = {
  'prices:read': 'Read prices of stays.',
  'content:read': 'Read pictures, times and terms of properties.',
  'changes:read': 'Ask which properties have changed.',
} as const;

export type Scope = keyof typeof SCOPES | keyof typeof EXTRA_SCOPES;
export const SCOPE_NAMES = Object.keys(SCOPES) as readonly Scope[];
export const ALL_SCOPE_NAMES = [...SCOPE_NAMES, ...Object.keys(EXTRA_SCOPES)] as readonly Scope[];

/** `scope prices:read`, `scopes prices:read and content:read`; `mark` stands around each name. */
export function sayScopes(scopes: readonly Scope[], mark = ''): string {
  const names = scopes.map((scope) => `${mark}${scope}${mark}`);
  return `${names.length === 1 ? 'scope' : 'scopes'} ${names.join(' and ')}`;
}
