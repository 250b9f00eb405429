/** Recent use by partners: their last call, the numbers of seven days, and the end of their tokens. UTC. */
import { MINUTES_KEPT_MS, TRAFFIC_DAYS_KEPT } from '../../../operator/activity/activity-retention.ts';
import { reportAttribution } from '../../../traveller/attribution/attribution-report.ts';
import { DAY_MS, type EpochDay, formatLocalDate, utcDay } from '../../../domain/local-date.ts';
import type { AccessRows, CredentialRow } from '../../../storage/access/store.ts';
import { OTHER, type PartnerDay } from '../../../storage/activity/store.ts';
import { StorageUnavailable } from '../../../storage/storage.ts';
import type { PagePorts } from '../../reading/console-page.ts';

const WEEK = 7;

export type LastCall =
  /** The minute; after two days only the day is known. */
  | { readonly kind: 'minute' | 'day'; readonly at: string }
  /** Records go back to the partner's creation. */
  | { readonly kind: 'never' }
  /** Records begin on that day; null: there are no records of any call. */
  | { readonly kind: 'notSince'; readonly day: string | null };

export interface PartnerWeek {
  readonly partnerId: string;
  /** The days end today; undefined: unavailable now. */
  readonly answered:
    | { readonly requests: number; readonly refused: number; readonly last: LastCall }
    | undefined;
  readonly quotes: number;
  /** Those of these quotes that became bookings. */
  readonly converted: number;
  readonly token: TokenEnd;
}

export type TokenEnd =
  | { readonly kind: 'none' }
  /** `until` null: it never expires. Test tokens count only if no live one is valid. */
  | { readonly kind: 'live' | 'test'; readonly until: string | null };

/** The weeks of these partners, in their order; at most one page of partners. */
export async function readPartnerWeeks(ports: PagePorts, partnerIds: readonly string[]) {
  const { storage, clock } = ports;
  const nowMs = clock();
  const days = { from: utcDay(nowMs) - WEEK + 1, to: utcDay(nowMs) };
  const access = await storage.readAccess();
  const attributed = Map.groupBy(await reportAttribution(storage, days), ({ partnerId }) => partnerId);
  const traffic = await readTraffic(ports, access, { ...days, partnerIds }).catch(ignoreAway);
  const tokens = Map.groupBy(access.credentials, ({ partnerId }) => partnerId);
  const weeks = partnerIds.map((partnerId): PartnerWeek => {
    const own = attributed.get(partnerId) ?? [];
    return {
      partnerId,
      answered: traffic?.of(partnerId),
      quotes: sum(own.map(({ quotes }) => quotes)),
      converted: sum(own.map(({ converted }) => converted)),
      token: tokenEndOf(tokens.get(partnerId) ?? [], nowMs),
    };
  });
  /** Answers of these days whose partner did not fit in memory; undefined if traffic is unavailable. */
  return { weeks, unassigned: traffic?.unassigned };
}

interface Asked {
  readonly from: EpochDay;
  readonly to: EpochDay;
  readonly partnerIds: readonly string[];
}

async function readTraffic({ storage, dayCache }: PagePorts, access: AccessRows, asked: Asked) {
  const { from, to, partnerIds } = asked;
  const rows = await dayCache.read('partner days', { from, to }, (some) => storage.sumPartnerDays(some));
  const byPartner = Map.groupBy(rows, ({ partnerId }) => partnerId);
  const quiet = partnerIds.filter((partnerId) => !byPartner.has(partnerId));
  const kept = { from: to - TRAFFIC_DAYS_KEPT, to };
  const earlier = await storage.readLastPartnerDays(quiet, { from: kept.from, to: from - 1 });
  const firstDay = (await storage.readActiveDays('traffic', kept))?.from;
  const lastDayOf = new Map(earlier.map(({ partnerId, day }) => [partnerId, day]));
  const createdMs = new Map(access.partners.map((row) => [row.partnerId, row.createdAtMs]));
  const lastOf = (partnerId: string, own: readonly PartnerDay[]): LastCall => {
    if (own.length > 0) return presentLast(Math.max(...own.map(({ lastMs }) => lastMs)), to);
    const day = lastDayOf.get(partnerId);
    if (day !== undefined) return { kind: 'day', at: formatLocalDate(day) };
    if (firstDay === undefined) return { kind: 'notSince', day: null };
    const isAllKept = utcDay(createdMs.get(partnerId) ?? 0) >= firstDay;
    return isAllKept ? { kind: 'never' } : { kind: 'notSince', day: formatLocalDate(firstDay) };
  };
  return {
    unassigned: sum((byPartner.get(OTHER) ?? []).map(({ answers }) => answers)),
    of(partnerId: string) {
      const own = byPartner.get(partnerId) ?? [];
      const requests = sum(own.map(({ answers }) => answers));
      return { requests, refused: sum(own.map(({ refusals }) => refusals)), last: lastOf(partnerId, own) };
    },
  };
}

/** The start of a day means the whole day if it is old enough for its minutes to be rolled up. */
function presentLast(lastMs: number, today: EpochDay): LastCall {
  const isDay = lastMs % DAY_MS === 0 && utcDay(lastMs) <= today - MINUTES_KEPT_MS / DAY_MS;
  return isDay
    ? { kind: 'day', at: formatLocalDate(utcDay(lastMs)) }
    : { kind: 'minute', at: new Date(lastMs).toISOString() };
}

/** The latest end among the tokens valid now. */
function tokenEndOf(credentials: readonly CredentialRow[], nowMs: number): TokenEnd {
  const valid = credentials.filter(
    ({ revokedAtMs, expiresAtMs }) => revokedAtMs === null && (expiresAtMs ?? Infinity) > nowMs,
  );
  if (valid.length === 0) return { kind: 'none' };
  const live = valid.filter(({ isTest }) => !isTest);
  const ends = (live.length > 0 ? live : valid).map(({ expiresAtMs }) => expiresAtMs ?? Infinity);
  const last = Math.max(...ends);
  const until = last === Infinity ? null : new Date(last).toISOString();
  return { kind: live.length > 0 ? 'live' : 'test', until };
}

function ignoreAway(error: unknown): undefined {
  if (!(error instanceof StorageUnavailable)) throw error;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
