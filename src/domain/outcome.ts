/** The end of an act: its result, or one sentence for the operator. */

/** For programs, where it matters to them; otherwise the present state is in the way. */
export type RefusalKind = 'unknown' | 'property-unknown' | 'type-unknown' | 'key-reused';

export interface Refused {
  readonly ok: false;
  /** Begins in lower case, without its full stop. */
  readonly problem: string;
  readonly kind?: RefusalKind;
}

export type Outcome<T> = { readonly ok: true; readonly value: T } | Refused;

export function done<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function refuse(problem: string, kind?: RefusalKind): Refused {
  return kind === undefined ? { ok: false, problem } : { ok: false, problem, kind };
}

export function refuseProperty(propertyId: string): Refused {
  return refuse(`there is no property ${JSON.stringify(propertyId)}`, 'property-unknown');
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
  const which = `no inventory type ${JSON.stringify(wanted)}; it has ${types.join(', ')}`;
  return refuse(`the property ${propertyId} has ${which}`, 'type-unknown');
}
