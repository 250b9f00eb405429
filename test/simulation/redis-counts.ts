/** Counts of a story in a real Redis, by the text of the service's script, which takes the story's time for its own. */
import { Redis } from 'ioredis';
import { SCRIPT, scriptCounter } from '../../src/limits/redis-limits.ts';
import { type Counted, type CountRequest, WINDOW_SECONDS } from '../../src/limits/request-limits.ts';
import type { RedisCounts } from './limits.ts';
import { standStill } from './scheduler.ts';

/**
 * Before the script: its `redis` answers TIME by the last argument, Unix ms, which the script doesn't see, and passes
 * everything else through. Expiry stays by the server's own clock. A key can expire only a whole window of real time
 * after it was set, long after its story has ended; and a window whose end has passed in the story counts as ended, as
 * long as its key may stay.
 */
const WITH_TIME = `
  local redis = (function (real, now_ms)
    local function call(command, ...)
      if command ~= 'TIME' then return real.call(command, ...) end
      return { string.format('%.0f', math.floor(now_ms / 1000)), string.format('%.0f', now_ms % 1000 * 1000) }
    end
    return { call = call }
  end)(redis, tonumber(table.remove(ARGV)))
`;

export class RealCounts implements RedisCounts {
  readonly #redis: Redis;

  constructor(url: string) {
    this.#redis = new Redis(url);
  }

  forget(): void {
    void standStill(() => this.#redis.flushall());
  }

  count(requests: readonly CountRequest[], nowMs: number): Promise<readonly Counted[]> {
    const counter = scriptCounter(
      async (keys, args) => {
        const text = WITH_TIME + SCRIPT;
        return (await this.#redis.eval(text, keys.length, ...keys, ...args, nowMs)) as readonly number[];
      },
      0,
      WINDOW_SECONDS * 1_000,
    );
    return standStill(() => counter.count(requests));
  }

  close(): void {
    this.#redis.disconnect();
  }
}
