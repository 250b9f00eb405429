import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { until } from '../../../test/kit/command-line.ts';
import { StorageUnavailable } from '../engine/errors.ts';
import { repeat, BACKGROUND_FAILURES } from './repeat.ts';

const SOURCE = join(import.meta.dirname, '..', '..');

function collectErrors() {
  const errors: unknown[] = [];
  return { errors, logger: { error: (fields: object) => void errors.push(fields) } };
}

describe('Repeated work', () => {
  it('goes on after a bug, which it logs and counts', async () => {
    const { errors, logger } = collectErrors();
    let rounds = 0;
    const bug = new TypeError('a bug');
    const work = repeat({
      name: 'a test of bugs',
      everyMs: 1,
      firstMs: 0,
      logger,
      async round() {
        rounds += 1;
        if (rounds === 2) throw bug;
      },
    });
    await until(async () => rounds >= 4);
    await work.stop();
    assert.deepEqual(errors, [{ err: bug, work: 'a test of bugs' }]);
    assert.equal(BACKGROUND_FAILURES.get('a test of bugs'), 1);
  });

  it('says nothing of a database that is away, unless it is told to', async () => {
    const { errors, logger } = collectErrors();
    const away: string[] = [];
    const work = repeat({
      name: 'a test of an absent database',
      everyMs: 1,
      logger,
      round: () => Promise.reject(new StorageUnavailable('gone')),
      onAway: ({ message }) => void away.push(message),
    });
    await until(async () => away.length >= 2);
    await work.stop();
    assert.deepEqual(errors, []);
    assert.equal(BACKGROUND_FAILURES.get('a test of an absent database'), 0);
  });

  it('ends at once while it waits, and after the round that is under way', async () => {
    const { logger } = collectErrors();
    const waiting = repeat({
      name: 'a test of stops',
      everyMs: 3_600_000,
      logger,
      round: async () => undefined,
    });
    await waiting.stop();
    const { promise, resolve } = Promise.withResolvers<void>();
    let isStopped = false;
    const busy = repeat({ name: 'a test of stops', everyMs: 1, firstMs: 0, logger, round: () => promise });
    const stopped = busy.stop().then(() => (isStopped = true));
    await new Promise((tick) => setTimeout(tick, 5));
    assert.equal(isStopped, false);
    resolve();
    await stopped;
  });

  it('takes what a stop interrupts for no failure', async () => {
    const { errors, logger } = collectErrors();
    const work = repeat({
      name: 'a test of interruptions',
      everyMs: 1,
      firstMs: 0,
      logger,
      round: (signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('given up')))),
    });
    await work.stop();
    assert.deepEqual(errors, []);
  });
});

/** Files of `src/` whose text has this, without tests. */
function filesWith(pattern: RegExp): string[] {
  return globSync('**/*.ts', { cwd: SOURCE })
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) => pattern.test(readFileSync(join(SOURCE, file), 'utf8')))
    .toSorted();
}

describe('Background loops', () => {
  it('are all `repeat`, so that a bug in one never ends the process, or count what fails as it does', () => {
    const loops = filesWith(/while \(|for \([^;)]*;[^;)]*; ?\)/);
    const pausing = new Set(filesWith(/(?:sleep|delay)\([^)]*signal[^)]*\)|await (?:this\.#)?pause\(/));
    const counting = new Set(filesWith(/countFailure\(|new RetryLoop\(|\brepeat\(/));
    const own = loops.filter((file) => pausing.has(file));
    assert.deepEqual(own, [
      'read-model/following/access-follower.ts',
      'read-model/following/catalogue-follower.ts',
      'read-model/following/retry-loop.ts',
      'storage/tasks/repeat.ts',
      'supply/freshness/watch-freshness.ts',
    ]);
    assert.deepEqual(
      own.filter((file) => !counting.has(file)),
      [],
    );
  });

  it('use no setInterval, except five that end with what they watch and await nothing', () => {
    assert.deepEqual(filesWith(/setInterval\(/), [
      'app/service/imports/import-thread.ts',
      // Ends the process that decodes a picture at its limit of memory.
      'app/service/pictures/picture-program.ts',
      'app/workers/catalogue-keeper.ts',
      'http/answers/drain-body.ts',
      'supply/run/import-run.ts',
    ]);
  });

  it('use no timer that sets itself again, except one whose work never rejects', () => {
    assert.deepEqual(
      filesWith(/(?:timer|Timer) = setTimeout\(\(\) => void |\.finally\(\(\) => \{[^}]*schedule\(/),
      [
        // `probe` catches everything.
        'limits/shared-limits.ts',
      ],
    );
  });
});
