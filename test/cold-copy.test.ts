/** What an ordered stop leaves: one file that is the whole database, whichever threads worked on it. */
import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { UPLOAD_PATH } from '../src/console/pages/property-form/pictures.ts';
import type { ImportState } from '../src/console/reading/import-state.ts';
import { openNow } from './kit/catalogue-lines.ts';
import { type RunningServer, startServer, until } from './kit/command-line.ts';
import { WorkplaceHere } from './kit/commands-here.ts';
import { ConsoleClient } from './kit/console-client.ts';
import { closeConnections } from './kit/http-exchange.ts';
import { plainPicture } from './kit/made-pictures.ts';

const IS_WINDOWS = process.platform === 'win32';
const SCOPES = ['properties:read', 'quotes:write'].flatMap((scope) => ['--scope', scope]);

describe(
  'The SQLite file after an ordered stop',
  { skip: IS_WINDOWS && 'Windows has no signals that a process can answer' },
  () => {
    after(closeConnections);
    for (const workers of ['1', '2'])
      it(`is whole without its log, with WORKERS=${workers}`, async () => {
        const workplace = new WorkplaceHere({ WORKERS: workers, CATALOGUE_FILE: 'off' });
        after(async () => workplace.remove());
        const token = await fill(workplace);
        const copied = new WorkplaceHere({ WORKERS: workers, CATALOGUE_FILE: 'off' });
        after(async () => copied.remove());
        const names = readdirSync(workplace.directory).filter((name) => name.includes('.db'));
        assert.deepEqual(
          names.filter((name) => /-(?:wal|shm)$/.test(name)),
          [],
        );
        copyFileSync(workplace.databasePath, copied.databasePath);
        const server = await startServer(copied);
        const found = await fetch(`${server.partnerUrl}/v1/properties?city=Venezia`, {
          headers: { authorization: `Bearer ${token}` },
        });
        assert.equal(((await found.json()) as { pagination: { total: number } }).pagination.total, 2);
        server.child.kill('SIGTERM');
        assert.equal((await server.ended).code, 0);
      });
  },
);

describe('A SQLite file that lacks its data', () => {
  const workplace = new WorkplaceHere();
  after(async () => workplace.remove());

  it('is refused beside the log of another one, which stays', async () => {
    await workplace.json(['partner', 'create', '--name', 'Acme']);
    const { databasePath } = workplace;
    for (const makeFile of [() => undefined, () => writeFileSync(databasePath, '')]) {
      renameSync(databasePath, `${databasePath}.away`);
      makeFile();
      writeFileSync(`${databasePath}-wal`, 'a log');
      const ended = await workplace.run(['serve'], { env: { PORT: '0', OPERATOR_PORT: '0' } });
      assert.equal(ended.code, 1);
      assert.match(
        ended.stderr,
        /^stayport: [^\n]*stayport\.db is (?:empty|missing)[^\n]*stayport\.db-wal[^\n]*\n$/,
      );
      assert.ok(existsSync(`${databasePath}-wal`));
      renameSync(`${databasePath}.away`, databasePath);
    }
  });
});

/** Uses every thread that opens the file: those that serve, write, follow, import, report and decode pictures. */
async function fill(workplace: WorkplaceHere): Promise<string> {
  await workplace.run(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
  const { token } = await workplace.json(['credential', 'issue', '--partner', 'acme', ...SCOPES]);
  const server = await startServer(workplace);
  const operator = await signIn(workplace, server);
  const lines = ['a', 'b'].map((propertyId) => JSON.stringify(openNow(propertyId)));
  const file = { name: 'all.ndjson', bytes: lines.join('\n') };
  const path = (await operator.upload('/console/import/import-catalogue', file)).location!;
  const becomes = (phase: string) =>
    until(async () => (await operator.rows<ImportState>(path)).phase === phase);
  await becomes('shown');
  await operator.act(`${path}/import-catalogue`, { hash: (await operator.rows<ImportState>(path)).hash! });
  await becomes('applied');
  const picture = { name: 'front.jpg', bytes: await plainPicture('jpg') };
  assert.equal((await operator.upload(UPLOAD_PATH, picture)).status, 200);
  for (const page of ['/console', '/console/demand', '/console/funnel'])
    assert.equal((await operator.get(page)).status, 200);
  server.child.kill('SIGTERM');
  assert.equal((await server.ended).code, 0);
  return token as string;
}

async function signIn(workplace: WorkplaceHere, server: RunningServer): Promise<ConsoleClient> {
  const { url } = await workplace.json(['console', 'link', '--name', 'Olga', '--role', 'admin']);
  const client = new ConsoleClient(server.operatorUrl);
  const answer = await client.post('/console/sign-in', { link: new URL(url).searchParams.get('link')! });
  client.cookie = answer.headers['set-cookie']![0]!.split(';')[0];
  return client;
}
