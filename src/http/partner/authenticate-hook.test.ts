import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildAccessDirectory } from '../../access/access-directory.ts';
import { accessRows, NOW_MS, startPartnerServer } from '../../../test/kit/http-fixtures.ts';

describe('a token that was accepted before', () => {
  it('is refused from the instant of its expiry on', async () => {
    let nowMs = NOW_MS;
    const directory = buildAccessDirectory(accessRows({ expiresAtMs: NOW_MS + 1_000 }));
    const server = await startPartnerServer({ access: () => directory, clock: () => nowMs });
    const statusAt = async (ms: number): Promise<number> => {
      nowMs = ms;
      return (await server.fetch('/v1/properties/hotel-ponte')).status;
    };
    assert.deepEqual(
      [await statusAt(NOW_MS), await statusAt(NOW_MS + 999), await statusAt(NOW_MS + 1_000)],
      [200, 200, 401],
    );
    await server.close();
  });

  it('is refused as soon as the directory says so', async () => {
    let directory = buildAccessDirectory(accessRows());
    const server = await startPartnerServer({ access: () => directory });
    assert.equal((await server.fetch('/v1/properties/hotel-ponte')).status, 200);
    directory = buildAccessDirectory(accessRows({ revokedAtMs: NOW_MS }));
    const response = await server.fetch('/v1/properties/hotel-ponte');
    assert.equal(((await response.json()) as { code: string }).code, 'PARTNER_ACCESS_REVOKED');
    await server.close();
  });
});
