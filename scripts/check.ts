/**
 * `npm run check`: everything quick that judges the text of the project. The programs of the packages run on the Node
 * that runs this.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const CHECKS = [
  ['scripts/check-words.ts'],
  ['node_modules/typescript/bin/tsc'],
  ['node_modules/oxlint/bin/oxlint', '--type-aware'],
  ['node_modules/oxfmt/bin/oxfmt', '--check'],
  ['node_modules/knip/bin/knip.js', '--treat-config-hints-as-errors'],
];

for (const args of CHECKS) {
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  if (status === 0) continue;
  process.exitCode = 1;
  break;
}
