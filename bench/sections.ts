/** The sections in the order in which they run; what the bars lean on most comes first. */
import type { Section } from './section.ts';
import { conventional } from './sections/conventional.ts';
import { freshness } from './sections/freshness.ts';
import { generator } from './sections/generator.ts';
import { growth } from './sections/growth.ts';
import { scale } from './sections/scale.ts';
import { wire } from './sections/wire.ts';
import { workers } from './sections/workers.ts';

export const SECTIONS: readonly Section[] = [
  generator,
  wire,
  conventional,
  scale,
  freshness,
  growth,
  workers,
];
