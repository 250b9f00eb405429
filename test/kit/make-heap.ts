/** Memory of one thread, for tests of what stands in it. */
import { Heap } from '../../src/catalogue/memory/heap.ts';
import { allocatePublication, Publishing } from '../../src/catalogue/memory/publication.ts';

export function makeHeap(): Heap {
  return new Heap({ publishing: new Publishing(allocatePublication(1)) });
}
