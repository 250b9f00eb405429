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

  --only SECTION     run this section only; repeat for several
  --quick            short runs on small data, to try it out
  --antwerp FOLDER   listings.csv.gz and calendar.csv.gz of Inside Airbnb, Antwerp; else a city like it is generated
`;

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
