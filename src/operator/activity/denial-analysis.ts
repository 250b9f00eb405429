/**
 * Judges unmet stays in rounds, a few properties at a time: new ones first, then those of changed cities. One of all
 * processes on a database does it. See docs/decisions/043-unmet-demand.md.
 */
import { shiftAt } from '../../domain/nearest-shifts.ts';
import { foldPlaceName } from '../../domain/place-name.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { ActivityStore, StoredUnmet } from '../../storage/activity/store.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import { countFailure, repeat, type RepeatLogger } from '../../storage/tasks/repeat.ts';
import { CLAIM_MS_LONGEST, type TaskStore } from '../../storage/tasks/store.ts';
import { firstCheckInAt } from './activity-retention.ts';
import { type JudgeQuestion, nearerThan, stayToJudge } from './judge-stored.ts';
import { addJudgements, NOTHING_JUDGED, type StayJudgement } from './unmet-causes.ts';

/** Only the most searched stays are judged; the others are counted. */
export const STAYS_JUDGED_MAX = 500;
/** Stays of one city at once, so that the most searched of a large city don't wait for all others. */
const STAYS_AT_ONCE = 50;
const PROPERTIES_AT_ONCE = 100;
/** Work of one round; a longer city continues in the next one. */
const ROUND_MS_MAX = 3_000;
/** Longer than a round and its pause; renewed with each. */
const CLAIM_MS = 20_000;
/** The least time between two judgements of a busy city. */
const JUDGED_AGAIN_AFTER_MS = 10_000;
/** A new day changes the offered nights. */
const JUDGED_FOR_MS_MAX = 600_000;
const PAUSES = { firstMs: 1_000, roundMs: 5_000 };
const TASK = 'judge unmet demand';

/** Properties of a city that some partner sees. */
export interface CityProperties {
  readonly propertyIds: readonly string[];
  /** Their highest revision. */
  readonly revision: number;
}

export interface DenialAnalysisDeps {
  readonly storage: Pick<TaskStore, 'claimTask'> & Pick<ActivityStore, 'readUnmet' | 'recordJudgements'>;
  readonly clock: Clock;
  readonly logger: RepeatLogger & { warn(fields: object, message: string): void };
  readonly horizonNights: number;
  /** Names this process among all on the database. */
  readonly holder: string;
  /** Whether the catalogue is loaded: only then an absent city has no properties. */
  readonly isReady: () => boolean;
  readonly propertiesOf: (city: string, country: string) => CityProperties;
  readonly judge: (question: JudgeQuestion) => Promise<readonly StayJudgement[]>;
  /** Shorter in tests. */
  readonly pauses?: typeof PAUSES | undefined;
}

export interface DenialAnalysis {
  /** Resolves when no work is running; another process may take over. */
  stop(): Promise<void>;
}

/** The stored form, as JSON text. */
export interface StoredJudgement {
  readonly causes: StayJudgement['causes'];
  /** Absent: judged by an earlier release. */
  readonly blocked?: StayJudgement['blocked'];
  readonly nearest: { readonly checkIn: number; readonly properties: number } | null;
}

export function startDenialAnalysis(deps: DenialAnalysisDeps): DenialAnalysis {
  const { logger, pauses = PAUSES } = deps;
  const stopping = new AbortController();
  const rounds = new Rounds(deps, stopping.signal);
  let isFailing = false;
  const repeated = repeat({
    name: TASK,
    everyMs: pauses.roundMs,
    firstMs: pauses.firstMs,
    logger,
    async round(signal) {
      try {
        await rounds.run();
        isFailing = false;
      } catch (err) {
        // One city that can't be judged must not delay the others.
        if (!signal.aborted && !(err instanceof StorageUnavailable)) countFailure(TASK);
        if (!isFailing && !signal.aborted)
          logger.warn({ err }, 'stays that found nothing are not judged now');
        isFailing = true;
      }
    },
  });
  return {
    async stop() {
      stopping.abort();
      await repeated.stop();
      await rounds.giveBack().catch(() => undefined);
    },
  };
}

/** Stays of one city, on their way through its properties. */
interface Pass {
  readonly stays: readonly StoredUnmet[];
  /** State of the city as the pass saw it. */
  readonly state: string;
  readonly propertyIds: readonly string[];
  done: number;
  judged: readonly StayJudgement[];
}

class Rounds {
  readonly #deps: DenialAnalysisDeps;
  readonly #signal: AbortSignal;
  /** State of its city when a stay was judged. */
  #states = new Map<string, string>();
  /** Stays that failed: others come first, or they would wait for ever. */
  readonly #failed = new Set<string>();
  #pass: Pass | undefined;
  #isHolder = false;

  constructor(deps: DenialAnalysisDeps, signal: AbortSignal) {
    this.#deps = deps;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    if (!this.#deps.isReady()) return;
    await this.#claim(CLAIM_MS);
    if (!this.#isHolder) return;
    const untilMs = performance.now() + ROUND_MS_MAX;
    const hasTime = (): boolean => performance.now() < untilMs && !this.#signal.aborted;
    await this.#finish(hasTime);
    const passes = hasTime() ? this.#findPasses(await this.#readStays()) : [];
    for (const pass of passes) {
      if (!hasTime()) return;
      this.#pass = pass;
      await this.#finish(hasTime);
    }
  }

  /** Lets another process take the task at once. */
  async giveBack(): Promise<void> {
    if (this.#isHolder) await this.#claim(0);
  }

  async #claim(forMs: number): Promise<void> {
    const { storage, clock, holder } = this.#deps;
    const nowMs = clock();
    const term = { nowMs, untilMs: nowMs + forMs, longestMs: CLAIM_MS_LONGEST };
    this.#isHolder = await storage.claimTask(TASK, holder, term);
    // Another process may have judged stays meanwhile.
    if (!this.#isHolder) this.#pass = undefined;
  }

  async #readStays(): Promise<readonly StoredUnmet[]> {
    const { storage, clock } = this.#deps;
    const range = { checkInFrom: firstCheckInAt(clock()), rowsMax: STAYS_JUDGED_MAX };
    const stays = await storage.readUnmet(range);
    const names = new Set(stays.map(nameOf));
    this.#states = new Map([...this.#states].filter(([name]) => names.has(name)));
    for (const name of this.#failed) if (!names.has(name)) this.#failed.delete(name);
    return stays;
  }

  /** Unjudged stays first, the most searched of each city before others. */
  #findPasses(stays: readonly StoredUnmet[]): Pass[] {
    const nowMs = this.#deps.clock();
    const cities = Map.groupBy(stays, ({ city, country }) => `${country} ${foldPlaceName(city)}`);
    const found = [...cities.values()].flatMap((ofCity) => {
      const { city, country } = ofCity[0]!;
      const { propertyIds, revision } = this.#deps.propertiesOf(city, country);
      const state = `${propertyIds.length} ${revision} ${Math.floor(nowMs / JUDGED_FOR_MS_MAX)}`;
      const due = ofCity
        .filter((stay) => this.#isDue(stay, state, nowMs))
        .toSorted((one, other) => (one.judgedAtMs ?? 0) - (other.judgedAtMs ?? 0));
      return Array.from({ length: Math.ceil(due.length / STAYS_AT_ONCE) }, (_, index): Pass => {
        const part = due.slice(index * STAYS_AT_ONCE, (index + 1) * STAYS_AT_ONCE);
        return { stays: part, state, propertyIds, done: 0, judged: part.map(() => NOTHING_JUDGED) };
      });
    });
    const order = ({ stays: [first] }: Pass): number =>
      this.#failed.has(nameOf(first!)) ? nowMs : (first!.judgedAtMs ?? 0);
    return found.toSorted((one, other) => order(one) - order(other));
  }

  #isDue(stay: StoredUnmet, state: string, nowMs: number): boolean {
    if (stay.judgedAtMs === null) return this.#states.get(nameOf(stay)) !== state;
    const isRecent = Math.abs(nowMs - stay.judgedAtMs) < JUDGED_AGAIN_AFTER_MS;
    return !isRecent && this.#states.get(nameOf(stay)) !== state;
  }

  /** Continues the pass while there is time. A failed one starts over in a later round. */
  async #finish(hasTime: () => boolean): Promise<void> {
    const pass = this.#pass;
    if (pass === undefined) return;
    try {
      while (pass.done < pass.propertyIds.length) {
        if (!hasTime()) return;
        await this.#judgeSome(pass);
      }
      await this.#record(pass);
    } catch (error) {
      this.#pass = undefined;
      for (const stay of pass.stays) this.#failed.add(nameOf(stay));
      throw error;
    }
    this.#pass = undefined;
    for (const name of pass.stays.map(nameOf)) {
      this.#states.set(name, pass.state);
      this.#failed.delete(name);
    }
  }

  async #judgeSome(pass: Pass): Promise<void> {
    const { clock, horizonNights, judge } = this.#deps;
    const judged = await judge({
      propertyIds: pass.propertyIds.slice(pass.done, pass.done + PROPERTIES_AT_ONCE),
      stays: pass.stays.map((stay, index) => nearerThan(stayToJudge(stay), pass.judged[index]!)),
      nowMs: clock(),
      horizonNights,
    });
    pass.judged = pass.judged.map((one, index) => addJudgements(one, judged[index]!));
    pass.done += PROPERTIES_AT_ONCE;
  }

  async #record({ stays, judged, propertyIds }: Pass): Promise<void> {
    const judgedAtMs = this.#deps.clock();
    await this.#deps.storage.recordJudgements(
      stays.map(({ city, country, checkIn, nights, guests, childAges }, index) => {
        const { causes, blocked, nearest, isPassed } = judged[index]!;
        const opening = nearest && {
          checkIn: checkIn + shiftAt(nearest.distance),
          properties: nearest.properties,
        };
        const judgement: StoredJudgement = { causes, blocked, nearest: opening };
        const isOver = isPassed && propertyIds.length > 0;
        const text = isOver ? null : JSON.stringify(judgement);
        return { city, country, checkIn, nights, guests, childAges, judgedAtMs, judgement: text };
      }),
    );
  }
}

function nameOf({ city, country, checkIn, nights, guests, childAges }: StoredUnmet): string {
  return `${country} ${city}\n${checkIn} ${nights} ${guests} ${childAges}`;
}
