/**
 * Another revision of this project as a contestant: checked out and installed in a folder of its own, with a database that
 * its own code fills with the same city. It needs the history, git and the registry.
 */
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { CityDatabase, DatabaseInputs, prepareCityDatabase } from '../catalogue/city-database.ts';
import type { startStayport } from './stayport.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');
/** A registry that does not answer ends the benchmark. */
const INSTALL_MS_MAX = 600_000;
const COMMIT = /^[0-9a-f]{40}$/;

/** The revision can't be had here: the message says what is missing. */
export class RevisionMissing extends Error {
  override readonly name = 'RevisionMissing';
}

export interface Revision {
  /** The first eight digits of the commit. */
  readonly name: string;
  readonly city: CityDatabase;
  /** Starts its service by its own code, which knows its settings. */
  readonly start: typeof startStayport;
}

/** The commit that the name means in this checkout. */
export async function findCommit(name: string): Promise<string> {
  try {
    const { stdout } = await run('git', ['rev-parse', '--verify', '--quiet', `${name}^{commit}`], {
      cwd: ROOT,
    });
    const commit = stdout.trim();
    if (COMMIT.test(commit)) return commit;
  } catch {
    // No git, no history, or no such revision: all the same to the caller.
  }
  throw new RevisionMissing(
    `--against: this checkout has no revision "${name}"; it needs git and the history (a clone without --depth)`,
  );
}

/** Below the folder of the benchmark, which is removed in the end. */
export async function prepareRevision(commit: string, inputs: DatabaseInputs): Promise<Revision> {
  const name = commit.slice(0, 8);
  const checkout = join(inputs.folder, `revision-${name}`);
  inputs.say(`  ${name}: checked out and installed`);
  await run('git', ['clone', '--quiet', '--shared', '--no-checkout', ROOT, checkout]);
  await run('git', ['checkout', '--quiet', '--detach', commit], { cwd: checkout });
  try {
    const args = ['ci', '--no-audit', '--no-fund', '--prefer-offline'];
    await run('npm', args, { cwd: checkout, timeout: INSTALL_MS_MAX });
  } catch (error) {
    const [reason] = String((error as { stderr?: unknown }).stderr ?? error).split('\n');
    throw new RevisionMissing(
      `--against: the packages of ${name} can't be installed (${reason}); it needs the registry`,
    );
  }
  const folder = join(inputs.folder, `database-${name}`);
  await mkdir(folder);
  // Its own code, so that its database is one that it can read.
  const filling = await importFrom<{ readonly prepareCityDatabase: typeof prepareCityDatabase }>(
    join(checkout, 'bench', 'catalogue', 'city-database.ts'),
  );
  const starting = await importFrom<{ readonly startStayport: typeof startStayport }>(
    join(checkout, 'bench', 'contestants', 'stayport.ts'),
  );
  const city = await filling.prepareCityDatabase({ ...inputs, folder });
  return { name, city, start: starting.startStayport };
}

async function importFrom<Module>(file: string): Promise<Module> {
  return (await import(pathToFileURL(file).href)) as Module;
}
