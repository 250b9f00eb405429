/** All mistakes that are planted, and how. */
import { registerHooks } from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ACCESS_MISTAKES } from './mistakes/access.ts';
import { STRANGE_ACCESS } from './mistakes/by-a-stranger-access.ts';
import { STRANGE_MEMORY } from './mistakes/by-a-stranger-memory.ts';
import { STRANGE_NEWS } from './mistakes/by-a-stranger-news.ts';
import { STRANGE_PRICES } from './mistakes/by-a-stranger-prices.ts';
import { STRANGE_QUOTES } from './mistakes/by-a-stranger-quotes.ts';
import { STRANGE_STORAGE } from './mistakes/by-a-stranger-storage.ts';
import { STRANGE_SUPPLY } from './mistakes/by-a-stranger-supply.ts';
import { CONNECTION_MISTAKES } from './mistakes/connections.ts';
import { FEED_MISTAKES } from './mistakes/feed.ts';
import { FEEDS_MISTAKES } from './mistakes/feeds.ts';
import { LIMITS_MISTAKES } from './mistakes/limits.ts';
import { MEMORY_MISTAKES } from './mistakes/memory.ts';
import type { Mistake, Mistakes } from './mistakes/mistake.ts';
import { QUOTES_MISTAKES } from './mistakes/quotes.ts';
import { SUPPLY_MISTAKES } from './mistakes/supply.ts';
import { WEBHOOKS_MISTAKES } from './mistakes/webhooks.ts';

const ROOT = join(import.meta.dirname, '..', '..');

export const MISTAKES: Mistakes = {
  ...FEED_MISTAKES,
  ...MEMORY_MISTAKES,
  ...ACCESS_MISTAKES,
  ...QUOTES_MISTAKES,
  ...SUPPLY_MISTAKES,
  ...WEBHOOKS_MISTAKES,
  ...LIMITS_MISTAKES,
  ...FEEDS_MISTAKES,
  ...CONNECTION_MISTAKES,
  ...STRANGE_ACCESS,
  ...STRANGE_MEMORY,
  ...STRANGE_NEWS,
  ...STRANGE_PRICES,
  ...STRANGE_QUOTES,
  ...STRANGE_STORAGE,
  ...STRANGE_SUPPLY,
};

/** The text with the mistake. Throws if the source has changed, so that the mistake would no longer be made. */
export function spoil({ file, edits }: Mistake, source: string): string {
  let text = source;
  for (const [right, wrong] of edits) {
    if (text.split(right).length !== 2) throw new Error(`${file} does not have once: ${right}`);
    text = text.replace(right, () => wrong);
  }
  return text;
}

/** Modules that are loaded from now on have the mistake. */
export function plant(name: string): void {
  const mistake = MISTAKES[name]!;
  const path = join(ROOT, mistake.file);
  registerHooks({
    load(url, context, nextLoad) {
      if (!url.endsWith(mistake.file)) return nextLoad(url, context);
      const source = spoil(mistake, readFileSync(path, 'utf8'));
      return { format: 'module-typescript', source, shortCircuit: true };
    },
  });
}
