/**
 * What the sections share: the options, one load process, a temporary folder, databases that are made once, and the
 * list of everything that has to be ended.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CityDatabase, type DatabaseInputs, prepareCityDatabase } from './catalogue/city-database.ts';
import { prepareWorldDatabase, type WorldDatabase } from './catalogue/world-database.ts';
import { type Load, startLoad } from './load/load.ts';
import type { BenchOptions } from './options.ts';

/** The folder is removed in the end. */
export interface Context extends DatabaseInputs {
  readonly load: Load;
  /** Runs in the end, the last one first. */
  onEnd(close: () => Promise<void>): void;
  /** A city of apartments with credentials, made at the first call. */
  cityDatabase(): Promise<CityDatabase>;
  /** A catalogue of many cities, made at the first call. */
  worldDatabase(): Promise<WorldDatabase>;
}

export interface OpenContext extends Context {
  close(): Promise<void>;
}

export async function openContext(options: BenchOptions): Promise<OpenContext> {
  const closers: (() => Promise<void>)[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'stayport-bench-'));
  // PostgreSQL runs as another user when this one is root, and has to get through to its own folder.
  await chmod(folder, 0o711);
  const load = startLoad();
  closers.push(
    () => rm(folder, { recursive: true, force: true }),
    () => load.stop(),
  );
  let city: Promise<CityDatabase> | undefined;
  let world: Promise<WorldDatabase> | undefined;
  const context: OpenContext = {
    options,
    load,
    folder,
    onEnd: (close) => void closers.push(close),
    say: (line) => void process.stderr.write(`${line}\n`),
    cityDatabase: () => (city ??= prepareCityDatabase(context)),
    worldDatabase: () => (world ??= prepareWorldDatabase(context)),
    async close() {
      for (const closer of closers.splice(0).reverse()) await closer();
    },
  };
  return context;
}
