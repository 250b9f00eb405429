/** A reporter of Node's test runner: one line of JSON, the counts of a process and the files in which something failed. */
import { join, resolve } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

export interface TestCounts {
  readonly passed: number;
  readonly skipped: number;
  /** Absolute paths. */
  readonly failedFiles: readonly string[];
}

/** Its suites are files, and have their names. */
const SHARED_FILES = join(import.meta.dirname, 'shared-files.ts');

// Node asks a reporter's module for its default export.
// oxlint-disable-next-line import/no-default-export
export default async function* testCounts(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const failed = new Set<string>();
  let counts = { passed: 0, skipped: 0 };
  for await (const { type, data } of events) {
    if (type === 'test:summary') counts = { passed: data.counts.passed, skipped: data.counts.skipped };
    if (type !== 'test:fail' || data.file === undefined) continue;
    // Every suite around a failure fails as well; the outermost is the file.
    if (data.nesting === 0)
      failed.add(process.argv[1] === SHARED_FILES ? resolve(data.name) : process.argv[1]!);
  }
  yield JSON.stringify({ ...counts, failedFiles: [...failed] } satisfies TestCounts);
}
