/**
 * `npm run bench:profile`: a CPU profile of the service for each operation under full load, for the browser's tools
 * and as a list of the costliest functions. Profiles go to `bench/results/*.cpuprofile`, which is not committed.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startStayport } from './contestants/stayport.ts';
import { type OpenContext, openContext } from './context.ts';
import {
  type Draw,
  drawAvailability,
  drawProperty,
  drawQuote,
  drawRequests,
  drawSearch,
} from './load/city-requests.ts';
import { formatRequest } from './load/recorded-answer.ts';
import { seedRandom } from './measure/random.ts';
import {
  type CpuProfile,
  type ProfileLine,
  summarizeFolders,
  summarizeFunctions,
} from './measure/profile-summary.ts';
import { parseOptions } from './options.ts';
import { SEED } from './seed.ts';

const FOLDER = join(import.meta.dirname, 'results');
const REQUEST_COUNT = 2000;
const CONNECTIONS = 50;
const WARM_UP_SECONDS = 3;
const SECONDS = 6;
const FUNCTIONS = 40;

const DRAWS: Readonly<Record<string, Draw>> = {
  search: drawSearch,
  property: drawProperty,
  availability: drawAvailability,
  quote: drawQuote,
};

const opened = await openContext(parseOptions(process.argv.slice(2)));
try {
  await profileAll(opened);
} finally {
  await opened.close();
}

async function profileAll(context: OpenContext): Promise<void> {
  const { folder, load, options } = context;
  const city = await context.cityDatabase();
  const { databaseUrl } = city;
  const { child, port } = await startStayport({ databaseUrl, folder, readyWithinSeconds: 30 });
  context.onEnd(() => child.stop());
  await mkdir(FOLDER, { recursive: true });
  for (const [name, draw] of Object.entries(DRAWS)) {
    if (options.only.length > 0 && !options.only.includes(name)) continue;
    const requests = drawRequests(seedRandom(SEED), city, draw, REQUEST_COUNT).map(formatRequest);
    const order = {
      port,
      requests,
      connections: CONNECTIONS,
      requestsPerSecond: 'asFastAsPossible',
    } as const;
    await load.run({ ...order, warmUpSeconds: WARM_UP_SECONDS, seconds: 0 });
    await child.ask('startProfile');
    await load.run({ ...order, warmUpSeconds: 0, seconds: SECONDS });
    const profile = JSON.parse(await child.ask<string>('stopProfile')) as CpuProfile;
    await writeFile(join(FOLDER, `${name}.cpuprofile`), JSON.stringify(profile));
    const lines = [...summarizeFolders(profile), ...summarizeFunctions(profile, FUNCTIONS)];
    process.stdout.write(`\n${name}\n${lines.map(formatLine).join('\n')}\n`);
  }
}

function formatLine({ share, place }: ProfileLine): string {
  return `${(share * 100).toFixed(1).padStart(6)} %  ${place}`;
}
