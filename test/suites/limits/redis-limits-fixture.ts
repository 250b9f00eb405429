/** Limits in a Redis of a test, closed with it. */
import type { TestContext } from 'node:test';
import { createOwnLimits } from '../../../src/limits/own-limits.ts';
import { openRedisLimits } from '../../../src/limits/redis-limits.ts';
import { parseRedisUrl } from '../../../src/limits/redis-url.ts';
import { fallbackTo, type SharedLimits } from '../../../src/limits/shared-limits.ts';

export interface TestLimitsOptions {
  readonly windowSeconds?: number;
  /** Gets a JSON line for each entry. */
  readonly log?: string[];
}

export async function openTestLimits(
  context: TestContext,
  url: string,
  { windowSeconds = 60, log = [] }: TestLimitsOptions = {},
): Promise<SharedLimits> {
  const parsed = parseRedisUrl(url);
  if (!parsed.ok) throw new Error(parsed.problem);
  const write = (fields: object, message: string): void =>
    void log.push(JSON.stringify({ ...fields, message }));
  const limits = await openRedisLimits({
    address: parsed.address,
    fallback: fallbackTo(createOwnLimits({ windowSeconds })),
    logger: { info: write, warn: write },
    windowSeconds,
  });
  context.after(() => limits.close());
  return limits;
}
