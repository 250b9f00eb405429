/**
 * Runs the named test files in this process, one after the other. Each is a suite of its own, named as the file: hooks
 * that stand outside of its suites begin and end with it, as in a process of its own.
 */
import { resolve } from 'node:path';
import { describe } from 'node:test';

for (const file of process.argv.slice(2)) {
  describe(file, async () => {
    // Awaited, not returned: what the file registers belongs to the suite by the order of these promises.
    await import(resolve(file));
  });
}
