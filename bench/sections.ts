/**
 * The sections in the order in which they run. Those with bars come first; of them those that start no large service
 * before the two that do, so that nothing large stands idle beside a measurement.
 */
import type { Section } from './section.ts';
import { activity } from './sections/activity.ts';
import { attacked } from './sections/attacked.ts';
import { beside } from './sections/beside.ts';
import { byHand } from './sections/by-hand.ts';
import { changes } from './sections/changes.ts';
import { conventional } from './sections/conventional.ts';
import { freshness } from './sections/freshness.ts';
import { growth } from './sections/growth.ts';
import { flexible } from './sections/flexible.ts';
import { offers } from './sections/offers.ts';
import { places } from './sections/places.ts';
import { prices } from './sections/prices.ts';
import { scale } from './sections/scale.ts';
import { supply } from './sections/supply.ts';
import { why } from './sections/why.ts';
import { wire } from './sections/wire.ts';
import { world } from './sections/world.ts';
import { workers } from './sections/workers.ts';

export const SECTIONS: readonly Section[] = [
  wire,
  conventional,
  workers,
  supply,
  changes,
  growth,
  prices,
  places,
  flexible,
  why,
  offers,
  beside,
  attacked,
  byHand,
  activity,
  scale,
  freshness,
  world,
];
