/** A person's acts on published calendars: publish, list, end. */
import { done, type Outcome, refuseProperty, refuseType } from '../../domain/outcome.ts';
import type { Clock } from '../../runtime/clock.ts';
import { inPages } from '../../runtime/in-pages.ts';
import type { Random } from '../../runtime/random.ts';
import type { CatalogueStore } from '../../storage/catalogue/store.ts';
import type { PublishedCalendar, PublishedKey, PublishedStore } from '../../storage/published/store.ts';
import { formatCalendarUrl, hashCalendarSecret, mintCalendarSecret } from './calendar-secret.ts';

export interface PublishedDeps {
  readonly storage: PublishedStore & Pick<CatalogueStore, 'findProperty'>;
  readonly clock: Clock;
  readonly random: Random;
  /** Base URL of calendars on the web listener, without a trailing slash. */
  readonly calendarsBaseUrl: string;
}

export interface Published {
  /** With the secret: it can't be shown again. */
  readonly url: string;
  /** There was an earlier URL; it no longer works. */
  readonly replaced: boolean;
}

/** For people and scripts; the instant is a text of RFC 3339. */
export interface PublishedView extends PublishedKey {
  readonly publishedAt: string;
}

/** Rows per read. */
const PAGE = 1_000;

/** A new URL; the one that the type had ends. */
export async function publishType(deps: PublishedDeps, key: PublishedKey): Promise<Outcome<Published>> {
  const { storage, clock, random, calendarsBaseUrl } = deps;
  const { propertyId, inventoryTypeId } = key;
  const stored = await storage.findProperty(propertyId);
  if (stored === undefined) return refuseProperty(propertyId);
  const refused = refuseType(stored.property, inventoryTypeId);
  if (refused !== undefined) return refused;
  const secret = mintCalendarSecret(random);
  const secretHash = hashCalendarSecret(secret);
  const replaced = await storage.publishCalendar({
    propertyId,
    inventoryTypeId,
    secretHash,
    publishedAtMs: clock(),
  });
  return done({ url: formatCalendarUrl(calendarsBaseUrl, secret), replaced });
}

/** All published calendars, page by page. */
export async function* readPublished(
  storage: Pick<PublishedStore, 'listPublishedCalendars'>,
): AsyncGenerator<readonly PublishedView[], void> {
  const pages = inPages<PublishedCalendar>(PAGE, (last, limit) =>
    storage.listPublishedCalendars(last ?? { propertyId: '', inventoryTypeId: '' }, limit),
  );
  for await (const rows of pages) yield rows.map(viewPublished);
}

/** Without the secret, which is not stored. */
export function viewPublished(row: PublishedCalendar): PublishedView {
  const { propertyId, inventoryTypeId, publishedAtMs } = row;
  return { propertyId, inventoryTypeId, publishedAt: new Date(publishedAtMs).toISOString() };
}
