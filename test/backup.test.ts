/** A backup of a SQLite database while the service stores quotes, as docs/operating.md tells, and a start from it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { systemClock } from '../src/runtime/clock.ts';
import type { PartnerQuote } from '../src/contract/partner/quote-schemas.ts';
import { openStorage } from '../src/storage/open.ts';
import { until } from './kit/command-line.ts';
import { closeConnections } from './kit/http-exchange.ts';
import { assertOutcomes, type Load, startLoad, withOutcome } from './faults/load.ts';
import { askQuote, type Credential, type Instance, SeveralProcesses } from './faults/several-processes.ts';
import { openNow } from './kit/catalogue-lines.ts';

const QUOTES_BETWEEN = 50;

describe('A SQLite database that is written to', () => {
  const workplace = new SeveralProcesses('sqlite:stayport.db');
  const { databasePath, directory } = workplace.workplace;
  let credential: Credential;
  let live: Instance;
  let quotes: Load<PartnerQuote>;
  before(async () => {
    await workplace.prepare([openNow('open-house')]);
    credential = await workplace.issue();
    live = await workplace.start(credential);
    quotes = startLoad(() => askQuote(live.partner, 'open-house'), { clientCount: 2 });
  });
  after(async () => {
    await quotes.stop();
    closeConnections();
    await workplace.remove();
  });

  const createdIds = (): string[] =>
    withOutcome(quotes.seen, '201').map(({ answer }) => answer!.success.quoteId);

  async function copyByStatement(path: string): Promise<void> {
    const database = new DatabaseSync(databasePath);
    database.exec(`VACUUM INTO '${path}'`);
    database.close();
  }

  async function copyByCommand(path: string): Promise<void> {
    const urls = ['--from', `sqlite:${databasePath}`, '--to', `sqlite:${path}`];
    await workplace.workplace.json(['database', 'copy', ...urls]);
  }

  for (const [how, copy] of [
    ['VACUUM INTO', copyByStatement],
    ['database copy', copyByCommand],
  ] as const) {
    it(`is copied by ${how}: whole, with every quote from before, and serves`, async () => {
      const startCount = createdIds().length;
      await until(async () => createdIds().length >= startCount + QUOTES_BETWEEN);
      const quoteIds = createdIds();
      const path = join(directory, `${how.replace(' ', '-')}.db`);
      await copy(path);
      const copiedCount = createdIds().length;
      await until(async () => createdIds().length >= copiedCount + QUOTES_BETWEEN);

      const database = new DatabaseSync(path, { readOnly: true });
      assert.deepEqual({ ...database.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' });
      database.close();
      const storage = await openStorage(`sqlite:${path}`, { clock: systemClock });
      const found = await Promise.all(quoteIds.map((quoteId) => storage.findQuote(quoteId)));
      await storage.close();
      assert.deepEqual(
        quoteIds.filter((_quoteId, index) => found[index] === undefined),
        [],
      );
      await assertServes(path);
    });
  }

  it('and refuses nobody meanwhile', async () => {
    assertOutcomes(await quotes.stop(), ['201']);
    assert.deepEqual(SeveralProcesses.errorsOf([live]), []);
  });

  /** The partner's token is still good, and quotes are stored. */
  async function assertServes(path: string): Promise<void> {
    const restored = new SeveralProcesses(`sqlite:${path}`);
    try {
      const { partner, server } = await restored.start(credential);
      assert.equal((await partner.property('open-house')).status, 200);
      assert.equal((await askQuote(partner, 'open-house')).status, 201);
      server.child.kill('SIGTERM');
      assert.equal((await server.ended).code, 0);
    } finally {
      await restored.remove();
    }
  }
});
