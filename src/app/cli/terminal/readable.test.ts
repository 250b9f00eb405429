import { Wrong } from '../../../domain/wrong.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatRejection } from '../commands/import-work.ts';
import { formatProgress } from './progress.ts';
import { formatFields, formatTable } from './readable.ts';

describe('Answers for people', () => {
  it('name values in two columns', () => {
    assert.equal(
      formatFields({ id: 'a', origins: ['x', 'y'], none: [], disabled: false, expiresAt: null, quota: 120 }),
      'id         a\norigins    x y\nnone       -\ndisabled   no\nexpiresAt  -\nquota      120',
    );
  });

  it('show rows as a table, or say that there are none', () => {
    const rows = [
      { id: 'a', name: 'Long name' },
      { id: 'bb', name: 'B' },
    ];
    assert.equal(formatTable(['id', 'name'], rows, 'none'), 'id  name\na   Long name\nbb  B');
    assert.equal(formatTable(['id', 'name'], [], 'none'), 'none');
  });

  it('show a table of any length', () => {
    const rows = Array.from({ length: 300_000 }, (_, index) => ({ id: index, name: 'x' }));
    const lines = formatTable(['id', 'name'], rows, 'none').split('\n');
    assert.deepEqual([lines[0], lines[1], lines.at(-1)], ['id      name', '0       x', '299999  x']);
  });

  it('say how far an import is, with the total where it is known', () => {
    const progress = { read: 1200, bytesRead: 3_400_000 };
    assert.equal(formatProgress({ ...progress, bytesTotal: 12_000_000 }), '1200 properties, 3.4 of 12.0 MB');
    assert.equal(formatProgress({ ...progress, bytesTotal: undefined }), '1200 properties, 3.4 MB');
  });

  it('name file, line, field and reason of a rejection', () => {
    const rejection = { file: 'a.ndjson', line: 3, reason: new Wrong('notJson', { why: 'x' }) };
    assert.equal(formatRejection({ ...rejection, field: '' }), 'a.ndjson:3: is not JSON (x)');
    assert.equal(
      formatRejection({ ...rejection, field: 'bathrooms' }),
      'a.ndjson:3: bathrooms: is not JSON (x)',
    );
  });
});
