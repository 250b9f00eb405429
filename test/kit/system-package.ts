/** Programs that tests need and npm can't bring: installed where the machine lets us. */
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';

const START_POLICY = '/usr/sbin/policy-rc.d';
const APT_MS_MAX = 300_000;

/**
 * Installs a package of Debian or Ubuntu, as root; whether the attempt was made. A package that would start a server
 * of its own is kept from it by a policy file.
 */
export function installWithApt(name: string): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  const hasPolicy = existsSync(START_POLICY);
  if (!hasPolicy) writeFileSync(START_POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const flags = ['-y', '-q', '-o', 'DPkg::Lock::Timeout=120', '--no-install-recommends'];
  try {
    execFileSync('apt-get', ['update', '-q'], { env, stdio: 'pipe', timeout: APT_MS_MAX });
    execFileSync('apt-get', ['install', ...flags, name], { env, stdio: 'pipe', timeout: APT_MS_MAX });
  } catch {
    // No network, or no such package: the tests say that they did not run.
  } finally {
    if (!hasPolicy) rmSync(START_POLICY, { force: true });
  }
  return true;
}
