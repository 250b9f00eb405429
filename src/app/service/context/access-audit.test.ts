import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { samplePartner } from '../../../../test/suites/storage/sample-rows.ts';
import type { AccessRows } from '../../../storage/access/store.ts';
import { auditAccess } from './access-cache.ts';

const rowsOf = (count: number): AccessRows => ({
  partners: Array.from({ length: count }, (_, index) => samplePartner(`p${index}`, { revision: index + 1 })),
  credentials: [],
  handoffKeys: [],
  operatorTokens: [],
  siteSettings: [],
});

function audit() {
  const lines: Record<string, unknown>[] = [];
  const info = (fields: object, message: string) => lines.push({ message, ...fields });
  return { lines, taken: auditAccess({ info }) };
}

describe('the audit of access', () => {
  it('has a line and a count for each act, but none for what was there at the start', () => {
    const { lines, taken } = audit();
    taken.take(rowsOf(3));
    assert.deepEqual([lines.length, taken.counts.partner_created], [0, 0]);
    taken.take(rowsOf(5));
    assert.deepEqual(
      lines.map(({ message, act, partnerId }) => [message, act, partnerId]),
      [
        ['access changed', 'partner_created', 'p3'],
        ['access changed', 'partner_created', 'p4'],
      ],
    );
    assert.equal(taken.counts.partner_created, 2);
  });

  it('writes at most a hundred lines for one change, and says how many it left out', () => {
    const { lines, taken } = audit();
    taken.take(rowsOf(0));
    taken.take(rowsOf(250));
    assert.equal(lines.length, 101);
    assert.deepEqual(lines.at(-1), {
      message: 'access changed: more changes than are logged one by one',
      leftOutCount: 150,
    });
    assert.equal(taken.counts.partner_created, 250);
  });
});
