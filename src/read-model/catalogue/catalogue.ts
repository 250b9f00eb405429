/**
 * The read model in one thread, over memory of its own: for the sandbox and tests. Partners are served from memory that
 * another thread writes.
 */
import { CatalogueReader } from './catalogue-reader.ts';
import {
  type CatalogueOptions,
  CatalogueWriter,
  type Change,
  type RefuseChange,
} from './catalogue-writer.ts';
import { Heap } from './memory/heap.ts';
import type { Address } from './memory/memory.ts';
import { allocatePublication, Publishing, Reading } from './memory/publication.ts';

export class Catalogue extends CatalogueReader {
  readonly writer: CatalogueWriter;

  constructor(options: CatalogueOptions) {
    const publication = allocatePublication(1);
    const heap = new Heap({ publishing: new Publishing(publication) });
    super(options, heap, new Reading(publication, 0));
    this.writer = new CatalogueWriter(options, heap);
  }

  /** `CatalogueWriter.apply`, then publishes. */
  apply(change: Change): void {
    try {
      this.writer.apply(change);
    } finally {
      this.writer.publish();
    }
  }

  applyAll(changes: readonly Change[], refuse: RefuseChange): void {
    this.writer.applyAll(changes, refuse);
    this.writer.publish();
  }

  forget(propertyId: string): void {
    this.writer.forget(propertyId);
    this.writer.publish();
  }

  isRefillDue(): boolean {
    return this.writer.isRefillDue();
  }

  moveOn(): void {
    this.writer.moveOn();
  }

  prepare(): Address | undefined {
    return this.writer.prepare();
  }

  show(root: Address): void {
    this.writer.show(root);
  }
}
