/**
 * `npm run bench:collections`: how long does a full garbage collection stop a thread that shares its core with another
 * busy process, by the priority of V8's threads? In turn, each time in a new process; half a minute.
 */
import { join } from 'node:path';
import { BACKGROUND_NICENESS } from '../src/runtime/v8.ts';
import { startChild } from './machine/child.ts';
import { median } from './measure/statistics.ts';

const NICENESSES = [0, BACKGROUND_NICENESS, 19];
const ROUNDS = 5;
const BUSY =
  'process.on("disconnect", () => process.exit()); setInterval(() => { const end = Date.now() + 50; while (Date.now() < end); });';

await main();

async function main(): Promise<void> {
  const stops = new Map<number, number[]>(NICENESSES.map((niceness) => [niceness, []]));
  const busy = startChild({ role: 'server', name: 'busy', args: ['--eval', BUSY] });
  try {
    for (let round = 0; round < ROUNDS; round++) {
      for (const [niceness, found] of stops) found.push(await measure(niceness));
    }
  } finally {
    await busy.stop();
  }
  for (const [niceness, found] of stops) {
    const rounds = found.map((ms) => ms.toFixed(0)).join(' ');
    process.stdout.write(`nice ${niceness}: median ${median(found).toFixed(0)} ms of ${rounds}\n`);
  }
}

/** Milliseconds of the longest mark-compact. */
async function measure(niceness: number): Promise<number> {
  const args = [join(import.meta.dirname, 'collections-process.ts')];
  const child = startChild({ role: 'server', name: 'collections', args });
  try {
    return await child.ask<number>('collect', niceness);
  } finally {
    await child.stop();
  }
}
