import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sayScopes } from './scopes.ts';

it('Scopes are said as one or as several, with a mark around each name', () => {
  assert.equal(sayScopes(['prices:read']), 'scope prices:read');
  assert.equal(sayScopes(['prices:read', 'content:read'], '`'), 'scopes `prices:read` and `content:read`');
});
