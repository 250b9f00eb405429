/**
 * `npm run test:install`: installs the programs that tests need and npm can't bring, on Debian and Ubuntu as root.
 * Elsewhere it says what is missing.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { findProgram, SYSTEM_PROGRAMS, type SystemProgram } from '../test/kit/system-programs.ts';

/** A package would otherwise start a server of its own. */
const START_POLICY = '/usr/sbin/policy-rc.d';
const FLAGS = ['-y', '-q', '-o', 'DPkg::Lock::Timeout=120', '--no-install-recommends'];
const NAMES = Object.keys(SYSTEM_PROGRAMS) as SystemProgram[];

const missingNames = (): SystemProgram[] => NAMES.filter((name) => findProgram(name) === undefined);
const missing = missingNames();
const canInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
if (missing.length > 0 && canInstall) install(missing);
const left = canInstall ? missingNames() : missing;
if (left.length === 0) console.log(`all there: ${NAMES.join(', ')}`);
else {
  const packages = left.map((name) => SYSTEM_PROGRAMS[name].packages.join(' or ')).join(', ');
  const advice = canInstall ? 'no package brought them' : 'install them as root, on Debian and Ubuntu from';
  console.error(`missing: ${left.join(', ')}; ${advice}: ${packages}`);
  process.exitCode = 1;
}

function install(names: readonly SystemProgram[]): void {
  const hasPolicy = existsSync(START_POLICY);
  if (!hasPolicy) writeFileSync(START_POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    runApt(['update', '-q']);
    // A release may lack the first package of a program: the next one is tried.
    for (const name of names)
      SYSTEM_PROGRAMS[name].packages.some(
        (file) => runApt(['install', ...FLAGS, file]) && findProgram(name) !== undefined,
      );
  } finally {
    if (!hasPolicy) rmSync(START_POLICY, { force: true });
  }
}

function runApt(args: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', args, { env, stdio: 'inherit' }).status === 0;
}
