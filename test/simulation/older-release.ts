/** An older release beside the services, which registers itself: what it does not know waits for its end. */
import { startRegister } from '../../src/app/service/process-register.ts';
import { TERMS_SINCE } from '../../src/storage/new-fields.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { Process } from './scheduler.ts';
import type { Step } from './story.ts';
import { reachAs } from './truth.ts';
import type { World } from './world.ts';

/** Between two looks at who serves. */
export const REGISTER_MS = 40;
/** Until the next look is over. */
const LOOKED_MS = REGISTER_MS + 60;
/** After a restore: a look finds that its row is lost, the next one writes it, another one finds it. */
export const RESTORED_MS = 3 * LOOKED_MS;
const SERVES_MS_MAX = 2_000;
/** From the look at who serves to the commit, where nothing is slow. */
const CHECKED_MS_MAX = 250;

/** Migrations that releases know: without discounts, and without the newest terms of prices. */
const BEFORE_DISCOUNTS = 9;
const BEFORE_TERMS = TERMS_SINCE - 1;

export class OlderReleases {
  readonly #world: World;
  #serving: Promise<void> | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  /** One at a time. */
  async serve([which, forMs]: Step['numbers']): Promise<void> {
    if (this.#serving !== undefined) return;
    this.#serving = this.#serve(which % 2 === 0 ? BEFORE_DISCOUNTS : BEFORE_TERMS, forMs % SERVES_MS_MAX);
    await this.#serving;
    this.#serving = undefined;
  }

  async #serve(knows: number, forMs: number): Promise<void> {
    const world = this.#world;
    const process = new Process(world.scheduler, 'older release');
    const { storage } = world.truth;
    const older: Parameters<typeof startRegister>[0]['storage'] = {
      async registerProcess(running, nowMs) {
        await storage.registerProcess(running, nowMs);
        world.truth.setKnows(running.processId, knows);
      },
      forgetProcess: (processId) => storage.forgetProcess(processId),
      readProcesses: (nowMs) => storage.readProcesses(nowMs),
      schemaState: () => storage.schemaState(),
    };
    const register = await world
      .within(process, () =>
        startRegister({
          storage: reachAs(world.network, process, older) as Storage,
          clock: process.wallMs,
          logger: { info: ignore, warn: ignore, error: ignore },
          roundMs: REGISTER_MS,
          place: { machine: process.name, pid: 1 },
        }),
      )
      // The database is away: it does not start.
      .catch(() => undefined);
    if (register === undefined) return;
    world.tell(process.name, `serves that knows migration ${knows}`);
    world.older = { knows, sinceMs: world.nowMs };
    await world.sleep(forMs);
    world.older = undefined;
    await world.within(process, () => register.stop());
    world.end(process);
    world.tell(process.name, 'has ended');
  }

  /** All have ended; rows that their ends could not remove have become too old. */
  async settle(): Promise<void> {
    const { truth, network, clients, story } = this.#world;
    if (!story.hasOlder) return;
    await this.#serving;
    const late = { forgetOlder: async () => truth.forgetOlder() };
    await (reachAs(network, clients, late) as typeof late).forgetOlder();
    this.#world.noteReleases();
  }
}

function ignore(): void {}

/** Whether prices that a service shows now have discounts: both, while it may not know who serves. */
export function discountsOf(world: World): readonly boolean[] {
  const { older, releases, story, nowMs } = world;
  if (!story.hasOlder) return [true];
  const hasLookedSince = (atMs: number): boolean => nowMs > Math.max(atMs + LOOKED_MS, seenAgainMs(world));
  if (older !== undefined && older.knows < BEFORE_TERMS && hasLookedSince(older.sinceMs)) return [false];
  return releases.oldest > BEFORE_DISCOUNTS && hasLookedSince(releases.atMs) ? [true] : [true, false];
}

/** A term that an older release does not know was committed beside it. */
export function isTooEarly(world: World): boolean {
  const { older, nowMs } = world;
  return older !== undefined && nowMs > Math.max(older.sinceMs, seenAgainMs(world)) + CHECKED_MS_MAX;
}

/**
 * The true time by which everybody is seen again. A service that froze while it wrote has kept all others from it: the
 * model of PostgreSQL has one lock for all writers.
 */
function seenAgainMs({ restoredAtMs, way, places }: World): number {
  return (
    Math.max(restoredAtMs, way.fullUntilMs, ...places.map((place) => place.disturbedUntilMs)) + RESTORED_MS
  );
}
