/**
 * Mistakes that stories must find: each is a change of the source's text, made while its module is loaded. A service that
 * made it would lose, show or repeat what it must not.
 */
import { registerHooks } from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Mistake {
  readonly file: string;
  /** Each text stands once in the file. */
  readonly edits: readonly (readonly [right: string, wrong: string])[];
}

const ROOT = join(import.meta.dirname, '..', '..');
const CATALOGUE_FOLLOWER = 'src/read-model/following/catalogue-follower.ts';
const CATALOGUE_FEED = 'src/partner/changes/catalogue-feed.ts';

export const MISTAKES = {
  'a sweep ends on a thread that is behind another one': {
    file: CATALOGUE_FEED,
    edits: [
      [
        'const isWhole = Math.max(readTo.revision, cursor.seen.revision) <= upTo.revision;',
        'const isWhole = true;',
      ],
    ],
  },
  'a revision is published before its rows': {
    file: CATALOGUE_FOLLOWER,
    edits: [
      [
        'while (revision > reached && !signal.aborted) {',
        `if (revision > this.#appliedRevision) {
          lag.apply(revision);
          await this.#pause(true);
        }
        while (revision > reached && !signal.aborted) {`,
      ],
    ],
  },
  'a quote is acknowledged before its commit': {
    file: 'src/partner/quotes/create-quote.ts',
    edits: [
      ['await deps.storage.insertQuote({', 'void deps.storage.insertQuote({'],
      ['isTest: deps.isTest,\n  });', 'isTest: deps.isTest,\n  }).catch(() => undefined);'],
    ],
  },
  'a revocation waits behind the catalogue': {
    file: 'src/read-model/following/access-follower.ts',
    edits: [
      [
        'if (!isSameHistory(newest, this.#history)) await',
        `await storage.readPropertyChanges({ revision: newest.revision, propertyId: '', history: newest }, 1);
        if (!isSameHistory(newest, this.#history)) await`,
      ],
    ],
  },
  'a cursor is bound to no partner': {
    file: 'src/partner/changes/feed-cursor.ts',
    edits: [["${isTest ? 'test' : 'live'}\\n${partnerId}", "${isTest ? 'test' : 'live'}"]],
  },
  'an idempotency key is forgotten at a restart': {
    file: 'src/supply/messages/receive-message.ts',
    edits: [
      ['{ key: idempotencyKey, bodyHash:', '{ key: `${idempotencyKey} ${startOf(deps)}`, bodyHash:'],
      [
        '// Messages in the form that storage accepts.',
        `const starts = new WeakMap();
        let startCount = 0;
        function startOf(deps) {
          if (!starts.has(deps)) starts.set(deps, (startCount += 1));
          return starts.get(deps);
        }`,
      ],
    ],
  },
  'a tombstone is deleted early': {
    file: CATALOGUE_FEED,
    edits: [
      ['storage.forgetViews(nowMs - retentionDays * DAY_MS - LONGER_MS,', 'storage.forgetViews(nowMs,'],
    ],
  },
  'a partner is told that what it never saw is gone': {
    file: 'src/storage/catalogue/change-row.ts',
    edits: [
      [
        "return -view > revision ? 'gone'",
        "return row.contentRevision > revision || -view > revision ? 'gone'",
      ],
    ],
  },
  'a file is loaded that is older than a restore': {
    file: CATALOGUE_FOLLOWER,
    edits: [
      [
        'async #takeSaved({ history, take, refuse }: SavedCatalogue)',
        'async #takeSaved({ history, take, refuse }: any)',
      ],
      [
        'await this.#options.storage.readHistory(history);',
        'history = await this.#options.storage.readHistory(NOTHING_READ);',
      ],
    ],
  },
  'a unit of two sources counts twice': {
    file: 'src/domain/layers.ts',
    edits: [
      [
        'value === undefined ? layerValue : strictest(value, layerValue)',
        'value === undefined ? layerValue : strictest === Math.min ? value + layerValue : strictest(value, layerValue)',
      ],
    ],
  },
  'a webhook is delivered before its answer': {
    file: 'src/partner/webhooks/webhook-sender.ts',
    edits: [
      [
        'result = await post(deps, taken, signal);',
        `await deps.storage.settleDelivery(taken, { kind: 'delivered', status: 204 }, deps.clock());
        result = await post(deps, taken, signal);`,
      ],
    ],
  },
  'partners and credentials are read one after the other': {
    file: 'src/storage/access/sql.ts',
    edits: [
      ['siteSettings] = yield* view([', 'siteSettings] = yield* oneByOne(['],
      [
        '/** All tables and the history, in one view. */',
        `function* oneByOne(texts) {
          const found = [];
          for (const text of texts.toReversed()) found.unshift(yield* rows(text));
          return found;
        }`,
      ],
    ],
  },
  'a traveller is shown what was hidden from the partner': {
    file: 'src/partner/quotes/check-handoff.ts',
    edits: [
      ['found !== undefined && isVisibleTo(found.property, handoff.partnerId) ? found : undefined', 'found'],
    ],
  },
  'a page is built from two versions': {
    file: CATALOGUE_FOLLOWER,
    edits: [
      [
        'await this.#intake.applyAll(page.changes);\n      await this.#publish();',
        `for (const change of page.changes) {
          await this.#intake.applyAll([change]);
          await this.#publish();
          await this.#pause(true);
        }`,
      ],
    ],
  },
  'an import ends before its last batch is stored': {
    file: 'src/supply/run/import-run.ts',
    edits: [['await this.#batches.finish();', 'void this.#batches.finish().catch(() => undefined);']],
  },
  'each thread of a process counts its own limits': {
    file: 'src/limits/own-limits.ts',
    edits: [
      ['createWindowTable(memory.quota, options)', 'createWindowTable(allocateLimits().quota, options)'],
    ],
  },
  'a lost Redis lets everybody through': {
    file: 'src/limits/shared-limits.ts',
    edits: [
      [
        'if (this.#isLost) return this.#events.fallback(request);',
        `const hit = { count: 1, resetAtMs: 0, resetInMs: 0 };
        if (this.#isLost) return { hit, next: hit };`,
      ],
    ],
  },
} as const satisfies Readonly<Record<string, Mistake>>;

export type MistakeName = keyof typeof MISTAKES;

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
export function plant(name: MistakeName): void {
  const mistake: Mistake = MISTAKES[name];
  const path = join(ROOT, mistake.file);
  registerHooks({
    load(url, context, nextLoad) {
      if (!url.endsWith(mistake.file)) return nextLoad(url, context);
      const source = spoil(mistake, readFileSync(path, 'utf8'));
      return { format: 'module-typescript', source, shortCircuit: true };
    },
  });
}
