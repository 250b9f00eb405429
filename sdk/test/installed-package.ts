/** The package as `npm install` would put it into a project, built in a folder of its own. */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICE_NODE } from './service-node.ts';

export const SDK = join(import.meta.dirname, '..');
const MODULES = join(SDK, '..', 'node_modules');
const TSC = join(MODULES, 'typescript', 'bin', 'tsc');
const OPTIONS = {
  compilerOptions: {
    strict: true,
    target: 'es2022',
    module: 'nodenext',
    types: ['node'],
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
  },
};

/** Gives the folder of the package. */
export function installPackage(folder: string): string {
  const home = join(folder, 'node_modules', '@stayport', 'partner');
  mkdirSync(home, { recursive: true });
  for (const file of ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE']) {
    copyFileSync(join(SDK, file), join(home, file));
  }
  execFileSync(SERVICE_NODE, [join(SDK, 'build.ts'), join(home, 'dist')], { stdio: 'inherit' });
  mkdirSync(join(folder, 'node_modules', '@types'));
  symlinkSync(join(MODULES, '@types', 'node'), join(folder, 'node_modules', '@types', 'node'), 'junction');
  symlinkSync(join(MODULES, 'undici-types'), join(folder, 'node_modules', 'undici-types'), 'junction');
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(OPTIONS));
  return home;
}

/** Checks every program of the folder strictly, and puts JavaScript beside it; gives what is wrong. */
export function compile(folder: string): string {
  return spawnSync(SERVICE_NODE, [TSC, '-p', folder], { encoding: 'utf8' }).stdout;
}
