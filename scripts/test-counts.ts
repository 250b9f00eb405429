/** A reporter of Node's test runner: one line of JSON with what ran in a process, what failed and what did not run. */
import { join, relative, resolve } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

/** A test, or a suite with all of its tests, that did not run. */
export interface NotRun {
  readonly file: string;
  readonly name: string;
  readonly reason: string;
}

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly notRun: readonly NotRun[];
  /** Those in which something failed. */
  readonly failedFiles: readonly string[];
  readonly failures: readonly Failure[];
}

/** A test that failed, without the suites around it. */
export interface Failure {
  readonly file: string;
  readonly name: string;
  /** The begin of its error. */
  readonly message: string;
}

const MESSAGE_LENGTH_MAX = 300;

const ROOT = join(import.meta.dirname, '..');
/** Its suites are files, and have their names. */
const SHARED_FILES = join(import.meta.dirname, 'shared-files.ts');

// Node asks a reporter's module for its default export.
// oxlint-disable-next-line import/no-default-export
export default async function* testCounts(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const isShared = process.argv[1] === SHARED_FILES;
  // A suite that several files share is defined elsewhere; the outermost suite of a shared process is the file.
  let file = process.argv[1];
  const failedFiles = new Set<string>();
  const failures: Failure[] = [];
  const notRun: NotRun[] = [];
  let counts = { passed: 0, failed: 0 };
  for await (const { type, data } of events) {
    if (type === 'test:summary') {
      const { passed, tests, skipped, todo } = data.counts;
      counts = { passed, failed: tests - passed - skipped - todo };
    }
    if (type === 'test:start' && isShared && data.nesting === 0) file = data.name;
    if (type === 'test:pass' && data.skip !== undefined)
      notRun.push({ file: pathOf(file), name: data.name, reason: reasonOf(data.skip) });
    if (type === 'test:fail' && !isOfSubtests(data.details.error))
      failures.push({ file: pathOf(file), name: data.name, message: messageOfFailure(data.details.error) });
    // Every suite around a failure fails as well; the outermost is the file.
    if (type === 'test:fail' && data.file !== undefined && data.nesting === 0)
      failedFiles.add(pathOf(isShared ? data.name : process.argv[1]));
  }
  yield JSON.stringify({ ...counts, notRun, failedFiles: [...failedFiles], failures } satisfies TestCounts);
}

function isOfSubtests(error: Error): boolean {
  return 'failureType' in error && error.failureType === 'subtestsFailed';
}

function messageOfFailure({ cause, message }: Error): string {
  const text = cause instanceof Error ? cause.message : message;
  return text.replaceAll(/\s+/g, ' ').slice(0, MESSAGE_LENGTH_MAX);
}

function pathOf(file = process.argv[1] ?? ''): string {
  return relative(ROOT, resolve(file));
}

function reasonOf(skip: string | boolean): string {
  return typeof skip === 'string' ? skip : 'not on this platform';
}
