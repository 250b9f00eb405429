import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Wrong } from '../../domain/wrong.ts';
import { parseHandoffKeys } from '../../handoff/handoff-keys.ts';
import { systemRandom } from '../../runtime/random.ts';
import { openCursor, sealCursor } from './feed-cursor.ts';

const SMALLEST = {
  since: { revision: 1, stamp: '' },
  place: { revision: 1, propertyId: '' },
  seen: { revision: 1, stamp: '' },
  atMs: 0,
};
const LARGEST = {
  since: { revision: Number.MAX_SAFE_INTEGER, stamp: 'f'.repeat(32) },
  place: { revision: Number.MAX_SAFE_INTEGER, propertyId: 'x'.repeat(160) },
  seen: { revision: Number.MAX_SAFE_INTEGER, stamp: 'f'.repeat(32) },
  atMs: Number.MAX_SAFE_INTEGER,
};

it('a cursor has one length, whatever has happened, and opens as it was', () => {
  const parsed = parseHandoffKeys(`k1:${Buffer.alloc(32, 7).toString('base64')}`);
  assert.ok(!(parsed instanceof Wrong));
  const owner = { partnerId: 'acme', isTest: false };
  const sealed = [SMALLEST, LARGEST].map((cursor) => sealCursor(parsed, owner, cursor, systemRandom));
  assert.equal(sealed[0]!.length, sealed[1]!.length);
  assert.deepEqual(
    sealed.map((text) => openCursor(parsed, owner, text)),
    [SMALLEST, LARGEST],
  );
});
