import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { it } from 'node:test';
import { BACKGROUND_NICENESS, lowerBackgroundThreads } from './v8.ts';

it(
  'lowers the threads of the garbage collector, and no other',
  { skip: process.platform !== 'linux' },
  () => {
    const own = getPriority();
    assert.ok(lowerBackgroundThreads() >= 1);
    for (const threadId of readdirSync('/proc/self/task')) {
      const name = readFileSync(`/proc/self/task/${threadId}/comm`, 'utf8').trim();
      assert.equal(
        getPriority(Number(threadId)),
        name === 'V8Worker' ? own + BACKGROUND_NICENESS : own,
        name,
      );
    }
  },
);
