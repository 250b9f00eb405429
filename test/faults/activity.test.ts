/** A service that is killed loses what it counted since its last write, and counts nothing twice. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { TrafficEntry } from '../../src/activity/traffic-report.ts';
import { canSharePorts } from '../../src/workers/claimed-ports.ts';
import { openNow } from '../kit/catalogue-lines.ts';
import { type RunningServer, startServer, until, Workplace } from '../kit/command-line.ts';
import { askAtOnce } from '../kit/many-requests.ts';

const WRITTEN_MS_MAX = 25_000;
const EACH = 40;

describe('What happened to a service that is killed', () => {
  let workplace: Workplace;
  let token = '';
  before(async () => {
    workplace = new Workplace({ WORKERS: (await canSharePorts()) ? '2' : '1', INGRESS_LIMIT: '0' });
    await workplace.json(['import', 'catalogue', '-'], { input: JSON.stringify(openNow('open')) });
    await workplace.json(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
    ({ token } = await workplace.json(['credential', 'issue', '--partner', 'acme', '--quota', '100000']));
  });
  after(() => workplace.remove());

  const ask = async ({ partnerUrl }: RunningServer): Promise<void> => {
    const answers = await askAtOnce([partnerUrl], token, EACH);
    assert.ok(answers.every(({ status }) => status === 200));
  };
  const countTraffic = async (): Promise<number> => {
    const rows: TrafficEntry[] = await workplace.json(['traffic']);
    return rows.reduce((sum, { count }) => sum + count, 0);
  };

  it('is kept but for the last ten seconds, each time', async () => {
    let least = 0;
    for (let round = 0; round < 2; round += 1) {
      const server = await startServer(workplace);
      await ask(server);
      least += EACH;
      await until(async () => (await countTraffic()) >= least, WRITTEN_MS_MAX);
      await ask(server);
      server.child.kill('SIGKILL');
      await server.ended;
      const counted = await countTraffic();
      assert.ok(counted >= least && counted <= least + EACH, `${counted} of ${least + EACH}`);
      least = counted;
    }
    const last = await startServer(workplace);
    await ask(last);
    last.child.kill('SIGTERM');
    await last.ended;
    assert.equal(await countTraffic(), least + EACH);
  });
});
