/** Mistakes of what sources and the operator send. */
import type { Mistakes } from './mistake.ts';

export const SUPPLY_MISTAKES = {
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
  'a unit of two sources counts twice': {
    file: 'src/domain/layers.ts',
    edits: [
      [
        'value === undefined ? layerValue : strictest(value, layerValue)',
        'value === undefined ? layerValue : strictest === Math.min ? value + layerValue : strictest(value, layerValue)',
      ],
    ],
  },
  'an import ends before its last batch is stored': {
    file: 'src/supply/run/import-run.ts',
    edits: [['await this.#batches.finish();', 'void this.#batches.finish().catch(() => undefined);']],
  },
  'a file that replaces others looks at the first page of them': {
    file: 'src/runtime/in-pages.ts',
    edits: [['rows.length < pageSize ? undefined', 'rows.length <= pageSize ? undefined']],
  },
  'the calendar of an agency closes nights for ever': {
    file: 'src/supply/ical/feed-layer.ts',
    edits: [['[closing(name, closed, true)]', '[closing(name, closed, false)]']],
  },
  'a key answers for whatever body comes with it': {
    file: 'src/domain/ledger/planner.ts',
    edits: [["if (known.bodyHash !== idempotency.bodyHash) return { kind: 'key-reused' };", '']],
  },
  'a price by hand does not count': {
    file: 'src/domain/layers.ts',
    edits: [['!prices(priceSource) && prices(MANUAL_SOURCE) ? MANUAL_SOURCE : priceSource', 'priceSource']],
  },
  'an import counts a row twice': {
    file: 'src/supply/run/import-run.ts',
    edits: [['this.counts[outcome] += 1;', 'this.counts[outcome] += outcomes.length;']],
  },
} as const satisfies Mistakes;
