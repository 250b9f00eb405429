/**
 * The rights that a credential can carry: the scopes that the operations ask for (SPEC 5).
 */

export const SCOPES = ['properties:read', 'availability:read', 'quotes:write'] as const;
export type Scope = (typeof SCOPES)[number];

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}
