/** The code of the last beta, 1.0.0-beta.2, from the history of this repository. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LAST_BETA = '532301f051f587f9f302a9b98730d9270cd011a3';
const ROOT = join(import.meta.dirname, '..', '..');

export interface LastBeta {
  readonly folder: string;
  /** Its `bin/stayport`. */
  readonly bin: string;
  remove(): void;
}

/**
 * Why it can't be had; undefined when it can. A shallow clone lacks it, and an archive has no history at all.
 */
export function lastBetaMissing(): string | undefined {
  try {
    execFileSync('git', ['cat-file', '-e', `${LAST_BETA}^{commit}`], { cwd: ROOT, stdio: 'ignore' });
    return undefined;
  } catch {
    return `git has no ${LAST_BETA} here: run "git fetch --unshallow" in a clone with its history`;
  }
}

/** In a folder of its own, with the packages of this checkout: it needs the same versions of those that `serve` loads. */
export function unpackLastBeta(): LastBeta {
  const folder = mkdtempSync(join(tmpdir(), 'stayport-beta-'));
  const archive = execFileSync(
    'git',
    ['archive', LAST_BETA, 'bin', 'src', 'package.json', 'openapi.json', 'sample'],
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
