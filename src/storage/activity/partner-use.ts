/**
 * Recent use of the API by each partner. The key of traffic begins with time, so each minute and each day of a partner
 * is looked up separately. That costs the same however many other partners there are.
 */
import { DAY_MS, MINUTE_MS, HOUR_MS } from '../../domain/local-date.ts';
import { type Program, rows } from '../portable-sql/program.ts';
import { type DayRange, DURATION_BUCKETS, LAST_USE_DAYS, type PartnerDay, type PartnerUse } from './store.ts';

type Sum = number | string;

/** Minutes are kept for two days. */
const MINUTES_MS = 2 * DAY_MS;
const COUNT = Array.from({ length: DURATION_BUCKETS }, (_, bucket) => `d${bucket}`).join(' + ');

/** The rows of a partner at each step of time, both bounds included: two values for these, then the partner. */
function rowsAt(table: string, stepMs: number): string {
  return `WITH RECURSIVE steps(at_ms) AS (
      SELECT CAST(? AS bigint) UNION ALL SELECT at_ms + ${stepMs} FROM steps WHERE at_ms < ?
    ), used AS (
      SELECT from_ms, credential_id, code, ${COUNT} AS n
      FROM steps CROSS JOIN ${table} WHERE from_ms = at_ms AND partner_id = ?
    )`;
}

export function* selectPartnerUse(partnerId: string, nowMs: number): Program<PartnerUse> {
  const thisMinute = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const minutes = yield* rows<{ from_ms: number; credential_id: string; asked: Sum }>(
    `${rowsAt('traffic_minutes', MINUTE_MS)}
     SELECT from_ms, credential_id, sum(n) AS asked FROM used GROUP BY from_ms, credential_id ORDER BY from_ms`,
    [thisMinute - HOUR_MS + MINUTE_MS, thisMinute, partnerId],
  );
  const byDay = yield* rows<{ credential_id: string; last_ms: number }>(
    `${rowsAt('traffic_days', DAY_MS)}
     SELECT credential_id, max(from_ms) AS last_ms FROM used GROUP BY credential_id`,
    [today - LAST_USE_DAYS * DAY_MS, today, partnerId],
  );
  const byCode = yield* rows<{ credential_id: string; code: string; last_ms: number; answers: Sum }>(
    `${rowsAt('traffic_minutes', MINUTE_MS)}
     SELECT credential_id, code, max(from_ms) AS last_ms,
       sum(CASE WHEN from_ms > ? AND code <> '' THEN n ELSE 0 END) AS answers
     FROM used GROUP BY credential_id, code ORDER BY credential_id, code`,
    [thisMinute - MINUTES_MS, thisMinute, partnerId, thisMinute - DAY_MS],
  );
  const lastMs = new Map(byDay.map((row) => [row.credential_id, row.last_ms]));
  const codes = new Map<string, number>();
  for (const { credential_id: id, code, last_ms: atMs, answers } of byCode) {
    lastMs.set(id, Math.max(lastMs.get(id) ?? 0, atMs));
    if (Number(answers) > 0) codes.set(code, (codes.get(code) ?? 0) + Number(answers));
  }
  return {
    minutes: minutes.map((row) => {
      return { fromMs: row.from_ms, credentialId: row.credential_id, count: Number(row.asked) };
    }),
    codes: [...codes].map(([code, count]) => ({ code, count })).toSorted((a, b) => b.count - a.count),
    lastUse: [...lastMs].map(([credentialId, fromMs]) => ({ credentialId, fromMs })),
  };
}

/** A minute is in one of the two tables, a day may have rows in both. */
export function* selectPartnerDays({ from, to }: Pick<DayRange, 'from' | 'to'>): Program<PartnerDay[]> {
  // In the order of the key first, as the sums of traffic.
  const one = (table: string): string =>
    `SELECT from_ms, partner_id, sum(${COUNT}) AS answers,
       sum(CASE WHEN code <> '' THEN ${COUNT} ELSE 0 END) AS refusals
     FROM ${table} WHERE from_ms >= ? AND from_ms < ? GROUP BY from_ms, partner_id`;
  const values = [from * DAY_MS, (to + 1) * DAY_MS];
  const found = yield* rows<{
    day: number;
    partner_id: string;
    answers: Sum;
    refusals: Sum;
    last_ms: number;
  }>(
    `SELECT from_ms / ${DAY_MS} AS day, partner_id, sum(answers) AS answers, sum(refusals) AS refusals,
       max(from_ms) AS last_ms
     FROM (${one('traffic_days')} UNION ALL ${one('traffic_minutes')}) AS parts
     GROUP BY from_ms / ${DAY_MS}, partner_id`,
    [...values, ...values],
  );
  return found.map(({ day, partner_id: partnerId, answers, refusals, last_ms: lastMs }) => {
    return { day, partnerId, answers: Number(answers), refusals: Number(refusals), lastMs };
  });
}

/** Each day of each partner is one look at the key: a scalar, so that PostgreSQL joins nothing. */
export function* selectLastPartnerDays(
  partnerIds: readonly string[],
  { from, to }: Pick<DayRange, 'from' | 'to'>,
): Program<Pick<PartnerDay, 'partnerId' | 'day'>[]> {
  if (partnerIds.length === 0 || to < from) return [];
  const found = yield* rows<{ partner_id: string; last_ms: number | null }>(
    `WITH RECURSIVE steps(at_ms) AS (
       SELECT CAST(? AS bigint) UNION ALL SELECT at_ms + ${DAY_MS} FROM steps WHERE at_ms < ?
     ), asked(partner_id) AS (VALUES ${partnerIds.map(() => '(CAST(? AS text))').join(', ')})
     SELECT partner_id, (
       SELECT max(at_ms) FROM steps WHERE (
         SELECT 1 FROM traffic_days AS used
         WHERE used.from_ms = at_ms AND used.partner_id = asked.partner_id LIMIT 1
       ) IS NOT NULL
     ) AS last_ms FROM asked`,
    [from * DAY_MS, to * DAY_MS, ...partnerIds],
  );
  return found.flatMap(({ partner_id: partnerId, last_ms: lastMs }) =>
    lastMs === null ? [] : [{ partnerId, day: lastMs / DAY_MS }],
  );
}
