/** The feed of changes with several workers: any of them goes on from the cursor of another, and tells no less. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ListedChanges } from '../../../src/partner/changes/change-feed.ts';
import { canSharePorts } from '../../../src/app/workers/claimed-ports.ts';
import { type Line, hotel } from '../../kit/catalogue-lines.ts';
import { type RunningServer, startServer } from '../../kit/command-line.ts';
import { WorkplaceHere } from '../../kit/commands-here.ts';

const ASKERS = 8;

describe('The feed of changes of several workers', { skip: !(await canSharePorts()) }, () => {
  const workplace = new WorkplaceHere({ WORKERS: '2', INGRESS_LIMIT: '0' });
  let server: RunningServer;
  let token = '';
  before(async () => {
    await importLines([hotel('first'), hotel('second')]);
    await workplace.run(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
    const scopes = ['--scope', 'properties:read', '--scope', 'changes:read', '--quota', '100000'];
    token = (await workplace.json(['credential', 'issue', '--partner', 'acme', ...scopes])).token;
    server = await startServer(workplace);
  });
  after(async () => workplace.remove());

  async function importLines(lines: readonly Line[]): Promise<void> {
    const input = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    await workplace.json(['import', 'catalogue', '-'], { input });
  }

  /** Each on a connection of its own, so that both workers are asked. */
  async function get(path: string): Promise<Response> {
    const headers = { authorization: `Bearer ${token}`, connection: 'close' };
    const response = await fetch(server.partnerUrl + path, { headers });
    assert.equal(response.status, 200, path);
    return response;
  }

  it('is told by each, with a name that each of them then shows', async () => {
    let cursors: readonly string[] = Array.from({ length: ASKERS }, () => '');
    const begun = cursors.map(
      async () => ((await (await get('/feeds/v1/changes')).json()) as ListedChanges).next,
    );
    cursors = await Promise.all(begun);
    for (const name of ['One', 'Two', 'Three']) {
      const waiting = cursors.map(async (cursor) => {
        const told = (await (await get(`/feeds/v1/changes?since=${cursor}&wait=20`)).json()) as ListedChanges;
        assert.deepEqual(told.changes, [{ propertyId: 'first', change: 'content' }]);
        return told.next;
      });
      await importLines([hotel('first', { name })]);
      const next = await Promise.all(waiting);
      // The cursor of one is taken to another.
      cursors = [...next.slice(1), ...next.slice(0, 1)];
    }
  });
});
