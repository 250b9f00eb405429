/** `serve` where nothing is set: its links open on this machine, and a port that is taken stops nothing. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { text } from 'node:stream/consumers';
import { daysAhead } from './kit/catalogue-lines.ts';
import { startServer, until, Workplace } from './kit/command-line.ts';
import { type ReservedPort, reservePort } from './kit/reserved-port.ts';

/** As if the environment said nothing of travellers. */
const PLAIN = { WEB_PORT: '', HANDOFF_BASE_URL: '' };

describe('A plain serve', () => {
  let workplace: Workplace;
  let reserved: ReservedPort;
  before(async () => {
    reserved = await reservePort();
    workplace = new Workplace(PLAIN);
  });
  after(async () => {
    await workplace.remove();
    await reserved.release();
  });

  const certificatePath = (): string => join(workplace.directory, 'self-signed.pem');

  /** As a browser that was told to accept the certificate. */
  async function open(url: string): Promise<string> {
    const asked = request(url, { ca: readFileSync(certificatePath()), agent: false }).end();
    const [response] = await once(asked, 'response');
    return await text(response);
  }

  for (const WORKERS of process.platform === 'linux' ? ['1', '2'] : ['1'])
    it(`makes links that open on this machine, with ${WORKERS} workers`, async () => {
      const server = await startServer(workplace, { WEB_PORT: String(reserved.port), WORKERS });
      assert.equal(server.webUrl, `https://127.0.0.1:${reserved.port}`);
      assert.match(server.consoleUrl ?? '', /^http:\/\/localhost:\d+\/console\/sign-in\?link=/);
      const { partnerId } = await workplace.json(['partner', 'create', '--name', 'Acme']);
      const { token } = await workplace.json(['credential', 'issue', '--partner', partnerId, '--test']);
      const stay = { checkIn: daysAhead(2), checkOut: daysAhead(4), guests: 2 };
      const ask = () =>
        fetch(`${server.partnerUrl}/v1/quotes`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ propertyId: 'test-always', stay, locale: 'en-GB' }),
        });
      await until(async () => (await ask()).status === 201);
      const { handoffUrl } = (await (await ask()).json()) as { readonly handoffUrl: string };
      assert.ok(handoffUrl.startsWith(`https://localhost:${reserved.port}/handoff?`), handoffUrl);
      assert.match(await open(handoffUrl), /data-outcome="unchanged"/);
      server.child.kill('SIGTERM');
      await server.ended;
    });

  it('keeps its certificate for itself, and the next start has the same', async () => {
    const before = readFileSync(certificatePath());
    if (process.platform !== 'win32') assert.equal(statSync(certificatePath()).mode & 0o777, 0o600);
    const server = await startServer(workplace, { WEB_PORT: String(reserved.port) });
    server.child.kill('SIGTERM');
    await server.ended;
    assert.deepEqual(readFileSync(certificatePath()), before);
  });

  for (const WORKERS of process.platform === 'linux' ? ['1', '2'] : ['1'])
    it(`starts with ${WORKERS} workers beside others that start at the same time`, async () => {
      const places = [1, 2, 3].map(() => new Workplace({ ...PLAIN, WORKERS }));
      const servers = await Promise.all(places.map((place) => startServer(place)));
      assert.ok(servers.filter(({ webUrl }) => webUrl !== undefined).length <= 1);
      for (const { child } of servers) child.kill('SIGTERM');
      assert.deepEqual(
        (await Promise.all(servers.map(({ ended }) => ended))).map(({ code }) => code),
        [0, 0, 0],
      );
      for (const place of places) await place.remove();
    });

  it('is stopped by a setting of the web listener that is wrong, on its default port too', async () => {
    const nowhere = join(workplace.directory, 'nowhere');
    for (const wrong of [{ WEB_LOGO: `${nowhere}.svg` }, { WEB_TLS_CERT: nowhere, WEB_TLS_KEY: nowhere }]) {
      const ended = await workplace.run(['serve'], { env: { PORT: '0', OPERATOR_PORT: '0', ...wrong } });
      assert.equal(ended.code, 1);
      assert.match(ended.stderr, new RegExp(`^stayport: ${Object.keys(wrong)[0]}: .*nowhere`, 'm'));
    }
  });

  it('does without a web listener whose default port is taken, and not without one that was asked for', async () => {
    const other = createServer().listen(8443, '127.0.0.1');
    // Taken already, perhaps by another program: just as well.
    await Promise.race([once(other, 'listening'), once(other, 'error').catch(() => undefined)]);
    const server = await startServer(workplace);
    server.child.kill('SIGTERM');
    const { stderr, code } = await server.ended;
    assert.deepEqual([code, server.webUrl], [0, undefined]);
    assert.match(
      stderr,
      /"reason":"WEB_PORT: 127\.0\.0\.1:8443 is taken [^"]+".*the web listener does not run/,
    );
    const asked = await workplace.run(['serve'], {
      env: { PORT: '0', OPERATOR_PORT: '0', WEB_PORT: '8443' },
    });
    assert.equal(asked.code, 1);
    assert.match(asked.stderr, /^stayport: WEB_PORT: 127\.0\.0\.1:8443 is taken by another program/m);
    other.close();
  });
});
