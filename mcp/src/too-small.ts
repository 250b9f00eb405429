import { isStayportError, type Stayport } from '../../sdk/src/index.ts';
import { withinLimits } from './tools/tool.ts';

/**
 * Too many guests look like nights that are sold out: the property says which it is. Undefined where they fit, and
 * where the property can't be read: a token may lack `properties:read`.
 */
export async function tooSmallFor(
  client: Stayport,
  { propertyId, guests }: { readonly propertyId: string; readonly guests: number },
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const { data } = await client.properties.get(propertyId, withinLimits(signal));
    const largest = data.capacity.guests;
    return guests > largest
      ? `No room or unit takes ${guests} guests; the largest takes ${largest}`
      : undefined;
  } catch (error) {
    if (isStayportError(error)) return undefined;
    throw error;
  }
}
