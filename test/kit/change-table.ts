/** The table "To change X, open Y" of docs/changing.md: which files it names for each change. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface ChangeRow {
  readonly change: string;
  /** As written. */
  readonly paths: readonly string[];
}

const HEADING = '## To change X, open Y';
const ROW = /^\| (?<change>[^|]+) \| (?<places>.+) \|$/;
/** `folder/`, `folder/file.ts`, `file.ts`; not a command, a constant or a word. */
const PATH = /`(?<path>[\w@.-]+(?:\/[\w.-]+)*(?:\/|\.(?:ts|js|md|sql|lua|ndjson)))`/g;

export function readChangeTable(page: string): readonly ChangeRow[] {
  const lines = page.slice(page.indexOf(HEADING)).split('\n');
  // The first is the head.
  return lines
    .map((line) => ROW.exec(line))
    .filter((match) => match !== null)
    .slice(1)
    .map(({ groups: { change = '', places = '' } = {} }) => ({ change, paths: pathsIn(places) }));
}

/** All paths that a text names. */
export function pathsIn(text: string): readonly string[] {
  return [...text.matchAll(PATH)].map((match) => match.groups!['path']!);
}

/**
 * The paths from the root of the repository. Those of `src` are written without it, and a bare file name may stand for
 * a file beside the one before. `undefined` for what is not there.
 */
export function resolvePaths(root: string, paths: readonly string[]): readonly (string | undefined)[] {
  let folder = 'src';
  return paths.map((path) => {
    const candidates = [join('src', path), path, join(folder, path)];
    const found = candidates.find((candidate) => existsSync(join(root, candidate)));
    if (found !== undefined) folder = found.endsWith('/') ? found.slice(0, -1) : dirname(found);
    return found;
  });
}

/** Whether one of the named files is this one, or one of the named folders holds it. */
export function isNamed(path: string, named: readonly (string | undefined)[]): boolean {
  return named.some((one) => one !== undefined && (one.endsWith('/') ? path.startsWith(one) : path === one));
}
