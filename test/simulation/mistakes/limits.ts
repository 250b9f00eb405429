/** Mistakes of limits. */
import type { Mistakes } from './mistake.ts';

export const LIMITS_MISTAKES = {
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
} as const satisfies Mistakes;
