import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StorageUnavailable } from '../../storage/storage.ts';
import { BACKGROUND_FAILURES } from '../../storage/tasks/repeat.ts';
import { RetryLoop } from './retry-loop.ts';

const well = () => Promise.resolve();
const away = () => Promise.reject(new StorageUnavailable('locked'));
const broken = () => Promise.reject(new TypeError('a bug'));

function attempts() {
  const lines: string[] = [];
  const log = (level: string) => (fields: object, message: string) =>
    lines.push(`${level} ${(fields as { work: string }).work}: ${message}`);
  return {
    lines,
    attempts: new RetryLoop('access', { info: log('info'), warn: log('warn'), error: log('error') }),
  };
}

describe('attempts', () => {
  it('say nothing while all goes well', async () => {
    const { attempts: tried, lines } = attempts();
    assert.deepEqual([await tried.try(well), await tried.try(well)], [true, true]);
    assert.deepEqual([lines, tried.problem], [[], undefined]);
  });

  it('log an absence of the database once, and its return', async () => {
    const { attempts: tried, lines } = attempts();
    for (const work of [away, away, away]) assert.equal(await tried.try(work), false);
    assert.equal(tried.problem, 'locked');
    for (const work of [well, well]) assert.equal(await tried.try(work), true);
    assert.equal(tried.problem, undefined);
    assert.deepEqual(lines, ['warn access: database does not answer', 'info access: database answers again']);
  });

  it('never swallow a bug, also not behind an absence, and name it once', async () => {
    const { attempts: tried, lines } = attempts();
    assert.deepEqual([await tried.try(away), await tried.try(broken)], [false, false]);
    assert.equal(lines.at(-1), 'error access: cannot follow the database');
    for (const work of [broken, away, well]) await tried.try(work);
    assert.deepEqual(lines, [
      'warn access: database does not answer',
      'error access: cannot follow the database',
      'warn access: database does not answer',
      'info access: database answers again',
    ]);
    await tried.try(broken);
    assert.equal(tried.problem, 'a bug');
  });

  it('count each round that a bug ended, as all background work does, and none that found no database', async () => {
    const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const tried = new RetryLoop('a test of counting', logger);
    const counted = () => BACKGROUND_FAILURES.get('a test of counting');
    assert.equal(counted(), 0);
    for (const work of [well, away, broken, broken, well]) await tried.try(work);
    assert.equal(counted(), 2);
  });

  it('leave a bug to the caller who wants it', async () => {
    const { attempts: tried } = attempts();
    await assert.rejects(tried.tryUnlessBroken(broken), TypeError);
    assert.equal(await tried.tryUnlessBroken(away), false);
    assert.equal(await tried.tryUnlessBroken(well), true);
  });
});
