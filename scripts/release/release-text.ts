/** Writes a release into the project: the next version everywhere, and the changelog with its section. */
import { gt, inc, valid } from 'semver';

export interface Release {
  readonly version: string;
  /** YYYY-MM-DD of the last commit. */
  readonly date: string;
  /** First lines of the commits since the last release, oldest first; none in a package's own changelog. */
  readonly subjects: readonly string[];
}

const UNRELEASED = '## Unreleased';

/** `patch`, `minor`, `major` or a version above the current one, also `1.0.0-beta.1`; undefined for anything else. */
export function nextVersion(current: string, wanted: string): string | undefined {
  if (wanted === 'patch' || wanted === 'minor' || wanted === 'major')
    return inc(current, wanted) ?? undefined;
  return valid(wanted) === wanted && gt(wanted, current) ? wanted : undefined;
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

/** The section of one version with its heading; of a version without one, what is unreleased. */
export function changesOf(changelog: string, version: string): string {
  const heading = [`\n## ${version} (`, `\n${UNRELEASED}`].find((text) => changelog.includes(text));
  if (heading === undefined) throw new Error(`CHANGELOG.md has neither "## ${version}" nor "${UNRELEASED}"`);
  const start = changelog.indexOf(heading);
  const next = changelog.indexOf('\n## ', start + 1);
  return `${changelog.slice(start, next < 0 ? undefined : next).trim()}\n`;
}

/** `package.json`, or `package-lock.json` with the same version for the named workspaces. */
export function withVersion(json: string, version: string, workspaces: readonly string[] = []): string {
  const manifest = JSON.parse(json) as {
    version: string;
    packages?: Record<string, { version: string }>;
  };
  manifest.version = version;
  for (const path of ['', ...workspaces]) {
    const entry = manifest.packages?.[path];
    if (entry !== undefined) entry.version = version;
  }
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
