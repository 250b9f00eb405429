/** The command line of the benchmark. */
import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** Sections to run; all when empty. */
  readonly only: readonly string[];
  /** Minutes become seconds and a million becomes a hundred thousand; good for trying, not for publishing. */
  readonly isQuick: boolean;
  /** Folder with listings.csv.gz and calendar.csv.gz as Inside Airbnb publishes them; else a city is generated. */
  readonly antwerpFolder: string | undefined;
}

export const USAGE = `npm run bench -- [--only SECTION]... [--quick] [--antwerp FOLDER]

  --only SECTION     run this section only; repeat for several; "world" runs only when it is named
  --quick            short runs on small data, to try it out
  --antwerp FOLDER   listings.csv.gz and calendar.csv.gz of Inside Airbnb, Antwerp; else a city like it is generated
`;

/** The command line again, to be published: a folder of somebody's machine has no name there. */
export function formatCommand({ only, isQuick, antwerpFolder }: BenchOptions): string {
  const args = only.flatMap((name) => ['--only', name]);
  if (isQuick) args.push('--quick');
  if (antwerpFolder !== undefined) args.push('--antwerp', 'FOLDER');
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
    },
  });
  return { only: values.only, isQuick: values.quick, antwerpFolder: values.antwerp };
}
