import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, it } from 'node:test';
import type { OperatorExchange } from './operator-exchange.ts';
import { BODY_BYTES_OF_TOKEN_MAX, BODY_BYTES_UNDERWAY_MAX, createMemoryBudget } from './memory-budget.ts';

const BODY_LIMIT = 10 * 1024 * 1024;

/** A message of a token on its way in, and the status that it was refused with. */
function message(operatorTokenId: string) {
  const refused: number[] = [];
  const response = Object.assign(new EventEmitter(), {
    context: { codes: { unavailable: 'OPERATOR_API_UNAVAILABLE' } },
    answer: ({ status }: { status: number }) => void refused.push(status),
  });
  const exchange = { response, operator: { operatorTokenId } } as unknown as OperatorExchange;
  return { exchange, refused, end: () => response.emit('close') };
}

describe('The memory budget for supply messages', () => {
  it('gives one token at most half, to the byte, and releases what has ended', () => {
    const memory = createMemoryBudget(BODY_LIMIT);
    const [first, other, third] = [message('one'), message('two'), message('three')];
    for (const { exchange } of [first, other, third]) void memory.enter(exchange);
    assert.ok(memory.reserve(first.exchange, BODY_BYTES_OF_TOKEN_MAX));
    assert.ok(!memory.reserve(first.exchange, 1));
    assert.deepEqual(first.refused, [503]);
    assert.ok(memory.reserve(other.exchange, BODY_BYTES_UNDERWAY_MAX - BODY_BYTES_OF_TOKEN_MAX));
    assert.ok(!memory.reserve(third.exchange, 1), 'all of it is reserved');
    first.end();
    assert.ok(memory.reserve(third.exchange, 1));
  });
});
