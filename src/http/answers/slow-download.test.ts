import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { takenWithin } from './guarded-response.ts';
import { ServerResponse, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

describe('takenWithin', () => {
  it('leaves no listener behind, however many pieces a slow reader waits for', async () => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    const before = response.listenerCount('close');
    for (let piece = 0; piece < 50; piece += 1) {
      const taken = takenWithin(response, 60_000);
      response.emit('drain');
      await taken;
    }
    assert.deepEqual([response.listenerCount('drain'), response.listenerCount('close')], [0, before]);
  });
});
