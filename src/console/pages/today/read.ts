/** Tasks for a person, by urgency, each with the page that handles it. */
import { firstCheckInAt } from '../../../operator/activity/activity-retention.ts';
import { DAY_MS, formatLocalDate, HOUR_MS } from '../../../domain/local-date.ts';
import type { StoredJudgement } from '../../../operator/activity/denial-analysis.ts';
import { OTHER, type StoredUnmet } from '../../../storage/activity/store.ts';
import type { PagePorts, PageQuestion, ShownBy } from '../../reading/console-page.ts';
import { readNumbers } from './week-numbers.ts';
import { type ConnectionCondition, conditionOf } from '../../../supply/connections/connection-view.ts';
import { parseHeld } from '../../../supply/polling/held-back.ts';
import { pathOf, withQuery } from '../../reading/paths.ts';
import { REQUESTS_PATH } from '../requests/read.ts';
import { isSystem } from '../../../supply/sources/is-system.ts';
import { canTravellersOpen, readProgress } from '../setup/read.ts';
import { isFoundByAll } from '../../reading/found-stays.ts';
import { silentAfterMs, SILENT_MS_MIN } from '../../reading/sources.ts';

export type TodayShown = ShownBy<typeof readToday>;

/** In the order of the page. */
export type TodayKind =
  | 'notReady'
  | 'noProperties'
  | 'noQuote'
  | 'travellers'
  | 'refusedConnection'
  | 'lateConnection'
  | 'heldConnection'
  | 'heldFeed'
  | 'failingFeed'
  | 'silentSource'
  | 'failingWebhook'
  | 'stoppedWebhook'
  | 'expiringCredential'
  | 'errorsRose'
  | 'unmetDemand';

export interface TodayItem {
  readonly what: TodayKind;
  /** The id of a property, source, credential, partner or city, or a webhook's host; empty for the first four kinds. */
  readonly subject: string;
  /**
   * Details by name: `type`, `reason`, `since`, `until`, `partner`, `code`, `before`, `count`, `checkIn`, `nights`,
   * `guests`, `childAges`.
   */
  readonly values: Readonly<Record<string, string | number>>;
  /** The page that handles it, from the root. */
  readonly path: string;
}

export interface FoundItem extends TodayItem {
  /** The value `reason` as a code, for pages. */
  readonly wrong?: unknown;
}

/** Items of each kind. */
const ITEMS_PER_KIND = 5;
const FEEDS_READ = 10;
/** A webhook that fails for less is tried again by itself. */
export const WEBHOOK_FAILS_MS = 10 * 60_000;
/** A source that stopped this long ago was given up, not lost. */
export const FORGOTTEN_MS = 30 * DAY_MS;
/** Days of notice before a partner's last credential expires. */
export const EXPIRY_NOTICE_DAYS = 14;
/** Refusals of one code to one partner in an hour: at least this many, and this many times the hour before. */
export const ERRORS_MIN = 20;
export const ERRORS_RISE = 3;
const CODES_READ = 200;
/** Searches of one stay without a result. */
export const UNMET_SEARCHES_MIN = 10;
/** The most searched stays; solved ones are left out. */
const UNMET_READ = 20;

const FINDERS = [
  findUnreadiness,
  findEmpty,
  findUnfinished,
  findUnreachable,
  findConnections,
  findFeeds,
  findSilent,
  findWebhooks,
  findExpiring,
  findRisen,
  findUnmet,
];

export async function readToday(ports: PagePorts, { isJson }: Pick<PageQuestion, 'isJson'>) {
  const items = (await Promise.all(FINDERS.map((find) => find(ports)))).flat();
  const kinds = Object.values(Object.groupBy(items, ({ what }) => what));
  const shown = kinds.flatMap((own) => own.slice(0, ITEMS_PER_KIND));
  return {
    rows: shown.map(({ wrong: _inEnglish, ...row }) => row),
    items: shown,
    /** Those that are not nothing. */
    numbers: isJson
      ? []
      : (await readNumbers(ports)).filter(({ now, before }) => Boolean(now) || Boolean(before)),
    progress: isJson ? undefined : await readProgress(ports),
  };
}

type Found = Promise<readonly FoundItem[]>;

async function findUnreadiness({ readiness }: PagePorts): Found {
  const state = await readiness();
  if (state === 'ready') return [];
  const path = withQuery(REQUESTS_PATH, { status: '5xx' });
  return [{ what: 'notReady', subject: '', values: { reason: state.reason }, path, wrong: state.wrong }];
}

async function findEmpty({ storage }: PagePorts): Found {
  const isEmpty = (await storage.listProperties('', 1)).length === 0;
  return isEmpty ? [{ what: 'noProperties', subject: '', values: {}, path: '/console/properties' }] : [];
}

/** Setup counts as unfinished until the first quote. */
async function findUnfinished({ storage }: PagePorts): Found {
  if (await storage.hasQuote()) return [];
  return [{ what: 'noQuote', subject: '', values: {}, path: '/console/setup' }];
}

async function findUnreachable(ports: PagePorts): Found {
  if (await canTravellersOpen(ports)) return [];
  return [{ what: 'travellers', subject: '', values: {}, path: '/console/setup' }];
}

const CONNECTION_TASKS = {
  refused: 'refusedConnection',
  late: 'lateConnection',
  held: 'heldConnection',
} as const satisfies Partial<Record<ConnectionCondition, TodayKind>>;

/** Those that are read again by themselves wait for nobody. */
async function findConnections({ storage, clock }: PagePorts): Found {
  const items = (await storage.summarizeConnections()).flatMap((connection): FoundItem[] => {
    const { name, failure, failureWrong, held } = connection;
    const state = conditionOf(connection, clock());
    if (!(state in CONNECTION_TASKS)) return [];
    const what = CONNECTION_TASKS[state as keyof typeof CONNECTION_TASKS];
    const values = { reason: failure ?? '', count: held };
    return [{ what, subject: name, values, wrong: failureWrong, path: pathOf('connections', name) }];
  });
  const order = Object.values(CONNECTION_TASKS) as readonly TodayKind[];
  return items.toSorted((one, other) => order.indexOf(one.what) - order.indexOf(other.what));
}

async function findFeeds({ storage }: PagePorts): Found {
  const feeds = await storage.listFeedsInNeed(FEEDS_READ);
  const items = feeds.map(({ propertyId, inventoryTypeId: type, heldNights, failure, failureWrong }) => {
    const { notBeforeMs } = heldNights === null ? {} : parseHeld(heldNights);
    const until = notBeforeMs === undefined ? {} : { until: new Date(notBeforeMs).toISOString() };
    return {
      what: heldNights === null ? ('failingFeed' as const) : ('heldFeed' as const),
      subject: propertyId,
      values: { type, reason: failure ?? '', ...until },
      wrong: failureWrong,
      path: '/console/supply',
    };
  });
  return items.toSorted((one, other) => (one.what < other.what ? 1 : -1));
}

/** People send a file when they have one: only systems are expected to speak. */
async function findSilent({ storage, sourceAges, clock }: PagePorts): Found {
  const nowMs = clock();
  const items: FoundItem[] = [];
  for (const age of (await sourceAges.get()).sources) {
    const since = age.newestConfirmedAt;
    const quietMs = nowMs - Date.parse(since);
    if (quietMs < SILENT_MS_MIN || !(await isSystem({ storage, clock }, age.source))) continue;
    const silentMs = quietMs - (await silentAfterMs(storage, age.source));
    if (silentMs >= 0 && silentMs < FORGOTTEN_MS)
      items.push({ what: 'silentSource', subject: age.source, values: { since }, path: '/console/supply' });
  }
  return items;
}

/** Those that fail for a while, and those that the service gave up and the operator has not looked at. */
async function findWebhooks({ storage, clock }: PagePorts): Found {
  const failingBeforeMs = clock() - WEBHOOK_FAILS_MS;
  const webhooks = (await storage.listWebhooks()).toSorted(
    (one, other) => one.createdAtMs - other.createdAtMs,
  );
  return webhooks.flatMap(({ webhookId, partnerId, url, failingSinceMs, disabledAtMs, disabledReason }) => {
    const isStopped = disabledAtMs !== null && disabledReason !== 'operator';
    const isFailing = disabledAtMs === null && failingSinceMs !== null && failingSinceMs <= failingBeforeMs;
    if (!isStopped && !isFailing) return [];
    const since = new Date(isStopped ? disabledAtMs : failingSinceMs!).toISOString();
    return {
      what: isStopped ? ('stoppedWebhook' as const) : ('failingWebhook' as const),
      subject: new URL(url).host,
      values: { partner: partnerId, since },
      path: pathOf('webhooks', webhookId),
    };
  });
}

async function findExpiring({ storage, clock }: PagePorts): Found {
  const { credentials, partners } = await storage.readAccess();
  const nowMs = clock();
  const untilMs = nowMs + EXPIRY_NOTICE_DAYS * DAY_MS;
  const isEnabled = new Set(partners.filter(({ disabled }) => !disabled).map(({ partnerId }) => partnerId));
  const inForce = credentials.filter(
    ({ partnerId, isTest, revokedAtMs, expiresAtMs }) =>
      isEnabled.has(partnerId) && !isTest && revokedAtMs === null && (expiresAtMs ?? Infinity) > nowMs,
  );
  const isEnding = ({ expiresAtMs }: (typeof inForce)[number]) =>
    expiresAtMs !== null && expiresAtMs <= untilMs;
  const lasting = new Set(inForce.filter((row) => !isEnding(row)).map(({ partnerId }) => partnerId));
  return inForce
    .filter(({ partnerId }) => !lasting.has(partnerId))
    .toSorted((one, other) => one.expiresAtMs! - other.expiresAtMs!)
    .map(({ partnerId, credentialId, expiresAtMs }) => ({
      what: 'expiringCredential',
      subject: credentialId,
      path: pathOf('partners', partnerId),
      values: { partner: partnerId, until: new Date(expiresAtMs!).toISOString() },
    }));
}

async function findRisen({ storage, clock }: PagePorts): Found {
  const count = (fromMs: number) =>
    storage.countRefusals({ fromMs, toMs: fromMs + HOUR_MS, rowsMax: CODES_READ });
  const hourAgoMs = clock() - HOUR_MS;
  const often = (await count(hourAgoMs)).filter((row) => row.count >= ERRORS_MIN);
  const earlier = often.length === 0 ? [] : await count(hourAgoMs - HOUR_MS);
  return often
    .map((row) => {
      const isSame = (one: typeof row): boolean => one.partnerId === row.partnerId && one.code === row.code;
      return { ...row, before: earlier.find(isSame)?.count ?? 0 };
    })
    .filter((row) => row.count >= ERRORS_RISE * row.before)
    .map(({ partnerId, code, count: times, before }) => ({
      what: 'errorsRose',
      subject: partnerId,
      values: { code, count: times, before },
      path: withQuery(REQUESTS_PATH, { partner: partnerId, code, since: '1h' }),
    }));
}

async function findUnmet(ports: PagePorts): Found {
  const { storage, clock } = ports;
  const stays = await storage.readUnmet({ checkInFrom: firstCheckInAt(clock()), rowsMax: UNMET_READ });
  const often = stays.filter(({ searches, city }) => searches >= UNMET_SEARCHES_MIN && city !== OTHER);
  const open: StoredUnmet[] = [];
  for (const stay of often) {
    if (open.length === ITEMS_PER_KIND) break;
    if (!(await isSolved(ports, stay))) open.push(stay);
  }
  return open.map(({ city, country, checkIn, nights, guests, childAges, searches }) => ({
    what: 'unmetDemand',
    subject: `${city}, ${country}`,
    values: {
      checkIn: formatLocalDate(checkIn),
      nights,
      guests,
      ...(childAges !== '' && { childAges }),
      count: searches,
    },
    path: withQuery('/console/demand', { city }),
  }));
}

/**
 * The stay is past, or every partner finds it now. The last analysis, repeated after each change of the city, shows
 * which stays are worth checking; it does not know which partner sees which property.
 */
async function isSolved(ports: PagePorts, stay: StoredUnmet): Promise<boolean> {
  const { judgement, judgedAtMs, checkIn } = stay;
  if (judgement === null) return judgedAtMs !== null;
  if ((JSON.parse(judgement) as StoredJudgement).nearest?.checkIn !== checkIn) return false;
  return isFoundByAll(ports, stay);
}
