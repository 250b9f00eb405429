/** Addresses of the pictures that cards show. */
import { type CallOptions, isStayportError, type Locale, type Stayport } from '../../../sdk/src/index.ts';
import { whereAllowed } from './with-scope.ts';

/** By property; null where it has none. Empty where the token may not see them; what is left out failed just now. */
export async function firstPictures(
  client: Stayport,
  propertyIds: Iterable<string>,
  options: CallOptions & { locale?: Locale | undefined },
): Promise<ReadonlyMap<string, string | null>> {
  const pictures = new Map<string, string | null>();
  for (const propertyId of new Set(propertyIds)) {
    const content = await whereAllowed(client, 'content', () =>
      client.content.get(propertyId, options),
    ).catch(
      // An answer without its pictures is good as well.
      (error: unknown) => (isStayportError(error) ? undefined : Promise.reject(error)),
    );
    if (content === undefined) break;
    pictures.set(propertyId, content.data.images[0]?.url ?? null);
  }
  return pictures;
}
