import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { CountOrder } from '../limits/request-limits.ts';
import {
  packCounts,
  packOrders,
  packSettlements,
  unpackCounts,
  unpackOrders,
  unpackSettlements,
} from './count-messages.ts';

const kind = fc.constantFrom('ingress' as const, 'quota' as const);
const PLAIN = { noNullPrototype: true } as const;
const next = fc.record(
  { credentialId: fc.string({ minLength: 1 }), limit: fc.nat(), quota: fc.nat() },
  PLAIN,
);
const order: fc.Arbitrary<CountOrder> = fc.record(
  {
    kind,
    key: fc.string(),
    next: fc.option(next, { nil: undefined }),
    limit: fc.option(fc.integer({ min: 1 }), { nil: undefined }),
    wantsAdvance: fc.boolean(),
  },
  PLAIN,
);
const advance = fc.record({ count: fc.integer({ min: 1 }), windowId: fc.double({ noNaN: true }) }, PLAIN);
const settlement = fc.record({ kind, key: fc.string(), advances: fc.nat(), unused: advance }, PLAIN);
const hit = fc.record({ count: fc.integer({ min: 1 }), resetAtMs: fc.nat(), resetInMs: fc.nat() }, PLAIN);
const counted = fc.record(
  { hit, next: fc.option(hit, { nil: undefined }), advance: fc.option(advance, { nil: undefined }) },
  PLAIN,
);
const SEED = { seed: 20261120 };

describe('messages between processes', () => {
  it('bring every order as it was', () => {
    fc.assert(
      fc.property(fc.array(order), (orders) => {
        assert.deepEqual(unpackOrders(packOrders(orders)), orders);
      }),
      SEED,
    );
  });

  it('bring back what was not used', () => {
    fc.assert(
      fc.property(fc.array(settlement), (settlements) => {
        assert.deepEqual(unpackSettlements(packSettlements(settlements)), settlements);
      }),
      SEED,
    );
  });

  it('bring every count as it was, but for fractions of a millisecond, which are rounded up', () => {
    fc.assert(
      fc.property(fc.array(counted), (counts) => {
        assert.deepEqual(unpackCounts(packCounts(counts)), counts);
      }),
      SEED,
    );
    const fraction = {
      hit: { count: 1, resetAtMs: 1.1, resetInMs: 0.5 },
      next: undefined,
      advance: undefined,
    };
    assert.deepEqual(unpackCounts(packCounts([fraction]))[0]?.hit, { count: 1, resetAtMs: 2, resetInMs: 1 });
  });
});
