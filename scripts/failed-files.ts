/** A reporter of Node's test runner: the files in which something failed, one a line. */
import type { TestEvent } from 'node:test/reporters';

// Node asks a reporter's module for its default export.
// oxlint-disable-next-line import/no-default-export
export default async function* failedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type === 'test:fail' && event.data.file !== undefined) yield `${event.data.file}\n`;
  }
}
