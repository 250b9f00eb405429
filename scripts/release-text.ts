/** What a release writes: the next version, and the changelog with its section. */

export interface Release {
  readonly version: string;
  /** YYYY-MM-DD of the last commit. */
  readonly date: string;
  /** First lines of the commits since the last release, oldest first. */
  readonly subjects: readonly string[];
}

const UNRELEASED = '## Unreleased';
const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

/** `patch`, `minor`, `major` or a version above the current one; undefined for anything else. */
export function nextVersion(current: string, wanted: string): string | undefined {
  const now = partsOf(current);
  if (now === undefined) return undefined;
  const [major, minor, patch] = now;
  if (wanted === 'patch') return `${major}.${minor}.${patch + 1}`;
  if (wanted === 'minor') return `${major}.${minor + 1}.0`;
  if (wanted === 'major') return `${major + 1}.0.0`;
  const then = partsOf(wanted);
  return then !== undefined && isAbove(then, now) ? wanted : undefined;
}

/** The changelog with an empty "Unreleased" section, and what was in it under the new version. */
export function changelogFor(text: string, { version, date, subjects }: Release): string {
  const start = text.indexOf(UNRELEASED);
  if (start < 0) throw new Error(`CHANGELOG.md has no section "${UNRELEASED}"`);
  const from = start + UNRELEASED.length;
  const next = text.indexOf('\n## ', from);
  const written = text.slice(from, next < 0 ? undefined : next).trim();
  const missing = subjects.filter((subject) => !written.includes(subject));
  const commits = missing.length === 0 ? '' : `\n\n### Commits\n\n${missing.map((s) => `- ${s}`).join('\n')}`;
  const rest = next < 0 ? '' : text.slice(next).trimEnd();
  return `${text.slice(0, from)}\n\n## ${version} (${date})\n\n${written}${commits}\n${rest}\n`.replace(
    /\n+$/,
    '\n',
  );
}

function partsOf(version: string): [number, number, number] | undefined {
  const match = VERSION.exec(version);
  return match === null ? undefined : [Number(match[1]), Number(match[2]), Number(match[3])];
}

function isAbove(a: readonly number[], b: readonly number[]): boolean {
  const index = a.findIndex((part, at) => part !== b[at]);
  return index >= 0 && (a[index] ?? 0) > (b[index] ?? 0);
}
