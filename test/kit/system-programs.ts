/** Programs that tests need and npm can't bring. Tests only look for them; `npm run test:install` installs them. */
import { spawnSync } from 'node:child_process';

/** Each with the programs that will do, the best first, and the packages of Debian and Ubuntu that bring one. */
export const SYSTEM_PROGRAMS = {
  // The first has no windows: pages take it two thirds of the processor time. Older releases have only the second.
  Chromium: {
    programs: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
    packages: ['chromium-headless-shell', 'chromium'],
  },
  'redis-server': { programs: ['redis-server'], packages: ['redis-server'] },
  'redis-cli': { programs: ['redis-cli'], packages: ['redis-tools'] },
  curl: { programs: ['curl'], packages: ['curl'] },
  python3: { programs: ['python3'], packages: ['python3'] },
  ip: { programs: ['ip'], packages: ['iproute2'] },
} as const satisfies Record<string, { programs: readonly string[]; packages: readonly string[] }>;

export type SystemProgram = keyof typeof SYSTEM_PROGRAMS;

/** A name can be there without its program: Ubuntu's `chromium` is a script that asks for a snap. */
const runs = (program: string): boolean =>
  ['--version', '-V'].some((flag) => spawnSync(program, [flag], { stdio: 'ignore' }).status === 0);

/** The one on PATH that will do. */
export function findProgram(name: SystemProgram): string | undefined {
  return SYSTEM_PROGRAMS[name].programs.find(runs);
}

/** Why tests that need these programs are skipped, and what to install; false when all of them are there. */
export function programsMissing(...names: readonly SystemProgram[]): string | false {
  const missing = names.filter((name) => findProgram(name) === undefined);
  if (missing.length === 0) return false;
  const packages = missing.map((name) => SYSTEM_PROGRAMS[name].packages[0]);
  return `not on PATH: ${missing.join(', ')}; "npm run test:install" installs ${packages.join(', ')}`;
}
