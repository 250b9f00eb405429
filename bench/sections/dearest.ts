/** The dearest valid search against an ordinary one: how much of the event loop one partner can take from another. */
import { join } from 'node:path';
import type { Context } from '../context.ts';
import { startChild } from '../machine/child.ts';
import type { Figure, Section } from '../section.ts';
import type { Region, Timed } from './dearest-kinds.ts';

const DEARER_MAX = 5;

const REGIONS: readonly (Region & { readonly what: string })[] = [
  { what: '280 towns of one name', towns: 280, properties: 100_800, isInterleaved: true },
  { what: '280 towns, one behind the other', towns: 280, properties: 100_800, isInterleaved: false },
  { what: 'one city', towns: 1, properties: 100_800, isInterleaved: true },
];
const PROPERTIES_QUICK = 10_080;

export const dearest: Section = {
  name: 'dearest',
  title: 'The dearest valid search against the first page',
  seconds: { full: 60, quick: 15 },
  async run(context) {
    const figures: Figure[] = [];
    const details: unknown[] = [];
    for (const region of REGIONS) {
      const found = await findDearest(context, region);
      figures.push(...figuresOf(region.what, found));
      details.push({ ...region, ...found });
    }
    return {
      figures,
      notes: [
        'The first page is a week for two, 50 items. Searched for the dearest: with and without dates (1, 7 and 60 nights), guests, country, both kinds of partner, two page sizes, pages from the first to far behind the last.',
      ],
      details,
    };
  },
};

interface Found {
  readonly dearest: Timed;
  readonly first: Timed;
  /** The first page of the dearest kind. */
  readonly ownFirst: Timed;
}

async function findDearest(context: Context, region: Region): Promise<Found> {
  const child = startChild({
    role: 'server',
    name: 'dearest',
    args: [join(import.meta.dirname, 'dearest-process.ts')],
  });
  context.onEnd(() => child.stop());
  const properties = context.options.isQuick ? PROPERTIES_QUICK : region.properties;
  await child.ask('addRegion', { ...region, properties });
  const found = await child.ask<Found>('findDearest');
  await child.stop();
  return found;
}

function figuresOf(what: string, found: Found): Figure[] {
  const { query, micros } = found.dearest;
  const nights = query.stay === undefined ? 'no dates' : `${query.stay.checkOut - query.stay.checkIn} nights`;
  return [
    { what: `${what}: first page, median`, value: found.first.micros, unit: 'us' },
    {
      what: `${what}: dearest (${nights}, page ${query.page} of ${query.pageSize})`,
      value: micros,
      unit: 'us',
    },
    {
      what: `${what}: dearest valid request against the first page`,
      value: micros / found.first.micros,
      unit: 'ratio',
      bar: { is: 'at most', value: DEARER_MAX },
    },
    {
      what: `${what}: against the first page of its own kind`,
      value: micros / found.ownFirst.micros,
      unit: 'ratio',
    },
  ];
}
