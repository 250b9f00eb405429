/**
 * `npm run bench:profile`: a CPU profile of the service for each operation under full load, for the browser's tools
 * and as a list of the costliest functions. Profiles go to `bench/results/*.cpuprofile`, which is not committed.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startStayport } from './contestants/stayport.ts';
import { type OpenContext, openContext } from './context.ts';
import { formatRequest } from './load/recorded-answer.ts';
import { MEASURED_OPERATIONS, recordWanted } from './load/wanted-requests.ts';
import {
  type CpuProfile,
  type ProfileLine,
  summarizeFolders,
  summarizeFunctions,
} from './measure/profile-summary.ts';
import { parseOptions } from './options.ts';

const FOLDER = join(import.meta.dirname, 'results');
const CONNECTIONS = 50;
const WARM_UP_SECONDS = 3;
const SECONDS = 6;
const FUNCTIONS = 40;

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
  for (const operation of MEASURED_OPERATIONS) {
    const { name, connections = CONNECTIONS } = operation;
    if (options.only.length > 0 && !options.only.includes(name)) continue;
    const wanted = await recordWanted(city, operation, port);
    const requests = wanted.requests.map(formatRequest);
    const order = {
      port,
      requests,
      connections,
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
