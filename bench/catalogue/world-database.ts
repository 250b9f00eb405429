/** The generated catalogue in a database, made by a process of its own whose memory goes with it. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../src/runtime/clock.ts';
import { type EpochDay, localToday } from '../../src/domain/local-date.ts';
import type { DatabaseInputs } from './city-database.ts';
import { startChild } from '../machine/child.ts';

export interface WorldOrder {
  readonly databaseUrl: string;
  /** First night of every calendar. */
  readonly today: EpochDay;
  readonly properties: number;
  readonly cities: number;
}

export interface WorldReport {
  readonly loadSeconds: number;
  readonly inventoryTypes: number;
  readonly tokens: readonly string[];
}

export interface WorldDatabase extends WorldOrder, WorldReport {
  readonly fileBytes: number;
}

const FULL = { properties: 1_000_000, cities: 5000 };
const QUICK = { properties: 30_000, cities: 500 };

/** `size` where it is not the one of all sections; `name` is that of its file. */
export async function prepareWorldDatabase(
  { options, folder, say }: DatabaseInputs,
  { name = 'world', size = options.isQuick ? QUICK : FULL } = {},
): Promise<WorldDatabase> {
  const path = join(folder, `${name}.db`);
  // The first timezone in which a day begins: nowhere is this day over.
  const today = localToday('Pacific/Auckland', systemClock()) - 1;
  const order: WorldOrder = {
    databaseUrl: `sqlite:${path}`,
    today,
    ...size,
  };
  const child = startChild({
    role: 'any',
    name: 'world',
    args: [join(import.meta.dirname, 'world-process.ts')],
  });
  try {
    const report = await child.ask<WorldReport>('write', order);
    const { size: fileBytes } = await stat(path);
    say(`  ${order.properties} properties written in ${report.loadSeconds.toFixed(1)} s`);
    return { ...order, ...report, fileBytes };
  } finally {
    await child.stop();
  }
}
