/** Credentials with networks: from elsewhere their tokens are answered as unknown ones, and change nothing. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { updateCredential } from '../../../src/access/credential-changes.ts';
import { Wrong } from '../../../src/domain/wrong.ts';
import { reportAudit } from '../../../src/access/audit-trail.ts';
import { hotel } from '../../kit/catalogue-lines.ts';
import { until } from '../../kit/command-line.ts';
import { WorkplaceHere } from '../../kit/commands-here.ts';
import { exchange } from '../../kit/http-exchange.ts';
import { type Installation, openInstallation, type Served, valueOf } from '../../kit/installation.ts';
import { describePostgres } from '../../suites/storage/postgres-fixture.ts';

const UNKNOWN = `sp_${'a'.repeat(43)}`;
const QUOTA = 5;
const INGRESS_LIMIT = 40;
const IN_FORCE_MS_MAX = 1_000;
const HOME = '198.51.100.7';
const AWAY = '203.0.113.9';
let lastAddress = 0;

/** Each has its own ingress limit. */
function elsewhere(): string {
  return `203.0.113.${(lastAddress += 1)}`;
}

describe('Networks of a credential', () => describeNetworks(async () => undefined));
describePostgres('Networks of a credential on PostgreSQL', (server) =>
  describeNetworks(() => server().createDatabase()),
);

function describeNetworks(openDatabase: () => Promise<string | undefined>): void {
  let installation: Installation;
  let served: Served;
  let commands: WorkplaceHere;
  before(async () => {
    const given = await openDatabase();
    installation = await openInstallation(given);
    await installation.importLines([hotel('ponte')]);
    await installation.issue();
    served = await installation.serve({ TRUSTED_PROXIES: '127.0.0.1', INGRESS_LIMIT: `${INGRESS_LIMIT}` });
    commands = new WorkplaceHere(
      { DATABASE_URL: given ?? `sqlite:${installation.databasePath}` },
      () => installation.time.nowMs,
    );
  });
  after(async () => {
    await commands.remove();
    await installation.close();
  });

  async function issue(...args: readonly string[]) {
    const issued = (await commands.json(['credential', 'issue', '--partner', 'acme', ...args])) as {
      readonly credentialId: string;
      readonly token: string;
      readonly networks?: readonly string[];
    };
    // Known to the service.
    await until(async () => (await ask(issued.token, HOME)).status !== 401);
    return issued;
  }

  async function ask(token: string, from: string | undefined, path = '/v1/properties/ponte') {
    const answer = await exchange(served.partnerUrl, {
      path,
      headers: {
        authorization: `Bearer ${token}`,
        ...(from !== undefined && { 'x-forwarded-for': from }),
      },
    });
    const { headers, status, body } = answer;
    const named = Object.entries(headers).filter(([name]) => name !== 'date' && name !== 'connection');
    const correlationId = String(headers['x-correlation-id']);
    return { status, text: JSON.stringify([named, String(body)]).replaceAll(correlationId, 'ID') };
  }

  it('let its token in from there alone; elsewhere every answer is that of an unknown token', async () => {
    const { token, networks } = await issue('--network', '198.51.100.77/24', '--network', '2001:DB8::/32');
    assert.deepEqual(networks, ['198.51.100.0/24', '2001:db8::/32']);
    for (const from of [HOME, '::ffff:198.51.100.255', '[2001:db8:1::2]:443', `${AWAY}, ${HOME}`])
      assert.equal((await ask(token, from)).status, 200, from);
    for (const from of [AWAY, '::ffff:203.0.113.9', '2001:db9::1', `${HOME}, ${AWAY}`, 'nonsense', undefined])
      for (const path of ['/v1/properties/ponte', '/v1/properties/none', '/v1/properties?x=1']) {
        const [known, unknown] = [await ask(token, from, path), await ask(UNKNOWN, from, path)];
        assert.deepEqual(known, unknown, `${from} ${path}`);
        assert.equal(known.status, 401);
        assert.ok(known.text.includes('INVALID_PARTNER_CREDENTIAL'));
      }
  });

  it('do not tell from elsewhere that a token was revoked', async () => {
    const { credentialId, token } = await issue('--network', '198.51.100.0/24');
    await commands.json(['credential', 'revoke', credentialId]);
    await until(async () => (await ask(token, HOME)).status !== 200);
    assert.ok((await ask(token, HOME)).text.includes('PARTNER_ACCESS_REVOKED'));
    assert.deepEqual(await ask(token, AWAY), await ask(UNKNOWN, AWAY));
  });

  it('keep its quota from those elsewhere, whose requests the limit of their address counts', async () => {
    const { token } = await issue('--network', '198.51.100.0/24', '--quota', `${QUOTA}`);
    const away = elsewhere();
    for (let count = 0; count < INGRESS_LIMIT; count++) assert.equal((await ask(token, away)).status, 401);
    assert.equal((await ask(token, away)).status, 429);
    assert.equal((await ask(UNKNOWN, away)).status, 429);
    // The first was used until the service knew the token.
    const statuses = [];
    for (let count = 0; count < QUOTA; count++) statuses.push((await ask(token, HOME)).status);
    assert.deepEqual(statuses, [200, 200, 200, 200, 429]);
  });

  it('apply within a second of their change, also on a connection that was let in', async () => {
    const { credentialId, token } = await issue();
    assert.equal((await ask(token, AWAY)).status, 200);
    const change = async (status: number, ...networks: readonly string[]): Promise<void> => {
      const args = networks.flatMap((network) => ['--network', network]);
      await commands.json(['credential', 'update', credentialId, ...args]);
      const tookMs = await until(async () => (await ask(token, AWAY)).status === status);
      assert.ok(tookMs < IN_FORCE_MS_MAX, `${tookMs} ms`);
    };
    await change(401, HOME);
    assert.equal((await ask(token, HOME)).status, 200);
    await change(200, HOME, AWAY);
    await change(401, '2001:db8::1');
    await change(200, 'none');
  });

  it('stay with a rotation, and are listed and audited with what they were', async () => {
    const { credentialId } = await issue('--network', '198.51.100.0/24');
    const given = ['--network', '198.51.100.0/25', '--network', '198.51.100.9/25'];
    const updated = await commands.json(['credential', 'update', credentialId, ...given]);
    const rotated = (await commands.json(['credential', 'rotate', credentialId])) as { credentialId: string };
    const listed = (await commands.json(['credential', 'list'])) as readonly Record<string, unknown>[];
    const named = (id: string) => listed.find((row) => row['credentialId'] === id)!;
    const networks = ['198.51.100.0/25'];
    assert.deepEqual((updated as Record<string, unknown>)['networks'], networks);
    assert.deepEqual(named(credentialId)['networks'], networks);
    assert.deepEqual(named(rotated.credentialId)['networks'], networks);
    assert.deepEqual(named(rotated.credentialId)['scopes'], named(credentialId)['scopes']);
    const trail = await reportAudit(installation.storage, 0);
    const { from, to } = trail.find(({ act, on }) => act === 'credential update' && on === credentialId)!;
    assert.deepEqual([from, to], [{ networks: ['198.51.100.0/24'] }, { networks }]);
  });

  it('are 20 at most, and what is none is refused', async () => {
    const twenty = Array.from({ length: 20 }, (_, index) => `198.51.${index}.0/24`);
    const { credentialId } = await issue('--network', `${HOME}/32`);
    const update = (networks: readonly string[]) =>
      updateCredential(installation.access, credentialId, { networks });
    assert.deepEqual(valueOf(await update([...twenty, twenty[0]!])).networks, twenty);
    const problem = new Wrong('networksMany', { max: 20 });
    assert.deepEqual(await update([...twenty, HOME]), { ok: false, problem });
    const refused = async (...args: readonly string[]) =>
      (await commands.run(['credential', 'update', credentialId, ...args])).stderr.replaceAll(/\s+/g, ' ');
    assert.match(await refused('--network', '10.1/16'), /It must be a network such as 192\.0\.2\.0\/24/);
    assert.match(await refused('--network', 'none', '--network', HOME), /must not be given with a network/);
    assert.match(await refused(), /nothing to change: give --quota or --network/);
    assert.match(
      (await commands.run(['credential', 'update', 'cr_none', '--quota', '1'])).stderr,
      /there is no credential "cr_none"/,
    );
  });
}
