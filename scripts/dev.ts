/**
 * `npm run dev`: the demo, started again whenever a source file changes. Arguments go to `bin/stayport demo`.
 *
 * Not `node --watch`: it reports each module of a worker thread as a message of that thread, and the thread that
 * writes SQLite takes messages for answers.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
/** Editors write a file in several steps, and a checkout writes many files. */
const QUIET_MS = 200;

let service = start();
let timer: NodeJS.Timeout | undefined;
let restarting = Promise.resolve();

for (const folder of ['src', 'sample']) {
  watch(join(ROOT, folder), { recursive: true }, (_event, file) => {
    if (file === null || file.endsWith('.test.ts')) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      restarting = restarting.then(() => restart(`${folder}/${file}`));
    }, QUIET_MS);
  });
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    service.once('exit', (code) => process.exit(code ?? 0));
    if (!hasEnded(service)) service.kill(signal);
    else process.exit(0);
  });
}

async function restart(changed: string): Promise<void> {
  process.stdout.write(`\n-- ${changed} changed: restarting\n`);
  if (!hasEnded(service)) {
    service.kill('SIGTERM');
    await once(service, 'exit');
  }
  service = start();
}

function start(): ChildProcess {
  const child = spawn(process.execPath, [join(ROOT, 'bin', 'stayport'), 'demo', ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  child.on('exit', (code) => {
    if (code !== 0 && code !== null) process.stdout.write('-- it ended; the next change starts it again\n');
  });
  return child;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
