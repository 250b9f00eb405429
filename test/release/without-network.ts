/**
 * A program in a network of its own that has loopback and nothing else, as a user who owns one folder, with an
 * environment that is empty. Linux as root, with `unshare`, `setpriv` and `ip`.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { programsMissing } from '../kit/system-programs.ts';

/** Of `nobody` on most systems; whether the name exists does not matter. */
export const STRANGER = 65_534;
/** Before a command: runs it as that user, without any way to get rights. */
export const AS_STRANGER = `setpriv --reuid=${STRANGER} --regid=${STRANGER} --clear-groups --no-new-privs`;

export interface Isolated {
  readonly child: ChildProcess;
  readonly printed: { stdout: string; stderr: string };
  readonly ended: Promise<number | null>;
  /** What a shell command prints inside the same network, run by the machine's own user. */
  shell(command: string): string;
}

/** Why it can't be done here, as the reason for which tests are skipped; false when it can. */
export function isolationMissing(): string | false {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux';
  const missing = programsMissing('ip');
  if (missing !== false) return missing;
  const tried = spawnSync('unshare', ['--net', 'sh', '-c', `ip link set lo up && ${AS_STRANGER} true`]);
  return tried.status !== 0 && 'no network of its own (unshare --net, setpriv)';
}

/** `environment` is all that the program gets; PATH is empty. */
export function startIsolated(
  program: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>> = {},
): Isolated {
  const variables = Object.entries({ PATH: '', ...environment }).map(([name, value]) => `${name}=${value}`);
  // All of these replace themselves by the next: the program has the process id of the child.
  const inside = `ip link set lo up && exec ${AS_STRANGER} env -i "$@"`;
  const child = spawn('unshare', ['--net', 'sh', '-c', inside, 'sh', ...variables, ...program], { cwd });
  const printed = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed.stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (printed.stderr += chunk));
  const ended = once(child, 'close').then(() => child.exitCode);
  const shell = (command: string): string =>
    execFileSync('nsenter', [`--net=/proc/${child.pid}/ns/net`, 'sh', '-c', command], { encoding: 'utf8' });
  return { child, printed, ended, shell };
}
