import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Heap } from '../memory/heap.ts';
import { allocatePublication, Publishing } from '../memory/publication.ts';
import { readWord, readWordPage, WordPages } from './word-pages.ts';

it('pages of words are written again with each name that comes or goes, and not otherwise', () => {
  const heap = new Heap({ publishing: new Publishing(allocatePublication(1)) });
  const pages = new WordPages(heap);
  const written = (): string[] =>
    pages.write().flatMap((address) => readWordPage(heap, address).map((entry) => readWord(entry).rest));
  pages.add('LUCCA');
  pages.add('SAN REMO');
  assert.deepEqual(written(), ['LUCCA', 'REMO', 'SAN REMO']);
  pages.add('PISA');
  assert.deepEqual(written(), ['LUCCA', 'PISA', 'REMO', 'SAN REMO']);
  pages.remove('LUCCA');
  assert.deepEqual(written(), ['PISA', 'REMO', 'SAN REMO']);
  const before = pages.write();
  pages.add('PISA');
  pages.remove('PISA');
  assert.deepEqual(pages.write(), before, 'another market has it still');
  assert.deepEqual(written(), ['PISA', 'REMO', 'SAN REMO']);
});
