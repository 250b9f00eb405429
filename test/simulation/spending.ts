/** Partners that ask more often than their limits allow: no counter lets more through than they say, and none fewer. */
import type { BothHits } from '../../src/limits/request-limits.ts';
import { PARTNERS } from './base.ts';
import type { ServiceLimits } from './limits.ts';
import { pick } from './quotes.ts';
import type { Process } from './scheduler.ts';
import type { Step } from './story.ts';
import type { World } from './world.ts';

const INGRESS_LIMIT = 9;
const QUOTA = 6;
/** Sent at once by one step. */
const BURST_MAX = 8;

/** What one counter was asked, and what it let through, of one partner. A story is shorter than a window. */
interface Book {
  sent: number;
  passed: number;
}

export class Spending {
  readonly #world: World;
  /** By partner and by who counts: Redis, or a process. */
  readonly #books = new Map<string, Map<Process | 'Redis', Book>>();
  /** How often Redis began with no counts. */
  #redisLives = 1;

  constructor(world: World) {
    this.#world = world;
  }

  async spend([placeNumber, reader, partner, burst]: Step['numbers']): Promise<void> {
    const partnerId = pick(PARTNERS, partner);
    const place = pick(this.#world.places, placeNumber);
    await Promise.all(
      Array.from({ length: 1 + (burst % BURST_MAX) }, () =>
        this.#world.request(place, async ({ readers, process }) => {
          await this.#spendOne(readers[reader % readers.length]!.limits, process, partnerId);
        }),
      ),
    );
  }

  redisForgets(): undefined {
    const { redis, counts } = this.#world;
    if (redis === undefined) return;
    redis.counts.forget();
    this.#redisLives += 1;
    counts.failures += 1;
    this.#world.tell('Redis', 'is started again, and has forgotten its counts');
  }

  async #spendOne(limits: ServiceLimits, process: Process, partnerId: string): Promise<void> {
    const mine = this.#bookOf(partnerId, process);
    const shared = this.#bookOf(partnerId, 'Redis');
    mine.sent += 1;
    shared.sent += 1;
    const { ingress, quota } = await countBoth(limits, partnerId);
    const isPassed = quota !== undefined && quota.count <= QUOTA;
    const isOwn = limits.isOwn(ingress);
    const book = isOwn ? mine : shared;
    const most = QUOTA * (isOwn ? 1 : this.#redisLives);
    const world = this.#world;
    if (isPassed) book.passed += 1;
    world.counts.checks += 1;
    if (book.passed > most)
      world.blame(process.name, `lets ${partnerId} through ${book.passed} times; ${most} are allowed`);
    if (!isPassed && book.sent <= QUOTA)
      world.blame(process.name, `refuses ${partnerId} after ${book.sent} requests; ${QUOTA} are allowed`);
  }

  #bookOf(partnerId: string, counter: Process | 'Redis'): Book {
    const books = this.#books.get(partnerId) ?? new Map<Process | 'Redis', Book>();
    this.#books.set(partnerId, books);
    const book = books.get(counter) ?? { sent: 0, passed: 0 };
    books.set(counter, book);
    return book;
  }
}

/** As the gates count: the quota only of what the other limit let through. */
async function countBoth({ ingress, quota, hitBoth }: ServiceLimits, partnerId: string): Promise<BothHits> {
  if (hitBoth !== undefined) return hitBoth(partnerId, INGRESS_LIMIT, partnerId);
  const hit = await ingress.hit(partnerId);
  return { ingress: hit, quota: hit.count <= INGRESS_LIMIT ? await quota.hit(partnerId) : undefined };
}
