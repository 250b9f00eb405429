import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { describe, it } from 'node:test';
import { makeTestCertificates } from '../../../../test/kit/test-certificates.ts';
import { CONNECTIONS_MAX, startDemoBooking } from './demo-booking.ts';

describe("The demo's booking site", () => {
  it('takes so many connections at once, and one more when one has ended', async () => {
    const { certificate: cert, key, authority: ca } = makeTestCertificates();
    const site = await startDemoBooking({ cert, key });
    const { port } = new URL(site.urlTemplate.split('?')[0]!);
    const open: TLSSocket[] = [];
    const isTaken = async (): Promise<boolean> => {
      const socket = connect({ host: '127.0.0.1', port: Number(port), servername: 'localhost', ca });
      open.push(socket);
      socket.on('error', () => undefined);
      return Promise.race([
        once(socket, 'secureConnect').then(
          () => true,
          () => false,
        ),
        once(socket, 'close').then(() => false),
      ]);
    };
    try {
      for (let count = 1; count <= CONNECTIONS_MAX; count += 1) assert.ok(await isTaken(), String(count));
      assert.equal(await isTaken(), false);
      const first = open[0]!.end();
      await once(first, 'close');
      assert.ok(await isTaken());
    } finally {
      for (const socket of open) socket.destroy();
      await site.close();
    }
  });
});
