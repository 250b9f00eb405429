/** Compares a script of requests, by its own account, with the reports of a database. */
import assert from 'node:assert/strict';
import { reportDemand } from '../../src/operator/activity/demand-report.ts';
import { reportTraffic } from '../../src/operator/activity/traffic-report.ts';
import { SAMPLE_ONE_IN } from '../../src/operator/activity/recent-requests.ts';
import { type EpochDay, formatIsoWeek, formatLocalDate, isoWeekOf } from '../../src/domain/local-date.ts';
import type { Storage } from '../../src/storage/storage.ts';

const ROWS_MAX = 1_000_000;
const NIGHT_BANDS = ['1', '2', '3-4', '5-7', '8-14', '15-60'];
const GUEST_BANDS = ['1-2', '3-4', '5-8', '9-30'];
/** Standard deviations of the number of samples. */
const DEVIATIONS_MAX = 6;

/** Numbers by what they are numbers of. */
export class Tally {
  readonly byName = new Map<string, number>();

  add(names: readonly unknown[], count = 1): void {
    if (count === 0) return;
    const name = names.join(' ');
    this.byName.set(name, (this.byName.get(name) ?? 0) + count);
  }

  get sum(): number {
    return [...this.byName.values()].reduce((sum, count) => sum + count, 0);
  }

  sorted(): readonly (readonly [string, number])[] {
    return [...this.byName].toSorted(([one], [other]) => (one < other ? -1 : 1));
  }
}

export interface BookedStay {
  readonly checkIn: EpochDay;
  readonly nights: number;
  readonly guests: number;
}

export interface BookedAnswer {
  /** UTC, when it was given. */
  readonly day: EpochDay;
  readonly partnerId: string;
  readonly credentialId: string;
  readonly operation: string;
  readonly status: number;
  readonly code: string | null;
  readonly correlationId: string;
}

/** Week of arrival and both bands, by the words of the manual. */
export function namesOfStay({ checkIn, nights, guests }: BookedStay): readonly string[] {
  return [formatIsoWeek(isoWeekOf(checkIn)), bandOf(NIGHT_BANDS, nights), bandOf(GUEST_BANDS, guests)];
}

export class ActivityBook {
  readonly traffic = new Tally();
  readonly searches = new Tally();
  readonly empty = new Tally();
  readonly looks = new Tally();
  readonly unknown = new Tally();
  /** By correlation id: status and code of what is kept one by one. */
  readonly kept = new Map<string, string>();
  readonly #others = new Set<string>();

  answered(answer: BookedAnswer): void {
    const { day, partnerId, credentialId, operation, status, code, correlationId } = answer;
    this.traffic.add([formatLocalDate(day), partnerId, credentialId, operation, code]);
    const isKept = (status >= 400 && status !== 429) || status === 201;
    if (isKept) this.kept.set(correlationId, `${status} ${code}`);
    else if (status !== 429) this.#others.add(correlationId);
  }

  searched(day: EpochDay, place: string, stay: BookedStay, partnerId: string, isEmpty: boolean): void {
    const names = [formatLocalDate(day), place, ...namesOfStay(stay), partnerId];
    this.searches.add(names);
    if (isEmpty) this.empty.add(names);
  }

  looked(day: EpochDay, place: string, stay: BookedStay, partnerId: string): void {
    this.looks.add([formatLocalDate(day), place, ...namesOfStay(stay), partnerId]);
  }

  /** Throws where a report says anything else. */
  async compare(storage: Storage, days: { readonly from: EpochDay; readonly to: EpochDay }): Promise<void> {
    const range = { ...days, rowsMax: ROWS_MAX };
    const traffic = new Tally();
    for (const row of await reportTraffic(storage, range)) {
      const { from, partnerId, credentialId, operation, code, count } = row;
      traffic.add([from.slice(0, 10), partnerId, credentialId, operation, code], count);
    }
    assert.deepEqual(traffic.sorted(), this.traffic.sorted(), 'traffic');
    const found = { searches: new Tally(), empty: new Tally(), looks: new Tally() };
    for (const row of await reportDemand(storage, range)) {
      const names = [row.day, row.city, row.country, row.arrivalWeek, row.nights, row.guests, row.partnerId];
      for (const kind of ['searches', 'empty', 'looks'] as const) found[kind].add(names, row[kind]);
    }
    for (const kind of ['searches', 'empty', 'looks'] as const)
      assert.deepEqual(found[kind].sorted(), this[kind].sorted(), kind);
    const unknown = new Tally();
    for (const { place, searches } of await storage.readUnknownPlaces({ ...range, searchesMin: 1 }))
      unknown.add([place], searches);
    assert.deepEqual(unknown.sorted(), this.unknown.sorted(), 'unknown places');
    await this.#compareRequests(storage);
  }

  async #compareRequests(storage: Storage): Promise<void> {
    const rows = await storage.readRequests({ limit: ROWS_MAX });
    const kept = rows.filter(({ correlationId }) => this.kept.has(correlationId));
    assert.equal(kept.length, this.kept.size, 'each refusal and each quote, once');
    for (const { correlationId, status, code } of kept)
      assert.equal(`${status} ${code}`, this.kept.get(correlationId));
    const samples = rows.filter(({ correlationId }) => !this.kept.has(correlationId));
    assert.ok(samples.every(({ correlationId }) => this.#others.has(correlationId)));
    const expected = this.#others.size / SAMPLE_ONE_IN;
    assert.ok(
      Math.abs(samples.length - expected) < DEVIATIONS_MAX * Math.sqrt(expected) + 1,
      `${samples.length} of ${this.#others.size} others`,
    );
  }
}

function bandOf(bands: readonly string[], value: number): string {
  return bands.find((band) => {
    const [first, last = first] = band.split('-').map(Number);
    return value >= first! && value <= last!;
  })!;
}
