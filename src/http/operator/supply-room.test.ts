import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, it } from 'node:test';
import type { OperatorExchange } from './operator-exchange.ts';
import { BODY_BYTES_OF_TOKEN_MAX, BODY_BYTES_UNDERWAY_MAX, makeSupplyRoom } from './supply-room.ts';

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

describe('The room for supply messages', () => {
  it('is half for one token and half for the others, to the byte, and is given back', () => {
    const room = makeSupplyRoom(BODY_LIMIT);
    const [first, other, third] = [message('one'), message('two'), message('three')];
    for (const { exchange } of [first, other, third]) void room.enter(exchange);
    assert.ok(room.take(first.exchange, BODY_BYTES_OF_TOKEN_MAX));
    assert.ok(!room.take(first.exchange, 1));
    assert.deepEqual(first.refused, [503]);
    assert.ok(room.take(other.exchange, BODY_BYTES_UNDERWAY_MAX - BODY_BYTES_OF_TOKEN_MAX));
    assert.ok(!room.take(third.exchange, 1), 'all of it is taken');
    first.end();
    assert.ok(room.take(third.exchange, 1));
  });
});
