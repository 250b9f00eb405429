/**
 * Counts each answer to an accepted live token in memory, and writes the counts every ten seconds and at the end. A
 * killed thread loses the counts since its last write. See docs/decisions/041-activity.md.
 */
import { formatAges } from '../../domain/child-ages.ts';
import type { MarketName } from '../../domain/found-markets.ts';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { utcDay, MINUTE_MS } from '../../domain/local-date.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Random } from '../../runtime/random.ts';
import type { ActivityStore, RequestFilter, RequestRow } from '../../storage/activity/store.ts';
import { repeat, type RepeatLogger } from '../../storage/tasks/repeat.ts';
import type { AnsweredRequest, Asker, Subject } from '../../http/answers/answered-request.ts';
import { DemandTable } from './demand-table.ts';
import { copyText, reasonsText, RequestLog, RequestRing } from './recent-requests.ts';
import { type ActivityMeter, SliceWriter } from './slice-writer.ts';
import { TrafficTable } from './traffic-table.ts';

export interface Activity {
  /** Counts an answer to an accepted live token. `code` is empty for a success. */
  answered(request: AnsweredRequest, asker: Asker, status: number, code: string, durationMs: number): void;
  readonly meter: Readonly<ActivityMeter>;
  /** Recent answers of this thread, newest first. */
  recent(filter: RequestFilter): RequestRow[];
  /** Writes waiting counts, if the database takes them. */
  close(): Promise<void>;
}

export interface ActivityDeps {
  readonly storage: Pick<ActivityStore, 'recordActivity'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: RepeatLogger & { warn(fields: object, message: string): void };
  /** The market of a property that partners see. */
  readonly marketOf: (propertyId: string) => MarketName | undefined;
  readonly keepsRequests: boolean;
  readonly keepsDemand: boolean;
  /** Shorter in tests. */
  readonly writeEveryMs?: number | undefined;
}

const WRITE_EVERY_MS = 10_000;
/** At the end, when several threads write at once; a stop waits no longer for failing tables. */
const LAST_WRITE_MS_MAX = 1_000;
const LAST_WRITE_PAUSE_MS = 50;

export function startActivity(deps: ActivityDeps): Activity {
  const meter: ActivityMeter = { rowsWritten: 0, rowsDropped: 0 };
  const counts = new Counts(deps, meter);
  const writer = new SliceWriter({ ...deps, meter, writer: randomUUID() });
  counts.onMinuteOver = () => writer.add(counts.drain());
  const rounds = repeat({
    name: 'write activity',
    everyMs: deps.writeEveryMs ?? WRITE_EVERY_MS,
    logger: deps.logger,
    async round() {
      writer.add(counts.drain());
      await writer.write();
    },
  });
  return {
    meter,
    answered: (request, asker, status, code, durationMs) =>
      counts.count(request, asker, status, code, durationMs),
    recent: (filter) => counts.recent(filter),
    async close() {
      await rounds.stop();
      writer.add(counts.drain());
      const giveUpAtMs = performance.now() + LAST_WRITE_MS_MAX;
      while (!(await writer.write()) && performance.now() < giveUpAtMs) await sleep(LAST_WRITE_PAUSE_MS);
      writer.abandon();
    },
  };
}

/** Counts of the present minute. */
class Counts {
  onMinuteOver: () => void = () => undefined;
  readonly #deps: ActivityDeps;
  readonly #meter: ActivityMeter;
  readonly #traffic = new TrafficTable();
  readonly #demand = new DemandTable();
  readonly #requests: RequestLog;
  readonly #recent = new RequestRing();
  #minute: number;

  constructor(deps: ActivityDeps, meter: ActivityMeter) {
    this.#deps = deps;
    this.#meter = meter;
    this.#requests = new RequestLog(deps.random);
    this.#minute = Math.floor(deps.clock() / MINUTE_MS);
  }

  count(request: AnsweredRequest, asker: Asker, status: number, code: string, durationMs: number): void {
    const nowMs = this.#deps.clock();
    if (Math.floor(nowMs / MINUTE_MS) !== this.#minute) this.#turnMinute(nowMs);
    const durationUs = durationMs * 1_000;
    this.#traffic.count(asker, request.operationName, code, durationUs);
    const { subject } = request;
    if (this.#deps.keepsDemand && subject?.stay !== undefined && status < 400)
      this.#countDemand(subject, subject.stay, asker.partnerId);
    if (!this.#deps.keepsRequests) return;
    const result = { status, code, durationUs };
    this.#recent.add(request, asker, nowMs, result);
    if (!this.#requests.isWanted(status)) return;
    // A row copies texts: one that would be dropped, as in a flood of refusals, is not made.
    if (this.#requests.isFull) this.#meter.rowsDropped += 1;
    else this.#requests.add(requestRow(request, asker, { atMs: nowMs, ...result }));
  }

  recent(filter: RequestFilter): RequestRow[] {
    return this.#recent.find(filter);
  }

  drain() {
    const fromMs = this.#minute * MINUTE_MS;
    const day = utcDay(fromMs);
    return {
      traffic: this.#traffic.drain(fromMs),
      requests: this.#requests.drain(),
      demand: this.#demand.drain(day),
      unknownPlaces: this.#demand.drainUnknownPlaces(day),
      unmet: this.#demand.drainUnmet(day),
    };
  }

  #turnMinute(nowMs: number): void {
    this.onMinuteOver();
    const dayBefore = utcDay(this.#minute * MINUTE_MS);
    this.#minute = Math.floor(nowMs / MINUTE_MS);
    if (utcDay(nowMs) === dayBefore) return;
    this.#traffic.clear();
    this.#demand.clear();
  }

  #countDemand(subject: Subject, stay: NonNullable<Subject['stay']>, partnerId: string): void {
    const { checkIn, checkOut } = stay;
    const { found, page, propertyId } = subject;
    const asked = { partnerId, checkIn, checkOut, guests: subject.guests ?? 1, childAges: subject.childAges };
    if (found !== undefined) {
      if (page === 1) this.#demand.countSearch(asked, found, subject.country);
    } else if (propertyId !== undefined) {
      // Looks are counted as property and stay, also where one request has many.
      for (const lookedAt of subject.propertyIds ?? [propertyId]) {
        const market = this.#deps.marketOf(lookedAt);
        if (market !== undefined) this.#demand.countLook(asked, market);
      }
    }
  }
}

type Result = Pick<RequestRow, 'atMs' | 'status' | 'durationUs'> & { readonly code: string };

function requestRow(
  { correlationId, operationName: operation, subject = {} }: AnsweredRequest,
  { partnerId, credentialId }: Asker,
  { atMs, status, code, durationUs }: Result,
): RequestRow {
  const { city, propertyId, stay, guests, childAges, page, found, quoteId } = subject;
  return {
    atMs,
    correlationId: copyText(correlationId),
    partnerId,
    credentialId,
    operation,
    status,
    code: code === '' ? null : code,
    durationUs: Math.round(durationUs),
    city: city === undefined ? null : copyText(city),
    propertyId: propertyId === undefined ? null : copyText(propertyId),
    checkIn: stay?.checkIn ?? null,
    checkOut: stay?.checkOut ?? null,
    guests: guests ?? null,
    page: page ?? null,
    total: found?.total ?? null,
    quoteId: quoteId ?? null,
    reasons: reasonsText(subject),
    childAges: formatAges(childAges) || null,
  };
}
