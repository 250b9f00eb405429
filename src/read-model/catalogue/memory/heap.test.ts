import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { makeHeap } from '../../../../test/kit/make-heap.ts';
import { RUN_SEED } from '../../../../test/kit/seeds.ts';
import { seededRandom } from '../../../../test/kit/catalogue-samples.ts';
import { Heap } from './heap.ts';
import { type Address, NOWHERE, SEGMENT_BYTES, SEGMENT_UNITS, unitsFor, wordsIn } from './memory.ts';
import { allocatePublication, Publishing, Reading } from './publication.ts';

const stepArb = fc.oneof(
  { weight: 5, arbitrary: fc.record({ take: fc.oneof(fc.nat(100), fc.nat(40_000)) }) },
  { weight: 4, arbitrary: fc.record({ give: fc.nat() }) },
  { weight: 1, arbitrary: fc.constant('show' as const) },
);

describe('The heap', () => {
  it('gives out nothing twice, and everything again once it was given back', () => {
    fc.assert(
      fc.property(fc.array(stepArb, { maxLength: 200 }), (steps) => {
        const heap = makeHeap();
        const held = new Map<Address, { readonly words: number; readonly mark: number }>();
        const assertMarks = (): void => {
          for (const [address, { words, mark }] of held)
            assert.ok(heap.view(address, words).every((word) => word === mark));
        };
        let mark = 0;
        for (const step of steps) {
          if (step === 'show') heap.show(NOWHERE);
          else if ('take' in step) {
            const address = heap.allocate(step.take + 1);
            assert.ok(heap.view(address, step.take + 1).every((word) => word === 0));
            heap.view(address, step.take + 1).fill(++mark);
            held.set(address, { words: step.take + 1, mark });
          } else if (held.size > 0) {
            const address = [...held.keys()][step.give % held.size]!;
            heap.release(address);
            held.delete(address);
          }
        }
        assertMarks();
        for (const address of held.keys()) heap.release(address);
        heap.show(NOWHERE);
        // All but the first unit of each segment.
        const { bytes, freeBytes } = heap.use;
        assert.equal(freeBytes, bytes - (bytes / SEGMENT_BYTES) * 64);
      }),
      { ...RUN_SEED, numRuns: 200 },
    );
  });

  it('frees no piece twice', () => {
    const heap = makeHeap();
    const address = heap.allocate(10);
    heap.allocate(10);
    heap.release(address);
    heap.release(address);
    assert.throws(() => heap.show(NOWHERE), /freed once/);
  });

  it('shows no version twice', () => {
    const publication = allocatePublication(1);
    const [one, other] = [publication, publication].map(
      (shared) => new Heap({ publishing: new Publishing(shared) }),
    );
    one!.show(NOWHERE);
    assert.throws(() => other!.show(NOWHERE), /later version/);
  });

  it('gives out what a whole segment holds, and refuses more', () => {
    const heap = makeHeap();
    const most = wordsIn(SEGMENT_UNITS - 1);
    assert.equal(unitsFor(most), SEGMENT_UNITS - 1);
    assert.ok(heap.allocate(most) !== NOWHERE);
    assert.throws(() => heap.allocate(most + 1), RangeError);
    assert.equal(heap.use.bytes, SEGMENT_BYTES);
  });

  it('writes what is its own in place, and copies what was shown', () => {
    const heap = makeHeap();
    const first = heap.allocate(10);
    heap.view(first, 10).fill(7);
    assert.equal(heap.own(first, 10), first);
    heap.show(NOWHERE);
    const second = heap.own(first, 20);
    assert.notEqual(second, first);
    assert.deepEqual(
      [...heap.view(second, 20)],
      [...Array<number>(10).fill(7), ...Array<number>(10).fill(0)],
    );
    assert.ok(heap.view(first, 10).every((word) => word === 7));
  });

  it('keeps what was shown for a reader until it leaves', () => {
    const publication = allocatePublication(1);
    const heap = new Heap({ publishing: new Publishing(publication) });
    const reading = new Reading(publication, 0);
    const first = heap.allocate(10);
    heap.show(first);
    assert.equal(reading.enter(), first);
    heap.release(first);
    heap.show(heap.allocate(10));
    const before = heap.use.freeBytes;
    reading.leave();
    heap.show(NOWHERE);
    assert.equal(heap.use.freeBytes, before + unitsFor(10) * 64);
  });

  it('stays level while pieces of all sizes are replaced for a long time', () => {
    const heap = makeHeap();
    const random = seededRandom(3);
    const size = (): number => 1 + Math.floor(random() ** 4 * 8_000);
    const held = Array.from({ length: 2_000 }, () => heap.allocate(size()));
    heap.show(NOWHERE);
    const replace = (times: number): void => {
      for (let time = 0; time < times; time++) {
        const index = Math.floor(random() * held.length);
        heap.release(held[index]!);
        held[index] = heap.allocate(size());
        if (time % 25 === 0) heap.show(NOWHERE);
      }
    };
    replace(10_000);
    const { bytes } = heap.use;
    replace(40_000);
    assert.ok(heap.use.bytes <= bytes + SEGMENT_BYTES, `${bytes} bytes became ${heap.use.bytes}`);
  });
});
