import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { skippedFor } from './kit/skipped-suites.ts';

const CI = process.env['CI'];
const skip = (): string => skippedFor('no such server', 'the tests with it');

describe('Suites that need a server which is missing', () => {
  afterEach(() => {
    if (CI === undefined) delete process.env['CI'];
    else process.env['CI'] = CI;
  });

  it('are skipped with a line that says so', () => {
    delete process.env['CI'];
    assert.equal(skip(), 'no such server: the tests with it did not run');
  });

  it('fail where the checks are binding', () => {
    process.env['CI'] = 'true';
    assert.throws(skip, /no such server: the tests with it did not run/);
  });

  it('are binding in .ci/run, for everything after it has begun', () => {
    const lines = readFileSync(join(import.meta.dirname, '..', '.ci', 'run'), 'utf8').split('\n');
    const [exported, firstCommand] = [/^export CI=true$/, /^npm /].map((line) =>
      lines.findIndex((text) => line.test(text)),
    );
    assert.ok(exported! > 0 && exported! < firstCommand!);
  });
});
