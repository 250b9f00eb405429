import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DAY_MS } from '../../domain/local-date.ts';
import { pagesOfToday } from './page-handler.ts';

it('pages of today are made once, and again on another day and after another setting', () => {
  const world = { nowMs: Date.parse('2026-11-20T12:00:00Z'), about: 'one' };
  let made = 0;
  const pages = pagesOfToday(
    (today) => {
      made += 1;
      const body = Buffer.from(`${today} ${world.about}`);
      return [{ path: '/', mediaType: 'text/plain', body, cacheControl: 'no-store', headers: [] }];
    },
    () => world.nowMs,
    () => world.about,
  );
  const shown = (): string => String(pages().get('/')!.body);
  const today = Math.floor(world.nowMs / DAY_MS);
  assert.equal(shown(), `${today} one`);
  world.nowMs += 60_000;
  assert.equal(shown(), `${today} one`);
  assert.equal(made, 1);
  world.about = 'two';
  assert.equal(shown(), `${today} two`);
  world.nowMs += DAY_MS;
  assert.equal(shown(), `${today + 1} two`);
  world.nowMs -= DAY_MS;
  world.about = 'one';
  assert.equal(shown(), `${today} one`, 'a clock that went back, too');
});
