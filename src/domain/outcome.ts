/** The end of an act: its result, or why it is refused. */
import { Wrong } from './wrong.ts';

/** For programs, where it matters to them; otherwise the present state is in the way. */
export type RefusalKind = 'unknown' | 'property-unknown' | 'type-unknown' | 'key-reused';

export interface Refused {
  readonly ok: false;
  readonly problem: Wrong;
  readonly kind?: RefusalKind;
}

export interface Done<T> {
  readonly ok: true;
  readonly value: T;
  /** Why it failed even though it has a result. */
  readonly failed?: Wrong | undefined;
}

export type Outcome<T> = Done<T> | Refused;

export function done<T>(value: T, failed?: Wrong): Outcome<T> {
  return failed === undefined ? { ok: true, value } : { ok: true, value, failed };
}

export function refuse(problem: Wrong, kind?: RefusalKind): Refused {
  return kind === undefined ? { ok: false, problem } : { ok: false, problem, kind };
}

export function refuseProperty(propertyId: string): Refused {
  return refuse(new Wrong('unknownProperty', { id: JSON.stringify(propertyId) }), 'property-unknown');
}

/** Undefined where the property has the inventory type. */
export function refuseType(
  {
    propertyId,
    inventoryTypes,
  }: {
    readonly propertyId: string;
    readonly inventoryTypes: readonly { readonly inventoryTypeId: string }[];
  },
  wanted: string,
): Refused | undefined {
  const types = inventoryTypes.map(({ inventoryTypeId }) => inventoryTypeId);
  if (types.includes(wanted)) return undefined;
  const named = { propertyId, typeId: JSON.stringify(wanted), known: types.join(', ') };
  return refuse(new Wrong('unknownType', named), 'type-unknown');
}
