/**
 * What every storage adapter must do, tried on the real thing. An adapter's own test calls `describeStorage` and
 * adds what only its engine can do wrong.
 */
import { describe } from 'node:test';
import { describeAccess } from './suite/access-suite.ts';
import { describeCatalogue } from './suite/catalogue-suite.ts';
import { describeChanges } from './suite/change-suite.ts';
import type { OpenFixture } from './suite/fixture.ts';
import { describeModel } from './suite/model-suite.ts';
import { describeQuotes } from './suite/quote-suite.ts';
import { describeSchema } from './suite/schema-suite.ts';
import { describeSnapshot } from './suite/snapshot-suite.ts';
import { describeTasks } from './suite/task-suite.ts';
import { describeValues } from './suite/value-suite.ts';

export function describeStorage(name: string, open: OpenFixture): void {
  describe(`${name} storage`, () => {
    describeSchema(open);
    describeCatalogue(open);
    describeValues(open);
    describeChanges(open);
    describeSnapshot(open);
    describeAccess(open);
    describeQuotes(open);
    describeTasks(open);
    describeModel(open);
  });
}
