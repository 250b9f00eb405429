/** A large catalogue: how long it takes to load and to be ready, what it takes of memory, how fast searches stay. */
import type { LoadReport } from '../load/load-orders.ts';
import { drawWorldSearches } from '../load/world-requests.ts';
import type { Figure, Section } from '../section.ts';
import { worldService } from './world-service.ts';
import { measureSmaller, measureStarts, startFigures } from './world-starts.ts';

const REQUESTS_PER_SECOND = 1000;
const REQUEST_COUNT = 20_000;
const CONNECTIONS = 50;

export const scale: Section = {
  name: 'scale',
  title: 'A generated catalogue in a database, served',
  seconds: { full: 260, quick: 75 },
  async run(context) {
    const database = await context.worldDatabase();
    // Those of several workers first: the last one goes on running for others.
    const starts = await measureStarts(context, database);
    const smaller = await measureSmaller(context);
    const { world, service } = await worldService(context);
    const { residentBytes } = await service.usage();
    const report = await context.load.run({
      port: service.port,
      requests: drawWorldSearches(world, database, REQUEST_COUNT),
      connections: CONNECTIONS,
      warmUpSeconds: 3,
      seconds: context.options.isQuick ? 5 : 20,
      requestsPerSecond: REQUESTS_PER_SECOND,
    });
    const afterwards = await service.usage();
    const { properties, inventoryTypes, loadSeconds, fileBytes } = database;
    return {
      figures: [
        { what: 'properties', value: properties, unit: 'count' },
        { what: 'inventory types', value: inventoryTypes, unit: 'count' },
        { what: 'loaded into SQLite through the storage port', value: loadSeconds, unit: 's' },
        { what: 'database file', value: fileBytes / 2 ** 30, unit: 'GiB' },
        ...startFigures(starts, { readySeconds: service.readySeconds, residentBytes }),
        smaller,
        {
          what: 'resident memory after the searches',
          value: afterwards.residentBytes / 2 ** 30,
          unit: 'GiB',
        },
        ...searchFigures(report),
      ],
      notes: context.options.isQuick ? ['Quick: the bars are for a million properties.'] : [],
      details: { database: { ...database, tokens: undefined, databaseUrl: undefined }, starts, report },
    };
  },
};

function searchFigures({ answersPerSecond, refusals, latencies }: LoadReport): Figure[] {
  return [
    { what: 'searches at a constant rate', value: answersPerSecond, unit: 'requests/s' },
    { what: 'searches refused', value: refusals, unit: 'count', bar: { is: 'at most', value: 0 } },
    { what: 'search p50', value: latencies.p50Ms, unit: 'ms' },
    { what: 'search p99', value: latencies.p99Ms, unit: 'ms' },
    { what: 'search p99.9', value: latencies.p999Ms, unit: 'ms' },
  ];
}
