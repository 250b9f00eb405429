/** Two processes against one, on two cores. */
import type { Section } from '../section.ts';

export const workers: Section = {
  name: 'workers',
  title: 'WORKERS=2 against WORKERS=1',
  seconds: { full: 0, quick: 0 },
  run: () =>
    Promise.resolve({
      figures: [],
      notes: ['Not measured: this version of the service runs as one process.'],
      details: undefined,
    }),
};
