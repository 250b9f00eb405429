/** Checks whether the next start can use the saved catalogue, and whether it can be written. */
import { type CatalogueFileFacts, type Check, fail, type Finding, ok, warn } from './check.ts';

const OF_OTHERS = 0o077;
const MS_PER_MINUTE = 60_000;

export const CATALOGUE_FILE_CHECK: Check = {
  name: 'catalogue file',
  async run({ catalogueFile }) {
    const facts = await catalogueFile;
    return facts === undefined ? ok('none is kept: each start reads the database') : judge(facts);
  },
};

function judge({ path, isSet, problem, found }: CatalogueFileFacts): Finding {
  if (problem !== undefined) {
    const fix = 'name a path in CATALOGUE_FILE whose folder the user of the service may write';
    return isSet
      ? fail(`${path} can not be written, so the service does not start: ${problem}`, fix)
      : warn(`${path} can not be written, so each start reads the database: ${problem}`, fix);
  }
  if (found === undefined)
    return ok(`${path} is not there yet: the service writes it when it stops, and every ten minutes`);
  if (process.platform !== 'win32' && (found.mode & OF_OTHERS) !== 0)
    return warn(
      `other users may read or write ${path} (mode ${(found.mode & 0o777).toString(8)}); one that they may write is not used`,
      `chmod 600 ${path}`,
    );
  if (found.unfitness !== undefined)
    return warn(
      `the next start does not use ${path} and reads the database: it ${found.unfitness}`,
      'nothing if that is expected: the service writes it again; where several services share the path, set CATALOGUE_FILE for each',
    );
  return ok(`${path} was saved ${Math.floor(found.ageMs / MS_PER_MINUTE)} minutes ago`);
}
