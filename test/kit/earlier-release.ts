/** The code of the release before this one, from the history of this repository. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const EARLIER_RELEASE = '1488e62';
const ROOT = join(import.meta.dirname, '..', '..');

export interface EarlierRelease {
  readonly folder: string;
  /** Its `bin/stayport`. */
  readonly bin: string;
  remove(): void;
}

/**
 * Why it can't be had; undefined when it can. A shallow clone lacks it, and an archive has no history at all.
 */
export function earlierReleaseMissing(): string | undefined {
  try {
    execFileSync('git', ['cat-file', '-e', `${EARLIER_RELEASE}^{commit}`], { cwd: ROOT, stdio: 'ignore' });
    return undefined;
  } catch {
    return `git has no ${EARLIER_RELEASE} here: run "git fetch --unshallow" in a clone with its history`;
  }
}

/** In a folder of its own, with the packages of this checkout: it needs the same versions of those that `serve` loads. */
export function unpackEarlierRelease(): EarlierRelease {
  const folder = mkdtempSync(join(tmpdir(), 'stayport-earlier-'));
  const archive = execFileSync(
    'git',
    ['archive', EARLIER_RELEASE, 'bin', 'src', 'package.json', 'openapi.json', 'sample'],
    {
      cwd: ROOT,
      maxBuffer: 256 * 1024 * 1024,
    },
  );
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return {
    folder,
    bin: join(folder, 'bin', 'stayport'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
