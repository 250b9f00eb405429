import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { RUN_SEED } from '../../../../test/kit/seeds.ts';
import { ListBody } from './list-body.ts';

const KIB = 1024;

/** A page of these items, taken from the middle of other bytes. */
function write(list: ListBody, items: readonly string[], page = 1, pageSize = 20, total = items.length) {
  list.start();
  for (const item of items) {
    const source = Buffer.from(`before${item}behind`);
    list.add(source, 6, source.length - 6);
  }
  return list.finish(page, pageSize, total);
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}

function expected(items: readonly string[], page = 1, pageSize = 20, total = items.length): string {
  const pagination = { page, pageSize, total, hasMore: page * pageSize < total };
  return JSON.stringify({ items: items.map((item) => JSON.parse(item) as unknown), pagination });
}

describe('the body of a list', () => {
  it('is the JSON of its items and its pagination, to the byte', () => {
    const list = new ListBody();
    assert.equal(text(write(list, [])), expected([]));
    assert.equal(text(write(list, ['{"a":1}'])), expected(['{"a":1}']));
    assert.equal(
      text(write(list, ['{"a":"è"}', '2', '"c"'], 2, 3, 9)),
      expected(['{"a":"è"}', '2', '"c"'], 2, 3, 9),
    );
  });

  it('has more as long as the page does not reach the total', () => {
    const list = new ListBody();
    const hasMore = (page: number, pageSize: number, total: number): unknown =>
      (JSON.parse(text(write(list, [], page, pageSize, total))) as { pagination: { hasMore: boolean } })
        .pagination.hasMore;
    assert.deepEqual(
      [hasMore(1, 20, 20), hasMore(1, 20, 21), hasMore(2, 10, 20), hasMore(1, 10, 20)],
      [false, true, false, true],
    );
    assert.equal(hasMore(Number.MAX_SAFE_INTEGER, 50, 2 ** 31), false);
  });

  it('grows without losing what it has, whatever the sizes of its items', () => {
    const list = new ListBody();
    const lengths = fc.oneof(fc.nat(300), fc.nat(70 * KIB), fc.constantFrom(0, 64 * KIB - 140, 64 * KIB));
    fc.assert(
      fc.property(fc.array(lengths, { maxLength: 50 }), fc.boolean(), (sizes, isGivenBack) => {
        const items = sizes.map((size, index) => `"${String(index % 10).repeat(size)}"`);
        const page = write(list, items);
        assert.equal(
          text(page),
          `{"items":[${items.join(',')}]${expected(items).slice(expected(items).lastIndexOf(',"pagination"'))}`,
        );
        if (isGivenBack) list.release(page);
      }),
      { ...RUN_SEED, numRuns: 100 },
    );
  });

  it('has room for the pagination, however little is left behind the items', () => {
    const list = new ListBody();
    for (let length = 64 * KIB - 150; length < 64 * KIB; length++) {
      const page = write(list, [`"${'x'.repeat(length)}"`], 9_007_199_254_740_991, 50, 2 ** 31);
      assert.ok(
        text(page).endsWith(
          '"pagination":{"page":9007199254740991,"pageSize":50,"total":2147483648,"hasMore":false}}',
        ),
      );
      list.release(page);
    }
  });

  it('leaves a page alone that was not given back', () => {
    const list = new ListBody();
    const first = write(list, ['"first"']);
    write(list, ['"second and longer"']);
    assert.equal(text(first), expected(['"first"']));
  });

  it('writes over a page that was given back, once', () => {
    const list = new ListBody();
    const first = write(list, ['"first"']);
    list.release(first);
    const second = write(list, ['"second"']);
    assert.equal(second.buffer, first.buffer);
    const third = write(list, ['"third"']);
    assert.notEqual(third.buffer, second.buffer);
    assert.equal(text(second), expected(['"second"']));
  });

  it('keeps memory of up to a MiB for the next page, and no more', () => {
    const list = new ListBody();
    const reuses = (length: number): boolean => {
      const page = write(list, [`"${'x'.repeat(length)}"`]);
      list.release(page);
      return write(list, ['1']).buffer === page.buffer;
    };
    assert.equal(reuses(KIB * KIB - 200), true);
    assert.equal(reuses(KIB * KIB), false);
  });
});
