/**
 * Several processes on one PostgreSQL under load: the primary is restarted, a credential is revoked, one of the
 * processes is killed.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../src/runtime/clock.ts';
import { openStorage } from '../../src/storage/open.ts';
import type { PartnerQuote } from '../../src/contract/partner/quote-schemas.ts';
import { until } from '../kit/command-line.ts';
import { closeConnections, exchange } from '../kit/http-exchange.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../kit/postgres-server.ts';
import {
  assertCreated,
  assertOutcomes,
  assertPrompt,
  countOutcomes,
  type Load,
  NO_ANSWER,
  report,
  type Seen,
  startLoad,
  UNAVAILABLE,
  withOutcome,
} from './load.ts';
import { openNow } from '../kit/catalogue-lines.ts';
import { askQuote, type Credential, type Instance, SeveralProcesses } from './several-processes.ts';

const PROCESS_COUNT = 3;
const CLIENTS_PER_PROCESS = 3;
/** Quotes of each process before something goes wrong, and again after it. */
const CREATED_COUNT = 40;
const REVOKED_WITHIN_MS = 1_000;
/** How long a revoked credential is watched. */
const WATCHED_MS = 2_000;
const RESTARTS = ['stop', 'kill'] as const;

describe('Three processes on one PostgreSQL', { skip: postgresMissing() }, () => {
  let server: PostgresServer;
  let databaseUrl: string;
  let processes: SeveralProcesses;
  let credential: Credential;
  let instances: readonly Instance[];
  before(async () => {
    server = await startPostgres();
    databaseUrl = await server.createDatabase();
    processes = new SeveralProcesses(databaseUrl);
    await processes.prepare([openNow('open-house'), openNow('changing')]);
    credential = await processes.issue();
    instances = await Promise.all(Array.from({ length: PROCESS_COUNT }, () => processes.start(credential)));
  });
  after(async () => {
    closeConnections();
    await processes.remove();
    await server.close();
  });

  const startQuotes = ({ partner }: Instance): Load<PartnerQuote> =>
    startLoad(() => askQuote(partner, 'open-house'), { clientCount: CLIENTS_PER_PROCESS });
  const startReads = ({ partner }: Instance): Load<unknown> =>
    startLoad(() => partner.property('open-house'), { clientCount: CLIENTS_PER_PROCESS, pauseMs: 5 });

  async function stopAll<Success>(loads: readonly Load<Success>[]): Promise<readonly Seen<Success>[]> {
    return (await Promise.all(loads.map((load) => load.stop()))).flat();
  }

  const countCreated = ({ seen }: Load<PartnerQuote>): number => withOutcome(seen, '201').length;

  /** Each process has created so many quotes. */
  async function untilCreated(quotes: readonly Load<PartnerQuote>[], count: number): Promise<void> {
    await until(async () => quotes.every((load) => countCreated(load) >= count));
  }

  /** Every quote that was answered with 201 is in the database. */
  async function assertStored(seen: readonly Seen<PartnerQuote>[]): Promise<void> {
    const storage = await openStorage(databaseUrl, { clock: systemClock });
    const quoteIds = withOutcome(seen, '201').map(({ answer }) => answer?.success.quoteId ?? '');
    assert.ok(quoteIds.length >= PROCESS_COUNT * CREATED_COUNT, `${quoteIds.length} quotes were created`);
    const found = await Promise.all(quoteIds.map((quoteId) => storage.findQuote(quoteId)));
    await storage.close();
    assert.deepEqual(
      quoteIds.filter((_quoteId, index) => found[index] === undefined),
      [],
    );
  }

  async function assertAlive(alive: readonly Instance[]): Promise<void> {
    for (const one of alive) {
      assert.equal(one.server.child.exitCode, null);
      assert.equal((await exchange(one.server.operatorUrl, { path: '/livez' })).status, 200);
    }
    assert.deepEqual(SeveralProcesses.errorsOf(alive), []);
  }

  for (const how of RESTARTS) {
    it(`have every quote that they acknowledged when the primary is restarted (${how})`, async (test) => {
      const quotes = instances.map(startQuotes);
      const reads = instances.map(startReads);
      await untilCreated(quotes, CREATED_COUNT);
      await server[how]();
      await sleep(1_000);
      await server.start();
      const createdBefore = Math.max(...quotes.map(countCreated));
      await untilCreated(quotes, createdBefore + CREATED_COUNT);
      const answers = await stopAll(quotes);
      assertOutcomes(answers, ['201', UNAVAILABLE]);
      assertPrompt(answers);
      const readAnswers = await stopAll(reads);
      assertOutcomes(readAnswers, ['200']);
      await assertStored(answers);
      report(test, 'quotes', answers);
      report(test, 'reads', readAnswers);
      await assertAlive(instances);
    });
  }

  for (const [what, command] of [
    ['a credential is revoked', (revoked: Credential) => ['credential', 'revoke', revoked.credentialId]],
    ['its partner is disabled', () => ['partner', 'update', 'acme', '--disable']],
  ] as const) {
    it(`let nothing through later than ${REVOKED_WITHIN_MS} ms after ${what}, under load`, async (test) => {
      const revoked = await processes.issue();
      const watched = instances.map((instance) => ({
        ...instance,
        partner: instance.partner.with({ authorization: `Bearer ${revoked.token}` }),
      }));
      for (const { partner } of watched) {
        await until(async () => (await partner.property('open-house')).status === 200);
      }
      const quotes = watched.map(startQuotes);
      const reads = watched.map(startReads);
      await sleep(300);
      await processes.workplace.json(command(revoked));
      const returnedAtMs = performance.now();
      await sleep(WATCHED_MS);
      let lastMs = 0;
      for (const load of [...quotes, ...reads]) {
        const answers = await load.stop();
        assertOutcomes(answers, [load.seen[0]?.outcome ?? '', '401 PARTNER_ACCESS_REVOKED']);
        const late = answers.filter(
          ({ outcome, answeredAtMs }) =>
            outcome.startsWith('2') && answeredAtMs > returnedAtMs + REVOKED_WITHIN_MS,
        );
        assert.deepEqual(countOutcomes(late), {});
        const passed = answers.filter(({ outcome }) => outcome.startsWith('2'));
        lastMs = Math.max(lastMs, (passed.at(-1)?.answeredAtMs ?? 0) - returnedAtMs);
      }
      test.diagnostic(`the last 2xx came ${Math.round(lastMs)} ms after the command returned, at the latest`);
      await assertAlive(instances);
    });
  }

  it('go on without the one that is killed, and with the one that replaces it', async (test) => {
    await processes.workplace.json(['partner', 'update', 'acme', '--enable']);
    for (const { partner } of instances) {
      await until(async () => (await partner.property('open-house')).status === 200);
    }
    const [killed, ...others] = instances;
    assert.ok(killed);
    const quotes = instances.map(startQuotes);
    const reads = others.map(startReads);
    await untilCreated(quotes, CREATED_COUNT);
    killed.server.child.kill('SIGKILL');
    assert.equal((await killed.server.ended).signal, 'SIGKILL');
    await processes.importLines([openNow('changing', { name: 'Changed after the kill' })]);
    for (const { partner } of others) await untilChanged(partner);
    const replacement = await processes.start(credential);
    await untilChanged(replacement.partner);
    assert.equal((await askQuote(replacement.partner, 'open-house')).status, 201);

    const [answersOfKilled = [], ...answersOfOthers] = await Promise.all(quotes.map((load) => load.stop()));
    assertOutcomes(answersOfKilled, ['201', NO_ANSWER]);
    assertCreated(answersOfOthers.flat());
    assertPrompt(answersOfOthers.flat());
    assertOutcomes(await stopAll(reads), ['200']);
    await assertStored([...answersOfKilled, ...answersOfOthers.flat()]);
    report(test, 'quotes at the one that was killed', answersOfKilled);
    report(test, 'quotes at the others', answersOfOthers.flat());
    await assertAlive([...others, replacement]);
  });

  async function untilChanged(partner: Instance['partner']): Promise<void> {
    await until(async () => (await partner.property('changing')).success.name === 'Changed after the kill');
  }
});
