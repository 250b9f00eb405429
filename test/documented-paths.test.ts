/** Paths that the pages for people who change the source name. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readRooms } from '../scripts/read-rooms.ts';
import { pathsIn, resolvePaths } from './kit/change-table.ts';

const ROOT = join(import.meta.dirname, '..');
const ROOM_LINES_MAX = 15;

function missingPaths(text: string): readonly string[] {
  const paths = pathsIn(text);
  const resolved = resolvePaths(ROOT, paths);
  return paths.filter((_, index) => resolved[index] === undefined);
}

describe('The pages for people who change the source', () => {
  for (const page of ['ARCHITECTURE.md', 'docs/changing.md'])
    it(`${page} names only paths that exist`, () => {
      const text = readFileSync(join(ROOT, page), 'utf8');
      assert.ok(pathsIn(text).length > 20);
      assert.deepEqual(missingPaths(text), []);
    });

  for (const { room, text } of readRooms(ROOT)) {
    it(`src/${room}/README.md names only paths that exist`, () => {
      assert.deepEqual(missingPaths(text), []);
    });

    it(`src/${room}/README.md has at most ${ROOM_LINES_MAX} lines`, () => {
      assert.ok(text.trimEnd().split('\n').length <= ROOM_LINES_MAX);
    });
  }
});
