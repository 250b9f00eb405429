/**
 * `npm run soak`: one service under everything at once for some minutes, and what its memory does meanwhile. Prints a
 * line a sample on standard error, and in the end a verdict as text or, with `--json`, everything as JSON.
 */
import { inEnglish } from '../src/domain/wrong.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { issueOperatorToken } from '../src/access/operator-tokens.ts';
import { localToday } from '../src/domain/local-date.ts';
import { systemClock } from '../src/runtime/clock.ts';
import { systemRandom } from '../src/runtime/random.ts';
import { openStorage } from '../src/storage/open.ts';
import { makeWorld } from './catalogue/world.ts';
import type { WorldReport } from './catalogue/world-database.ts';
import { startStayport } from './contestants/stayport.ts';
import { startChild } from './machine/child.ts';
import { judge, printReport, type SoakReport } from './soak/report.ts';
import { type MemorySample, readMemory } from './soak/memory.ts';
import { startTraffic } from './soak/traffic.ts';

const USAGE = `npm run soak -- [options]
  --minutes N      how long the load goes on (10)
  --workers N      threads that serve (2; elsewhere than on Linux 1)
  --properties N   size of the catalogue (3000)
  --share N        share of every rate, 0 to 1 (1)
  --every N        seconds between two samples (15)
  --json           everything as JSON on standard output
Exit code 0: memory is level. 1: it grows, an answer was unexpected, or the time was too short. 2: wrong usage.
`;
const PRELOAD = new URL('soak/memory-preload.ts', import.meta.url).href;
const CITIES = 50;
const READY_SECONDS = 60;
const SOURCE = 'generated';

interface SoakOptions {
  readonly minutes: number;
  readonly workers: number;
  readonly properties: number;
  readonly share: number;
  readonly everySeconds: number;
  readonly isJson: boolean;
}

await main();

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) {
    const isHelp = process.argv.includes('--help');
    process[isHelp ? 'stdout' : 'stderr'].write(USAGE);
    process.exitCode = isHelp ? 0 : 2;
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'stayport-soak-'));
  try {
    const report = await soak(options, folder);
    if (options.isJson) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    else printReport(report);
    if (report.verdict.kind !== 'level') process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function soak(options: SoakOptions, folder: string): Promise<SoakReport> {
  const { workers, properties, share } = options;
  const databasePath = join(folder, 'soak.db');
  const databaseUrl = `sqlite:${databasePath}`;
  // The first timezone in which a day begins: nowhere is this day over.
  const today = localToday('Pacific/Auckland', systemClock()) - 1;
  const tokens = await writeWorld({ databaseUrl, today, properties, cities: CITIES });
  const storage = await openStorage(databaseUrl, { clock: systemClock });
  const service = await startStayport({
    databaseUrl,
    folder,
    workers,
    preload: PRELOAD,
    role: 'any',
    readyWithinSeconds: READY_SECONDS,
    // The import of everything is one body.
    environment: { WEB_PORT: '0', WEB_LIMIT: '0', SUPPLY_BODY_LIMIT_BYTES: String(2 ** 30) },
  });
  try {
    const deps = { storage, clock: systemClock, random: systemRandom };
    const issued = await issueOperatorToken(deps, { name: 'soak', source: SOURCE });
    if (!issued.ok) throw new Error(inEnglish(issued.problem));
    const world = makeWorld(today, CITIES);
    const target = { service, storage, world, today, propertyCount: properties, tokens };
    const traffic = startTraffic({ ...target, operatorToken: issued.value.token }, share);
    const samples = await watch(options, (minutes) => readMemory(service.child, databasePath, minutes));
    await traffic.stop();
    return { options, samples, counts: traffic.counts(), verdict: judge(samples, traffic.counts()) };
  } finally {
    await service.stop();
    await storage.close();
  }
}

async function watch(
  { minutes, everySeconds }: SoakOptions,
  read: (minutes: number) => Promise<MemorySample>,
): Promise<MemorySample[]> {
  const startedAtMs = performance.now();
  const elapsedMinutes = (): number => (performance.now() - startedAtMs) / 60_000;
  const samples: MemorySample[] = [];
  while (elapsedMinutes() < minutes) {
    await delay(everySeconds * 1000);
    const sample = await read(elapsedMinutes());
    samples.push(sample);
    process.stderr.write(`${formatSample(sample)}\n`);
  }
  return samples;
}

function formatSample({ minutes, ...values }: MemorySample): string {
  const parts = Object.entries(values).map(([name, value]) => `${name} ${Math.round(value)}`);
  return `${minutes.toFixed(1)} min: ${parts.join(', ')}`;
}

async function writeWorld(order: {
  readonly databaseUrl: string;
  readonly today: number;
  readonly properties: number;
  readonly cities: number;
}): Promise<readonly string[]> {
  const program = join(import.meta.dirname, 'catalogue', 'world-process.ts');
  const child = startChild({ role: 'any', name: 'world', args: [program] });
  try {
    return (await child.ask<WorldReport>('write', order)).tokens;
  } finally {
    await child.stop();
  }
}

/** Undefined when one of them can't be used. */
function readOptions(args: readonly string[]): SoakOptions | undefined {
  try {
    const number = (value: string): { type: 'string'; default: string } => ({
      type: 'string',
      default: value,
    });
    const { values } = parseArgs({
      args: [...args],
      options: {
        minutes: number('10'),
        workers: number(process.platform === 'linux' ? '2' : '1'),
        properties: number('3000'),
        share: number('1'),
        every: number('15'),
        json: { type: 'boolean', default: false },
      },
    });
    const options = {
      minutes: Number(values.minutes),
      workers: Number(values.workers),
      properties: Number(values.properties),
      share: Number(values.share),
      everySeconds: Number(values.every),
      isJson: values.json,
    };
    const { minutes, workers, properties, share, everySeconds } = options;
    const isPositive = [minutes, workers, properties, share, everySeconds].every((value) => value > 0);
    return isPositive && share <= 1 ? options : undefined;
  } catch {
    return undefined;
  }
}
