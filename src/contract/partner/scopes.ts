/** The rights that a credential can carry. */

/** What each scope lets a credential do (SPEC 5). */
export const SCOPES = {
  'properties:read': 'Search properties and read one.',
  'availability:read': 'Ask whether a stay is available.',
  'quotes:write': 'Create indicative quotes with their handoff link.',
} as const;
export type Scope = keyof typeof SCOPES;
export const SCOPE_NAMES = Object.keys(SCOPES) as readonly Scope[];
