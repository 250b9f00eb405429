import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type as TypeBox } from 'typebox';
import { Type } from './json-schema.ts';

/** A schema with every factory, with options and without. */
function everything({ Array, Boolean, Enum, Integer, Literal, Null, Number, Object, ...rest }: typeof Type) {
  const { Optional, String, Union, Unknown, Unsafe } = rest;
  const shared = Unsafe<string>({ type: 'string', format: 'date' });
  return Object(
    {
      list: Array(Integer({ minimum: 1 }), { maxItems: 3 }),
      plain: Array(Boolean()),
      flag: Boolean({ description: 'yes or no' }),
      word: Enum(['a', 'b'], { default: 'a' }),
      count: Integer(),
      yes: Literal(true, { description: 'always' }),
      text: Literal('x'),
      none: Null(),
      share: Number({ maximum: 1 }),
      name: Optional(String({ minLength: 1 })),
      either: Union([String(), Null()], { description: 'or nothing' }),
      any: Unknown({ description: 'anything' }),
      date: shared,
      laterDate: Optional(shared),
      open: Object({ only: Optional(String()) }),
      shut: Object({}, { additionalProperties: false }),
    },
    { description: 'everything' },
  );
}

describe('A schema', () => {
  it('our schemas equal those of TypeBox, with keys in the same order', () => {
    assert.equal(JSON.stringify(everything(Type)), JSON.stringify(everything(TypeBox)));
  });

  it('is a new one for each call: what is said of it is not said of another', () => {
    const text = Type.String();
    const optional = Type.Optional(text);
    assert.deepEqual(Type.Object({ text, optional }).required, ['text']);
    assert.notEqual(Type.Unsafe(text), text);
  });
});
