/** Memory of one thread, for tests of what stands in it. */
import { Heap } from '../../src/read-model/catalogue/memory/heap.ts';
import {
  CopyingReader,
  type RecordReader,
  RecordWriter,
} from '../../src/read-model/catalogue/memory/record.ts';
import { allocatePublication, Publishing } from '../../src/read-model/catalogue/memory/publication.ts';

export function makeHeap(): Heap {
  return new Heap({ publishing: new Publishing(allocatePublication(1)) });
}

/** Writes a value and reads it from copies of all its pieces. */
export function copyInHeap<T>(
  heap: Heap,
  written: { readonly write: (record: RecordWriter) => void },
  read: (record: RecordReader) => T,
): T {
  const record = new RecordWriter();
  written.write(record);
  return read(new CopyingReader(heap, record.store(heap)));
}
