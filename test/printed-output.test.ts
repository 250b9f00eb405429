/** What commands print for people: every column of a table, and what the text says of what was done. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sealHandoff } from '../src/handoff/handoff-value.ts';
import { parseSettings } from '../src/app/settings/settings.ts';
import { hotel } from './kit/catalogue-lines.ts';
import { WorkplaceHere } from './kit/commands-here.ts';
import { NOW_MS } from './kit/now.ts';

describe('The text that a command prints', () => {
  const workplace = new WorkplaceHere({}, () => NOW_MS);
  before(() => workplace.json(['import', 'catalogue', '-'], { input: JSON.stringify(hotel('hotel-ponte')) }));
  after(() => workplace.remove());
  const textOf = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await workplace.run(args);
    assert.equal(code, 0, stderr);
    return stdout;
  };

  it('of credentials has every column, and says how to make one where there are none', async () => {
    assert.match(await textOf('credential', 'list'), /credential issue/);
    await workplace.json(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
    const issued = await workplace.json(['credential', 'issue', '--partner', 'acme', '--quota', '77']);
    const [head, row] = (await textOf('credential', 'list')).split('\n');
    const shown = [
      'credentialId',
      'partnerId',
      'quota',
      'test',
      'createdAt',
      'expiresAt',
      'revokedAt',
      'networks',
      'scopes',
    ];
    assert.deepEqual(head?.trim().split(/\s{2,}/), shown);
    for (const value of [issued.credentialId, 'acme', '77']) assert.ok(row?.includes(value), row);
  });

  it('of handoff keys has every column', async () => {
    const { keyId } = await workplace.json(['handoff', 'rotate-key']);
    const [head, row] = (await textOf('handoff', 'keys')).split('\n');
    const shown = ['keyId', 'state', 'createdAt', 'opensUntil', 'retiredAt'];
    assert.deepEqual(head?.trim().split(/\s{2,}/), shown);
    assert.ok(row?.startsWith(keyId), row);
  });

  it('of a handoff value says that it is valid, also where the keys come from the settings', async () => {
    const HANDOFF_KEYS = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
    const parsed = parseSettings({ HANDOFF_KEYS });
    assert.ok(parsed.ok);
    const value = sealHandoff(parsed.settings.handoffKeys!, {
      quoteId: 'qt_1',
      propertyId: 'hotel-ponte',
      checkIn: 20_788,
      checkOut: 20_791,
      guests: 2,
      locale: 'en-GB',
      partnerId: 'acme',
      total: '300.00',
      currency: 'EUR',
      expiresAtMs: Date.UTC(2020, 0, 1),
    });
    for (const given of [value, `https://book.example/?handoff=${value}`]) {
      const ended = await workplace.run(['handoff', 'inspect', given, '--json'], { env: { HANDOFF_KEYS } });
      assert.equal(ended.code, 0, ended.stderr);
      const { valid, expired, quoteId } = JSON.parse(ended.stdout);
      assert.deepEqual([valid, expired, quoteId], [true, true, 'qt_1']);
    }
    const readable = await workplace.run(['handoff', 'inspect', value], { env: { HANDOFF_KEYS } });
    assert.match(readable.stdout, /valid +(?:true|yes)/);
  });

  it('of nights closed and opened says what was done, and what was not', async () => {
    const nights = ['--property', 'hotel-ponte', '--from', '2027-01-04', '--to', '2027-01-05'];
    const undo = '--property hotel-ponte --from 2027-01-04 --to 2027-01-05';
    const dry = await textOf('close', ...nights, '--dry-run');
    assert.match(dry, /^Dry run: nothing was written\./);
    assert.doesNotMatch(dry, /Closed manually/);
    const closed = await textOf('close', ...nights);
    assert.ok(closed.startsWith('Closed manually.') && closed.includes(`stayport open ${undo}`), closed);
    assert.match(await textOf('close', ...nights), /were closed manually already[^]*No night changes/);
    assert.match(await textOf('open', ...nights), /^No longer closed manually/);
    assert.match(await textOf('open', ...nights), /^None of these nights was closed manually/);
  });

  it('of freshness says which of two reasons it has for no rows', async () => {
    assert.match(await textOf('freshness', '--stale-hours', '8000'), /No confirmation is that old/);
    const empty = new WorkplaceHere();
    try {
      assert.match((await empty.run(['freshness'])).stdout, /No source has confirmed anything/);
    } finally {
      await empty.remove();
    }
  });
});
