import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createMessageIds, firstMessageIdAt, messageIdsOf, parseMessageId } from './message-id.ts';

/** The last instant of nine digits of base 32, in the year 3084. */
const LAST_MS = 32 ** 9 - 1;
const UNIQUE = 'AbCdEfGh12';
const instant = fc.integer({ min: 0, max: LAST_MS });

describe('Ids of messages', () => {
  it('say when the message was received', () => {
    fc.assert(
      fc.property(instant, (ms) => {
        assert.equal(parseMessageId(createMessageIds(() => UNIQUE)(ms)), ms);
      }),
    );
  });

  it('are in the order of time as text, and of their number within a millisecond', () => {
    fc.assert(
      fc.property(fc.array(instant, { minLength: 1, maxLength: 20 }), (instants) => {
        const nextId = createMessageIds(() => UNIQUE);
        const inOrder = instants.sort((one, other) => one - other).map(nextId);
        assert.deepEqual([...inOrder].sort(), inOrder);
        assert.equal(new Set(inOrder).size, inOrder.length);
      }),
    );
  });

  it('of a span are at its begin and before its end', () => {
    const nextId = createMessageIds(() => UNIQUE);
    const [first, behind] = messageIdsOf({ sinceMs: 1_000, untilMs: 2_000 });
    const isWithin = [999, 1_000, 1_999, 2_000].map(nextId).map((id) => first <= id && id < behind);
    assert.deepEqual(isWithin, [false, true, true, false]);
  });

  it('of all time begin at 0, and an instant that the digits cannot hold is the last one', () => {
    assert.deepEqual(messageIdsOf({}), ['sm_000000000', 'sm_vvvvvvvvv']);
    assert.equal(messageIdsOf({ untilMs: LAST_MS + 1 })[1], 'sm_vvvvvvvvv');
    assert.equal(firstMessageIdAt(-1), 'sm_000000000');
  });

  for (const text of ['', 'sm_', 'sm_00000000', 'sm_00000000w', ' sm_000000000', 'q_0000000000'])
    it(`are not ${JSON.stringify(text)}`, () => {
      assert.equal(parseMessageId(text), undefined);
    });
});
