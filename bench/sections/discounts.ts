/** What discounts cost a quote: twenty that all apply against none. */
import { join } from 'node:path';
import { startChild } from '../machine/child.ts';
import type { Section } from '../section.ts';
import type { DiscountTimes } from './discounts-process.ts';

const DEARER_MAX = 1.03;
const ROUNDS = { full: 101, quick: 51 };

export const discounts: Section = {
  name: 'discounts',
  title: 'A quote with twenty discounts against one without, inside the process',
  seconds: { full: 20, quick: 12 },
  async run(context) {
    const child = startChild({
      role: 'server',
      name: 'discounts',
      args: [join(import.meta.dirname, 'discounts-process.ts')],
    });
    context.onEnd(() => child.stop());
    const rounds = context.options.isQuick ? ROUNDS.quick : ROUNDS.full;
    const times = await child.ask<DiscountTimes>('time', { folder: context.folder, rounds });
    await child.stop();
    return {
      figures: [
        {
          what: 'quote with twenty discounts against one without, processor time',
          value: times.quoteRatio,
          unit: 'ratio',
          bar: { is: 'at most', value: DEARER_MAX },
        },
        { what: 'quote without discounts, processor time', value: times.quoteMicros, unit: 'us' },
        { what: 'its decision and price alone', value: times.decisionMicros, unit: 'us' },
        { what: 'the same with twenty discounts', value: times.discountedDecisionMicros, unit: 'us' },
      ],
      notes: [
        'Seven nights, three guests, two types, two taxes; SQLite; a quote is everything but HTTP, all threads counted. All twenty discounts apply.',
      ],
      details: times,
    };
  },
};
