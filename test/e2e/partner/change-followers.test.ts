/** A thousand partners' programs that wait for changes, and never read what they are answered. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { ListedChanges } from '../../../src/partner/changes/change-feed.ts';
import { WAITING_PER_CREDENTIAL_MAX } from '../../../src/partner/changes/long-polls.ts';
import { hotel } from '../../kit/catalogue-lines.ts';
import { until } from '../../kit/command-line.ts';
import { exchange } from '../../kit/http-exchange.ts';
import { type Running, startInstallation } from '../../kit/installation.ts';

const FOLLOWERS = 1_000;
const CHANGES = 1_000;
const PARTNERS = 5;
const TAKEN_BYTES = 1_024;
const ANSWER_BYTES_MIN = CHANGES * 40;

interface Follower {
  readonly socket: Socket;
  readBytes: number;
  isReading: boolean;
}

describe('A thousand followers that never read their answers', () => {
  let running: Running;
  const followers: Follower[] = [];
  before(async () => {
    running = await startInstallation([hotel('first')], { MAX_CONNECTIONS_PER_ADDRESS: '0' });
  });
  after(async () => {
    for (const { socket } of followers) socket.destroy();
    await running.installation.close();
  });

  const waitingCount = async (): Promise<number> => {
    const { body } = await exchange(running.service.operatorUrl, { path: '/metrics' });
    const [, value] = /^stayport_changes_waiting (\d+)$/m.exec(Buffer.from(body).toString()) ?? [];
    return Number(value);
  };

  async function begin(token: string): Promise<string> {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${running.service.partnerUrl}/feeds/v1/changes`, { headers });
    if (answer.status !== 200) throw new Error(await answer.text());
    return ((await answer.json()) as ListedChanges).next;
  }

  /** Its socket takes a few bytes, and no more until `isReading`. */
  async function startFollower(token: string, since: string): Promise<Follower> {
    const { hostname, port } = new URL(running.service.partnerUrl);
    const callback = (count: number): boolean => {
      follower.readBytes += count;
      return follower.isReading;
    };
    const onread = { buffer: Buffer.alloc(TAKEN_BYTES), callback };
    const socket = connect({ host: hostname, port: Number(port), onread });
    const follower: Follower = { socket, readBytes: 0, isReading: false };
    await once(socket, 'connect');
    const head = `Host: ${hostname}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    socket.write(`GET /feeds/v1/changes?since=${since}&wait=20 HTTP/1.1\r\n${head}`);
    return follower;
  }

  it('are counted while they wait, told together, and cost neither memory nor the answers of others', async () => {
    const { installation, partner } = running;
    const scopes = ['changes:read'];
    const tokens: string[] = [];
    for (let count = 0; count < FOLLOWERS / WAITING_PER_CREDENTIAL_MAX; count += 1)
      tokens.push((await installation.issue({ partnerId: `p${count % PARTNERS}`, scopes })).token);
    const isAdmitted = (token: string) =>
      begin(token).then(
        () => true,
        () => false,
      );
    for (const token of tokens) await until(() => isAdmitted(token));
    for (const token of tokens) {
      const since = await begin(token);
      for (let own = 0; own < WAITING_PER_CREDENTIAL_MAX; own += 1)
        followers.push(await startFollower(token, since));
    }
    await until(async () => (await waitingCount()) === FOLLOWERS);
    const before = process.memoryUsage();
    const ids = Array.from({ length: CHANGES }, (_, index) => `hotel-${String(index).padStart(30, '0')}`);
    await installation.importLines(ids.map((id) => hotel(id)));
    let readBetween = 0;
    await until(async () => {
      const waiting = await waitingCount();
      assert.equal((await partner.property('first')).status, 200);
      if (waiting > 0 && waiting < FOLLOWERS) readBetween += 1;
      return waiting === 0;
    });
    assert.ok(readBetween > 1, 'others are answered between them');
    const { arrayBuffers } = process.memoryUsage();
    // The kernel has an answer for each of them; in memory, the followers of one partner share it.
    const grownBytes = arrayBuffers - before.arrayBuffers;
    assert.ok(grownBytes < (FOLLOWERS * ANSWER_BYTES_MIN) / 2, String(grownBytes));
    // They are there to be read: what of the import was there by then.
    const [first] = followers as [Follower];
    first.isReading = true;
    first.socket.resume();
    await until(async () => first.readBytes > 2 * TAKEN_BYTES);
    assert.equal(await waitingCount(), 0);
  });
});
