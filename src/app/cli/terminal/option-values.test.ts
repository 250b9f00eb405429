import assert from 'node:assert/strict';
import { InvalidArgumentError } from 'commander';
import { describe, it } from 'node:test';
import { Wrong } from '../../../domain/wrong.ts';
import { CommandFailure } from './failure.ts';
import { sourceName, typed } from './option-values.ts';

describe('The value of an option', () => {
  it('is bad usage where it is refused, whatever its reason begins with', () => {
    for (const wrong of [new Wrong('notDate'), new Wrong('nameForm', { max: 9 }), new Wrong('noFileChosen')])
      assert.throws(() => typed({ parse: () => wrong })('x'), InvalidArgumentError);
    assert.throws(() => sourceName('my pms'), InvalidArgumentError);
  });

  it('is well-formed and refused anyway where it is the name of a reserved source', () => {
    for (const name of ['manual', 'ical:feed_1']) assert.throws(() => sourceName(name), CommandFailure);
  });
});
