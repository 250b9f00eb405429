import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { escapeControls } from './printable.ts';

describe('escapeControls', () => {
  it('leaves nothing that a terminal would obey, and keeps lines and letters', () => {
    assert.equal(escapeControls('Caffè 東京 👋\nnext'), 'Caffè 東京 👋\nnext');
    assert.equal(
      escapeControls('\u001b]0;title\u0007\u009b2J\r\u202e\u061c'),
      '\\u001b]0;title\\u0007\\u009b2J\\u000d\\u202e\\u061c',
    );
  });

  it('says the same in a JSON document', () => {
    const anyText = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(anyText, (text) => {
        assert.equal(JSON.parse(escapeControls(JSON.stringify(text))), text);
      }),
      { seed: 20261121 },
    );
  });
});
