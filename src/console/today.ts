/** What needs a person, in the order in which it wants to be looked at, each with the page where it is done. */
import { firstCheckInAt } from '../activity/activity-retention.ts';
import { DAY_MS, formatLocalDate } from '../domain/local-date.ts';
import type { CredentialRow } from '../storage/access/store.ts';
import { OTHER } from '../storage/activity/store.ts';
import type { PagePorts } from './console-page.ts';
import { pathOf, withQuery } from './paths.ts';
import { silentAfterMs, SILENT_MS_MIN } from './source-rhythm.ts';

export interface TodayShown {
  readonly rows: readonly TodayItem[];
}

/** In the order of the page. */
export type TodayKind =
  | 'notReady'
  | 'heldFeed'
  | 'failingFeed'
  | 'silentSource'
  | 'expiringCredential'
  | 'errorsRose'
  | 'unmetDemand';

export interface TodayItem {
  readonly what: TodayKind;
  /** Whom it is about: a property, a source, a credential, a partner, a city; empty for `notReady`. */
  readonly subject: string;
  /** What is known of it, by name: `reason`, `since`, `until`, `code`, `before`, `count`, `checkIn`, `nights`, `guests`. */
  readonly values: Readonly<Record<string, string | number>>;
  /** Where a person acts on it, from the root. */
  readonly path: string;
}

/** Of each kind. */
const ITEMS_PER_KIND = 5;
const FEEDS_READ = 10;
const HOUR_MS = 3_600_000;
/** A source that stopped long ago was left, not lost. */
const FORGOTTEN_MS = 30 * DAY_MS;
/** Before the end of a credential whose partner has none that lasts longer. */
export const EXPIRY_NOTICE_DAYS = 14;
/** Refusals of one code to one partner in an hour: so many, and so many times as many as the hour before. */
export const ERRORS_MIN = 20;
export const ERRORS_RISE = 3;
const CODES_READ = 200;
/** Searches of one stay that found nothing. */
export const UNMET_SEARCHES_MIN = 10;

export async function readToday(ports: PagePorts): Promise<TodayShown> {
  const found = await Promise.all([
    findUnreadiness(ports),
    findFeeds(ports),
    findSilent(ports),
    findExpiring(ports),
    findRisen(ports),
    findUnmet(ports),
  ]);
  return { rows: found.flat() };
}

type Found = Promise<readonly TodayItem[]>;

async function findUnreadiness({ readiness }: PagePorts): Found {
  const state = await readiness();
  if (state === 'ready') return [];
  return [
    { what: 'notReady', subject: '', values: { reason: state.reason }, path: '/console/requests?status=5xx' },
  ];
}

async function findFeeds({ storage }: PagePorts): Found {
  const feeds = await storage.listFeedsInNeed(FEEDS_READ);
  const items = feeds.map(({ propertyId, heldNights, failure }): TodayItem => {
    const what = heldNights === null ? 'failingFeed' : 'heldFeed';
    return { what, subject: propertyId, values: { reason: failure ?? '' }, path: '/console/supply' };
  });
  return (['heldFeed', 'failingFeed'] as const).flatMap((kind) =>
    items.filter(({ what }) => what === kind).slice(0, ITEMS_PER_KIND),
  );
}

async function findSilent({ storage, sourceAges, clock }: PagePorts): Found {
  const nowMs = clock();
  const items: TodayItem[] = [];
  for (const age of await sourceAges.get()) {
    const since = age.newestConfirmedAt;
    if (nowMs - Date.parse(since) < SILENT_MS_MIN) continue;
    const boundMs = await silentAfterMs({ storage }, age);
    const silentMs = nowMs - Date.parse(since) - boundMs;
    if (silentMs >= 0 && silentMs < FORGOTTEN_MS)
      items.push({ what: 'silentSource', subject: age.source, values: { since }, path: '/console/supply' });
  }
  return items.slice(0, ITEMS_PER_KIND);
}

async function findExpiring({ storage, clock }: PagePorts): Found {
  const { credentials, partners } = await storage.readAccess();
  const nowMs = clock();
  const untilMs = nowMs + EXPIRY_NOTICE_DAYS * DAY_MS;
  const isEnabled = new Set(partners.filter(({ disabled }) => !disabled).map(({ partnerId }) => partnerId));
  const inForce = credentials.filter(
    ({ partnerId, revokedAtMs, expiresAtMs, isTest }) =>
      isEnabled.has(partnerId) &&
      !isTest &&
      revokedAtMs === null &&
      (expiresAtMs === null || expiresAtMs > nowMs),
  );
  const endOf = ({ expiresAtMs }: CredentialRow): number => expiresAtMs ?? Infinity;
  const lasting = new Set(inForce.filter((row) => endOf(row) > untilMs).map(({ partnerId }) => partnerId));
  return inForce
    .filter(({ partnerId }) => !lasting.has(partnerId))
    .toSorted((one, other) => endOf(one) - endOf(other))
    .slice(0, ITEMS_PER_KIND)
    .map((row) => ({
      what: 'expiringCredential',
      subject: row.credentialId,
      values: { until: new Date(endOf(row)).toISOString() },
      path: pathOf('partners', row.partnerId),
    }));
}

async function findRisen({ storage, clock }: PagePorts): Found {
  const nowMs = clock();
  const count = (fromMs: number) =>
    storage.countRefusals({ fromMs, toMs: fromMs + HOUR_MS, rowsMax: CODES_READ });
  const now = await count(nowMs - HOUR_MS);
  const often = now.filter((row) => row.count >= ERRORS_MIN);
  if (often.length === 0) return [];
  const earlier = new Map(
    (await count(nowMs - 2 * HOUR_MS)).map((row) => [`${row.partnerId} ${row.code}`, row.count]),
  );
  return often
    .map((row) => ({ ...row, before: earlier.get(`${row.partnerId} ${row.code}`) ?? 0 }))
    .filter((row) => row.count >= ERRORS_RISE * row.before)
    .slice(0, ITEMS_PER_KIND)
    .map(({ partnerId, code, count: times, before }) => ({
      what: 'errorsRose',
      subject: partnerId,
      values: { code, before, count: times },
      path: withQuery('/console/requests', { partner: partnerId, code, since: '1h' }),
    }));
}

async function findUnmet({ storage, clock }: PagePorts): Found {
  const stays = await storage.readUnmet({ checkInFrom: firstCheckInAt(clock()), rowsMax: ITEMS_PER_KIND });
  return stays
    .filter(({ searches, city }) => searches >= UNMET_SEARCHES_MIN && city !== OTHER)
    .map(({ city, country, checkIn, nights, guests, searches }) => ({
      what: 'unmetDemand',
      subject: `${city}, ${country}`,
      values: { checkIn: formatLocalDate(checkIn), nights, guests, count: searches },
      path: withQuery('/console/demand', { city }),
    }));
}
