import type { Property } from './property.ts';

/** Whether the partner may see the property at all; one that it may not see is as good as unknown (SPEC 4.2). */
export function isVisibleTo(property: Pick<Property, 'visibleTo'>, partnerId: string): boolean {
  return property.visibleTo === 'all' || property.visibleTo.includes(partnerId);
}
