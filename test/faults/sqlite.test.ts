/**
 * A SQLite database that is locked, that has no room or may not be written, as a partner sees it: quotes are refused
 * as unavailable, never as an error of the service; what is in memory goes on; all comes back by itself.
 */
import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProcess } from '../kit/processes/start.ts';
import { startServer, until, type User, Workplace } from '../kit/command-line.ts';
import { hotel, openNow } from '../kit/catalogue-lines.ts';
import { closeConnections } from '../kit/http-exchange.ts';
import { type Running, startInstallation } from '../kit/installation.ts';
import {
  type Answer,
  GOOD_REQUESTS,
  OPERATION_IDS,
  PartnerClient,
  quoteBody,
} from '../kit/partner-client.ts';
import {
  assertCreated,
  assertOutcomes,
  assertPrompt,
  type Load,
  report,
  startLoad,
  UNAVAILABLE,
  withOutcome,
} from './load.ts';
import { askQuote, SeveralProcesses } from './several-processes.ts';
import { mountSmallDisk, NO_SMALL_DISK, type SmallDisk } from './small-disk.ts';

/** A quote waits 2 s for the lock, and a busy machine adds something. */
const LOCKED_QUOTE_MS_MAX = 3_000;
/** Longer than a quote waits, shorter than the catalogue may be stale. */
const LOCKED_MS = 4_000;
/** Far above what a busy machine adds, far below one wait for the lock. */
const PAUSE_MS_MAX = 500;
const IMPORTED_COUNT = 4_000;
/** Room for a write-ahead log of full size (4 MB) and as much again: what is freed must not be taken by the log. */
const DISK_MEGABYTES = 16;
/** Permissions don't stop root: a process that is to meet them runs as nobody. */
const NOBODY: User | undefined = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

function quote(partner: PartnerClient) {
  return partner.quote(quoteBody('hotel-ponte', '2026-12-01', '2026-12-04'));
}

/** The three reads in turn. */
function startReads(partner: PartnerClient): Load<unknown> {
  let turn = 0;
  return startLoad(
    (): Promise<Answer<unknown>> => {
      const operationId = OPERATION_IDS[(turn += 1) % 3] ?? 'getPartnerProperty';
      return partner.ask(operationId, GOOD_REQUESTS[operationId]);
    },
    { clientCount: 2, pauseMs: 10 },
  );
}

describe('A service on SQLite', () => {
  let running: Running;
  afterEach(() => running.installation.close());

  async function start(databaseUrl?: string): Promise<void> {
    running = await startInstallation([hotel('hotel-ponte')], {}, databaseUrl);
    await until(async () => (await quote(running.partner)).status === 201);
  }

  it('reads on without a pause while another process holds the lock, refuses quotes in time, comes back', async (test) => {
    await start();
    const { partner, installation } = running;
    await using holder = startProcess('hold-lock', [installation.databasePath]);
    await holder.output.next();
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const reads = startReads(partner);
    const quotes = startLoad(() => quote(partner), { clientCount: 4 });
    await sleep(LOCKED_MS);
    const refused = [...quotes.seen];
    await holder.end();
    await until(async () => (await quote(partner)).status === 201);
    delay.disable();

    assertOutcomes(refused, [UNAVAILABLE]);
    assertPrompt(await quotes.stop(), LOCKED_QUOTE_MS_MAX);
    assertOutcomes(quotes.seen, ['201', UNAVAILABLE]);
    assertOutcomes(await reads.stop(), ['200']);
    assertPrompt(reads.seen, PAUSE_MS_MAX);
    report(test, 'reads', reads.seen);
    report(test, 'quotes', quotes.seen);
    assert.ok(delay.max / 1e6 < PAUSE_MS_MAX, `paused for ${delay.max / 1e6} ms`);
  });

  it('creates quotes all through a long import of another process', async (test) => {
    await start();
    const { partner, installation } = running;
    const workplace = new Workplace({ DATABASE_URL: `sqlite:${installation.databasePath}` });
    const lines = Array.from({ length: IMPORTED_COUNT }, (_, index) => hotel(`imported-${index}`));
    const quotes = startLoad(() => quote(partner), { clientCount: 4 });
    const reads = startReads(partner);
    const input = lines.map((line) => JSON.stringify(line)).join('\n');
    const { created } = await workplace.json(['import', 'catalogue', '-', '--source', 'import'], { input });
    assert.equal(created, IMPORTED_COUNT);
    await until(async () => (await partner.property(`imported-${IMPORTED_COUNT - 1}`)).status === 200);
    assertCreated(await quotes.stop());
    assertPrompt(quotes.seen, LOCKED_QUOTE_MS_MAX);
    assertOutcomes(await reads.stop(), ['200']);
    assertPrompt(reads.seen);
    report(test, 'reads', reads.seen);
    report(test, 'quotes', quotes.seen);
    await workplace.remove();
  });
});

describe('A service on SQLite with a full disk', () => {
  let disk: SmallDisk | undefined;
  before(() => {
    disk = mountSmallDisk(DISK_MEGABYTES);
  });
  after(() => disk?.close());

  it('refuses quotes, has all that it acknowledged, reads on, and goes on when there is room', async (test) => {
    if (disk === undefined) return test.skip(NO_SMALL_DISK);
    const databaseUrl = `sqlite:${join(disk.folder, 'stayport.db')}`;
    const { installation, partner } = await startInstallation([hotel('hotel-ponte')], {}, databaseUrl);
    try {
      await until(async () => (await quote(partner)).status === 201);
      const reads = startReads(partner);
      const quotes = startLoad(() => quote(partner), { clientCount: 4 });
      await sleep(200);
      disk.fill();
      await until(async () => withOutcome(quotes.seen, UNAVAILABLE).length > 20);
      // What a checkpoint freed was taken by quotes; now there is really nothing left.
      disk.fill();
      await sleep(500);
      const createdCount = withOutcome(quotes.seen, '201').length;
      disk.free();
      await until(async () => withOutcome(quotes.seen, '201').length > createdCount + 20);
      assertOutcomes(await quotes.stop(), ['201', UNAVAILABLE]);
      assertPrompt(quotes.seen, LOCKED_QUOTE_MS_MAX);
      assertOutcomes(await reads.stop(), ['200']);
      report(test, 'reads', reads.seen);
      report(test, 'quotes', quotes.seen);
      for (const { answer } of withOutcome(quotes.seen, '201')) {
        assert.ok(answer !== undefined && (await installation.storage.findQuote(answer.success.quoteId)));
      }
    } finally {
      await installation.close();
    }
  });
});

describe('The operator of a service on SQLite with a full disk', () => {
  it('revokes a credential, disables a partner and ends a token, and all of it counts within a second', async (test) => {
    const disk = mountSmallDisk(DISK_MEGABYTES);
    if (disk === undefined) return test.skip(NO_SMALL_DISK);
    const databaseUrl = `sqlite:${join(disk.folder, 'stayport.db')}`;
    const { installation, partner, service } = await startInstallation(
      [hotel('hotel-ponte')],
      {},
      databaseUrl,
    );
    const workplace = new Workplace({ DATABASE_URL: databaseUrl });
    try {
      await until(async () => (await quote(partner)).status === 201);
      const revoked = await installation.issue();
      const disabled = await installation.issue({ partnerId: 'disabled' });
      const quotes = startLoad(() => quote(partner), { clientCount: 4 });
      const asRevoked = new PartnerClient(service.partnerUrl, revoked.token);
      const asDisabled = new PartnerClient(service.partnerUrl, disabled.token);
      await until(async () => (await asDisabled.property('hotel-ponte')).status === 200);
      disk.fill();
      await until(async () => withOutcome(quotes.seen, UNAVAILABLE).length > 20);
      // What a checkpoint freed was taken by quotes; now there is really nothing left.
      disk.fill();
      await workplace.json(['credential', 'revoke', revoked.credentialId]);
      await until(async () => (await asRevoked.property('hotel-ponte')).status === 401, 3_000);
      await workplace.json(['partner', 'update', 'disabled', '--disable']);
      await until(async () => (await asDisabled.property('hotel-ponte')).status === 401, 3_000);
      const { operatorTokenId } = await workplace.json(['operator-token', 'issue', '--name', 'web']);
      await workplace.json(['operator-token', 'revoke', operatorTokenId]);
      await sleep(300);
      // Nor did quotes take the room that was given free for these commands.
      for (let count = 0; count < 3; count++)
        await workplace.json(['operator-token', 'issue', '--name', `web ${count}`]);
      await quotes.stop();
      disk.free();
      await until(async () => (await quote(partner)).status === 201);
    } finally {
      await workplace.remove();
      await installation.close();
      disk.close();
    }
  });
});

describe('A service on a SQLite file that may not be written', { skip: process.getuid === undefined }, () => {
  const databasesMayBe = (workplace: Workplace, folderMode: number, fileMode: number): void => {
    chmodSync(workplace.directory, folderMode);
    for (const suffix of ['', '-wal', '-shm']) chmodSync(`${workplace.databasePath}${suffix}`, fileMode);
  };

  it('reads, refuses quotes without a word about the file, and creates them once it may', async (context) => {
    const workplace = new Workplace({ INGRESS_LIMIT: '0', LOG_LEVEL: 'error' });
    // Somebody else has the database open, so that its files stay.
    const processes = new SeveralProcesses(`sqlite:${workplace.databasePath}`);
    context.after(async () => {
      closeConnections();
      await processes.remove();
      await workplace.remove();
    });
    await processes.prepare([openNow('open-house')]);
    const credential = await processes.issue();
    const first = await processes.start(credential);
    assert.equal((await askQuote(first.partner, 'open-house')).status, 201);

    databasesMayBe(workplace, 0o555, 0o444);
    const server = await startServer(workplace, {}, NOBODY === undefined ? {} : { user: NOBODY });
    const partner = new PartnerClient(server.partnerUrl, credential.token);
    assert.equal((await partner.property('open-house')).status, 200);
    const refused = await askQuote(partner, 'open-house');
    assert.equal(refused.outcome, UNAVAILABLE);
    assert.doesNotMatch(refused.text, /read-only|sqlite|permission/i);

    databasesMayBe(workplace, 0o777, 0o666);
    await until(async () => (await askQuote(partner, 'open-house')).status === 201);
    assert.deepEqual([server.printed.stderr, first.server.printed.stderr], ['', '']);
  });
});
