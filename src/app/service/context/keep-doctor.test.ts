import assert from 'node:assert/strict';
import { it } from 'node:test';
import { keepDoctor } from './keep-doctor.ts';

it('findings of doctor are kept, and made again when a setting has another value', async () => {
  let rows: readonly object[] = [];
  let made = 0;
  const storage = { readSiteSettings: async () => rows as never };
  const doctor = keepDoctor(storage, async () => {
    made += 1;
    return [{ status: 'ok', check: `look ${made}` } as never];
  });
  const look = async () => JSON.stringify(await doctor.get());
  const first = await look();
  assert.equal(await look(), first);
  for (const [value, revision] of [
    ['one', 7],
    // A database that was restored may come to the same revision with another value.
    ['two', 7],
    ['two', 8],
  ]) {
    const before = await look();
    rows = [{ name: 'WEB_NAME', value, revision }];
    assert.notEqual(await look(), before);
  }
  assert.equal(made, 4);
});
