/** An upgrade: databases that earlier versions filled serve all who hold tokens, quotes and links of them. */
import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { BASE_SCHEMA_VERSION } from '../src/storage/engine/migrations.ts';
import { SAMPLE, startServer } from './kit/command-line.ts';
import { WorkplaceHere } from './kit/commands-here.ts';

const FOLDER = join(import.meta.dirname, 'fixtures', 'database');
const NAMES = globSync('*.db.gz', { cwd: FOLDER }).map((file) => basename(file, '.db.gz'));
/** The fixtures grow older than any retention. */
const KEEP_QUOTES = { QUOTE_RETENTION_DAYS: '0', QUOTE_UNOPENED_DAYS: '0' };
const PROPERTY_ID = 'hotel-ponte-venezia';

interface Given {
  readonly token: string;
  readonly operatorToken: string;
  readonly quoteId: string;
  readonly total: string;
  readonly handoff: string;
}

describe('A database of an earlier version', () => {
  it('is kept for every schema of a release', () => {
    const expected = Array.from({ length: BASE_SCHEMA_VERSION }, (_, index) => `schema-${index + 1}`);
    assert.deepEqual(NAMES.toSorted(), expected.toSorted());
  });

  for (const name of NAMES) {
    it(`${name}: is upgraded by serve, and its tokens, quotes and handoff links are still good`, async () => {
      const given = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as Given;
      const workplace = new WorkplaceHere();
      writeFileSync(workplace.databasePath, gunzipSync(readFileSync(join(FOLDER, `${name}.db.gz`))));
      try {
        const { partnerUrl, operatorUrl } = await startServer(workplace, KEEP_QUOTES);
        const headers = { authorization: `Bearer ${given.token}` };
        const property = await fetch(`${partnerUrl}/v1/properties/${PROPERTY_ID}`, { headers });
        assert.equal(property.status, 200);
        assert.match(await property.text(), new RegExp(`"propertyId":"${PROPERTY_ID}"`));
        const { pricing, discount } = await workplace.json(['quote', 'show', given.quoteId]);
        assert.deepEqual([pricing.total, discount], [given.total, null]);
        const resolved = await fetch(`${operatorUrl}/handoff/resolve`, {
          method: 'POST',
          headers: { authorization: `Bearer ${given.operatorToken}`, 'content-type': 'application/json' },
          body: JSON.stringify({ handoff: given.handoff }),
        });
        assert.equal(resolved.status, 200);
        assert.match(await resolved.text(), new RegExp(`"quoteId":"${given.quoteId}"`));
        const { created } = await workplace.json(['import', 'catalogue', join(SAMPLE, 'italy.ndjson')]);
        assert.equal(created, 0, 'the same properties are known');
      } finally {
        await workplace.remove();
      }
    });
  }
});
