import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { NOW_MS } from '../../../../test/kit/now.ts';
import { DAY_MS } from '../../../domain/local-date.ts';
import { keepSelfSigned } from './self-signed.ts';

describe('The certificate of a plain service', () => {
  let folder: string;
  before(() => void (folder = mkdtempSync(join(tmpdir(), 'stayport-certificate-'))));
  after(() => rmSync(folder, { recursive: true }));

  it('is kept while it is good, and made again before it ends or where a clock was ahead', async () => {
    const path = join(folder, 'own', 'self-signed.pem');
    const serialAt = async (nowMs: number): Promise<string> => {
      await keepSelfSigned(path, nowMs);
      return new X509Certificate(readFileSync(path)).serialNumber;
    };
    const first = await serialAt(NOW_MS);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(await serialAt(NOW_MS + 300 * DAY_MS), first);
    const later = await serialAt(NOW_MS + 340 * DAY_MS);
    assert.notEqual(later, first);
    // The clock is right again: what it made is not valid yet.
    assert.notEqual(await serialAt(NOW_MS), later);
  });
});
