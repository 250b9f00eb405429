import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { contrast, parseColour } from '../../http/html/contrast.ts';
import { CONTRAST_MIN, makeAccent } from './accent.ts';
import { DARK_BACKGROUND, LIGHT_BACKGROUND } from './assets.ts';

const colours = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe('the accent', () => {
  for (const background of [LIGHT_BACKGROUND, DARK_BACKGROUND, '#ffffff', '#000000', '#777777']) {
    it(`can be read on ${background}, and text on it, whatever colour the operator likes`, () => {
      fc.assert(
        fc.property(colours, (hex) => {
          const { colour, onColour } = makeAccent(hex, background);
          const fill = parseColour(colour);
          assert.ok(
            contrast(fill, parseColour(background)) >= CONTRAST_MIN - 0.01,
            `${colour} on ${background}`,
          );
          assert.ok(contrast(parseColour(onColour), fill) >= CONTRAST_MIN, `${onColour} on ${colour}`);
        }),
        { seed: 20261121, numRuns: 2_000 },
      );
    });
  }

  it('is the colour of the operator where that can be read', () => {
    assert.deepEqual(makeAccent('#1d5c57', LIGHT_BACKGROUND), { colour: '#1d5c57', onColour: '#ffffff' });
  });

  it('keeps its hue where it is made lighter', () => {
    const { colour } = makeAccent('#1b2a57', DARK_BACKGROUND);
    const [red, green, blue] = parseColour(colour);
    assert.ok(blue > green && green > red);
    assert.equal(colour, '#6d86d2');
  });

  it('knows the contrasts of WCAG', () => {
    assert.equal(contrast(parseColour('#000000'), parseColour('#ffffff')), 21);
    assert.equal(contrast(parseColour('#777777'), parseColour('#ffffff')).toFixed(2), '4.48');
  });
});
