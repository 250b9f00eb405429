/**
 * How long access outlives what took it away: beside an import that the catalogue can't keep up with, and while many
 * connections ask, no longer than a second.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { after, before, describe, it } from 'node:test';
import { systemClock } from '../../../src/runtime/clock.ts';
import {
  revokeCredential,
  rotateCredential,
  issueCredential,
  updateCredential,
} from '../../../src/access/credential-changes.ts';
import { createPartner, updatePartner } from '../../../src/access/partner-changes.ts';
import { systemRandom } from '../../../src/runtime/random.ts';
import { openStorage } from '../../../src/storage/open.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { type RunningServer, startServer, until, Workplace } from '../../kit/command-line.ts';
import { hotel, inCity } from '../../kit/catalogue-lines.ts';
import { closeConnections, exchange } from '../../kit/http-exchange.ts';
import { valueOf } from '../../kit/installation.ts';

const IN_FORCE_MS_MAX = 1_000;
const PROPERTY_COUNT = 20_000;
const CONNECTION_COUNT = 24;

const workplace = new Workplace({ INGRESS_LIMIT: '0' });
let server: RunningServer;
let storage: Storage;
before(async () => {
  server = await startServer(workplace);
  storage = await openStorage(`sqlite:${workplace.databasePath}`, { clock: systemClock });
  await writeCatalogue(join(workplace.directory, 'many.ndjson'));
});
after(async () => {
  closeConnections();
  await storage.close();
  await workplace.remove();
});

const deps = () => ({ storage, clock: systemClock, random: systemRandom });

async function issue(partnerId: string) {
  valueOf(await createPartner(deps(), { name: partnerId, partnerId }));
  return valueOf(await issueCredential(deps(), { partnerId, quota: 1_000_000 }));
}

async function statusOf(token: string): Promise<number> {
  const path = '/v1/properties?city=Citta%201';
  const headers = { authorization: `Bearer ${token}` };
  return (await exchange(server.partnerUrl, { path, headers })).status;
}

describe('What was taken away while a large catalogue is imported and 24 connections ask', () => {
  it('is refused within a second', async () => {
    const [busy, revoked, disabled, rotated, elsewhere] = await Promise.all(
      ['busy', 'revoked', 'disabled', 'rotated', 'elsewhere'].map(issue),
    );
    const all = [busy!, revoked!, disabled!, rotated!, elsewhere!];
    await until(async () =>
      (await Promise.all(all.map(({ token }) => statusOf(token)))).every((status) => status === 200),
    );

    const importing = workplace.start(['import', 'catalogue', 'many.ndjson', '--json']);
    let isAsking = true;
    const statuses = new Set<number>();
    const asking = Array.from({ length: CONNECTION_COUNT }, async () => {
      while (isAsking) statuses.add(await statusOf(busy!.token));
    });
    try {
      await until(async () => (await storage.readRevision()) > 15, 20_000);
      valueOf(await revokeCredential(deps(), revoked!.credentialId));
      await assertRefusedSoon(revoked!.token);
      valueOf(await updatePartner(deps(), 'disabled', { disabled: true }));
      await assertRefusedSoon(disabled!.token);
      valueOf(await rotateCredential(deps(), rotated!.credentialId, { overlapMs: 0 }));
      await assertRefusedSoon(rotated!.token);
      valueOf(await updateCredential(deps(), elsewhere!.credentialId, { networks: ['192.0.2.0/24'] }));
      await assertRefusedSoon(elsewhere!.token);
      assert.equal(importing.child.exitCode, null, 'the import still runs');
    } finally {
      isAsking = false;
      importing.child.kill();
      await Promise.all(asking);
      await importing.ended;
    }
    assert.ok(statuses.has(200) && !statuses.has(401), `${[...statuses].join()} of who was not touched`);
  });
});

async function assertRefusedSoon(token: string): Promise<void> {
  const tookMs = await until(async () => (await statusOf(token)) === 401);
  assert.ok(tookMs < IN_FORCE_MS_MAX, `refused after ${Math.round(tookMs)} ms`);
}

/** In several cities, so that an answer is small, and there are many of them. */
async function writeCatalogue(path: string): Promise<void> {
  const file = createWriteStream(path);
  for (let index = 0; index < PROPERTY_COUNT; index++) {
    const line = hotel(`hotel-${index}`, inCity(`Citta ${index % 50}`));
    if (!file.write(`${JSON.stringify(line)}\n`)) await once(file, 'drain');
  }
  file.end();
  await finished(file);
}
