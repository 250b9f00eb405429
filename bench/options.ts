/** The command line of the benchmark. */
import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** Sections to run; all when empty. */
  readonly only: readonly string[];
  /** Minutes become seconds and a million becomes a hundred thousand; good for trying, not for publishing. */
  readonly isQuick: boolean;
  /** Folder with listings.csv.gz and calendar.csv.gz as Inside Airbnb publishes them; else a city is generated. */
  readonly antwerpFolder: string | undefined;
  /** A revision of this project to measure beside this one, with `--only wire`. */
  readonly against: string | undefined;
}

export const USAGE = `npm run bench -- [--only SECTION]... [--quick] [--antwerp FOLDER] [--against REVISION]

  --only SECTION     run this section only; repeat for several; "world" runs only when it is named
  --quick            short runs on small data, to try it out
  --antwerp FOLDER   listings.csv.gz and calendar.csv.gz of Inside Airbnb, Antwerp; else a city like it is generated
  --against REVISION with --only wire: installs that revision beside this one, and measures both in turn
`;

/** The command line again, to be published: a folder of somebody's machine has no name there. */
export function formatCommand({ only, isQuick, antwerpFolder, against }: BenchOptions): string {
  const args = only.flatMap((name) => ['--only', name]);
  if (isQuick) args.push('--quick');
  if (antwerpFolder !== undefined) args.push('--antwerp', 'FOLDER');
  if (against !== undefined) args.push('--against', against);
  return ['npm run bench', ...(args.length === 0 ? [] : ['--', ...args])].join(' ');
}

/** Throws with one line on a wrong option. */
export function parseOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      quick: { type: 'boolean', default: false },
      antwerp: { type: 'string' },
      against: { type: 'string' },
    },
  });
  const { only, quick: isQuick, antwerp: antwerpFolder, against } = values;
  if (against !== undefined && only.join() !== 'wire') throw new Error('--against goes with --only wire');
  return { only, isQuick, antwerpFolder, against };
}
