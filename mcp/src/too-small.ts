import { type CallOptions, isStayportError, type Stayport } from '../../sdk/src/index.ts';

/**
 * Too many guests look like nights that are sold out: the property says which it is. Undefined where they fit, and
 * where the property can't be read: a token may lack `properties:read`.
 */
export async function tooSmallFor(
  client: Stayport,
  { propertyId, guests }: { readonly propertyId: string; readonly guests: number },
  limits: CallOptions,
): Promise<string | undefined> {
  try {
    const { data } = await client.properties.get(propertyId, limits);
    const largest = data.capacity.guests;
    return guests > largest
      ? `No room or unit takes ${guests} guests; the largest takes ${largest}`
      : undefined;
  } catch (error) {
    if (isStayportError(error)) return undefined;
    throw error;
  }
}
