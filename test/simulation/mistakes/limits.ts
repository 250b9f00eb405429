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
  'a Redis that is back is not asked again': {
    file: 'src/limits/shared-limits.ts',
    edits: [['this.#isLost = false;\n      this.#events.onBack();', 'this.#events.onBack();']],
  },
  'what waited for a lost Redis is let through': {
    file: 'src/limits/shared-limits.ts',
    edits: [
      [
        'for (const { request, resolve } of unanswered) resolve(this.#events.fallback(request));',
        `const hit = { count: 1, resetAtMs: 0, resetInMs: 0 };
        for (const { resolve } of unanswered) resolve({ hit, next: hit });`,
      ],
    ],
  },
} as const satisfies Mistakes;
