/** A reporter of Node's test runner: the files in which something failed, one a line. */
import { join, resolve } from 'node:path';
import type { TestEvent } from 'node:test/reporters';

/** Its suites are files, and have their names. */
const SHARED_FILES = join(import.meta.dirname, 'shared-files.ts');

// Node asks a reporter's module for its default export.
// oxlint-disable-next-line import/no-default-export
export default async function* failedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type !== 'test:fail' || event.data.file === undefined) continue;
    const { file, name } = event.data;
    yield `${file === SHARED_FILES ? resolve(name) : file}\n`;
  }
}
