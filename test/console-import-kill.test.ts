/** An import of the console whose process is killed: what stays, what the next process says, and going on. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AuditRow } from '../src/access/audit-trail.ts';
import type { ImportState } from '../src/console/reading/import-state.ts';
import { hotel } from './kit/catalogue-lines.ts';
import { type RunningServer, startServer, until } from './kit/command-line.ts';
import { WorkplaceHere } from './kit/commands-here.ts';
import { ConsoleClient } from './kit/console-client.ts';
import { closeConnections } from './kit/http-exchange.ts';

const COUNT = 6_000;
const WORKED_MS_MAX = 240_000;

describe('An import of the console whose process is killed in the middle', () => {
  const workplace = new WorkplaceHere();
  let server: RunningServer;
  before(async () => {
    server = await startServer(workplace);
  });
  after(async () => {
    closeConnections();
    await workplace.remove();
  });

  async function signIn(): Promise<ConsoleClient> {
    const { url } = await workplace.json(['console', 'link', '--name', 'Olga', '--role', 'operator']);
    const client = new ConsoleClient(server.operatorUrl);
    const answer = await client.post('/console/sign-in', { link: new URL(url).searchParams.get('link')! });
    client.cookie = answer.headers['set-cookie']![0]!.split(';')[0];
    return client;
  }

  it('is said to be interrupted by the next process, and is completed by the same file', async () => {
    const lines = Array.from({ length: COUNT }, (_none, index) => JSON.stringify(hotel(`p${index}`)));
    let operator = await signIn();
    const file = { name: 'all.ndjson', bytes: lines.join('\n') };
    const path = (await operator.upload('/console/import/import-catalogue', file)).location!;
    const stateOf = (): Promise<ImportState> => operator.rows<ImportState>(path);
    const becomes = (phase: string) => until(async () => (await stateOf()).phase === phase, WORKED_MS_MAX);
    await becomes('shown');
    const { hash } = await stateOf();
    await operator.act(`${path}/import-catalogue`, { hash: hash! });
    const stored = () => operator.rows<readonly object[]>('/console/properties');
    await until(async () => (await stored()).length > 0, WORKED_MS_MAX);
    server.child.kill('SIGKILL');
    await server.ended;
    const [entry] = (await workplace.json(['audit'])) as AuditRow[];
    assert.deepEqual([entry!.act, entry!.to], ['import catalogue', null]);

    server = await startServer(workplace);
    operator = await signIn();
    await becomes('interrupted');
    const { text } = await operator.get(path, { 'accept-language': 'en-GB' });
    assert.match(text, /What was applied stays; importing the same file again does no harm/);
    // What is left of it is shown, and then applied.
    await operator.act(`${path}/import-catalogue`, { hash: hash! });
    await becomes('shown');
    const left = await stateOf();
    assert.ok(left.changedMeanwhile && left.counts!['created']! < COUNT, JSON.stringify(left.counts));
    await operator.act(`${path}/import-catalogue`, { hash: hash! });
    await becomes('applied');
    const { applied } = await stateOf();
    assert.equal(applied!['created']! + applied!['unchanged']!, COUNT);
  });
});
