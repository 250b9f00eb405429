/**
 * Two imports into one PostgreSQL database at once: they end as if one had come after the other, and a service that
 * follows meanwhile skips nothing.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until, Workplace } from '../kit/command-line.ts';
import { double, hotel, type Line, nights } from '../kit/catalogue-lines.ts';
import { type Installation, openInstallation } from '../kit/installation.ts';
import { PartnerClient } from '../kit/partner-client.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../kit/postgres-server.ts';

const PAGE_SIZE = 50;
/** Both imports begin with the same properties, so that they meet there. */
const SHARED_COUNT = 500;
const OWN_COUNT = 1_000;
const TOTAL_COUNT = SHARED_COUNT + 2 * OWN_COUNT;
/** Properties that an earlier import of the same source named and these do not: both withdraw some. */
const LEAVING_COUNT = 200;

/** The whole catalogue as a partner sees it. */
interface Held {
  readonly total: number;
  readonly summaries: readonly unknown[];
}

describe('Two imports into one PostgreSQL database at once', { skip: postgresMissing() }, () => {
  let server: PostgresServer;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.close());

  const lineOf = (index: number, price: string): Line =>
    hotel(`p${String(index).padStart(5, '0')}`, {
      inventoryTypes: [
        double({ calendar: [nights('2026-12-01', '2026-12-31', { availability: 1, rate: price })] }),
      ],
    });
  const linesOf = (from: number, count: number): readonly Line[] =>
    Array.from({ length: count }, (_, index) => lineOf(from + index, `${50 + ((from + index) % 100)}.00`));
  const shared = linesOf(0, SHARED_COUNT);
  const north = [...shared, ...linesOf(SHARED_COUNT, OWN_COUNT)];
  const south = [...shared, ...linesOf(SHARED_COUNT + OWN_COUNT, OWN_COUNT)];
  const leaving = (source: string): readonly Line[] =>
    Array.from({ length: LEAVING_COUNT }, (_, index) => hotel(`leaving-${source}-${index}`));

  async function fillBefore(installation: Installation): Promise<void> {
    for (const source of ['north', 'south']) await installation.importLines(leaving(source), { source });
  }

  /** Everything that a partner can find, page by page. */
  async function hold(partner: PartnerClient): Promise<Held> {
    const summaries: unknown[] = [];
    for (let page = 1; ; page += 1) {
      const { items, pagination } = (await partner.search({ city: 'Venezia', page, pageSize: PAGE_SIZE }))
        .success;
      summaries.push(...items);
      const total = pagination.total;
      if (page * PAGE_SIZE >= total) return { total, summaries };
    }
  }

  async function importByCommand(
    workplace: Workplace,
    source: string,
    lines: readonly Line[],
  ): Promise<Record<string, number>> {
    const input = lines.map((line) => JSON.stringify(line)).join('\n');
    return (await workplace.json(['import', 'catalogue', '-', '--source', source, '--replace'], {
      input,
    })) as Record<string, number>;
  }

  it('end as if one had come after the other, and a service that follows skips nothing', async () => {
    const url = await server.createDatabase();
    const installation = await openInstallation(url);
    const workplace = new Workplace({ DATABASE_URL: url });
    try {
      await fillBefore(installation);
      const { token } = await installation.issue();
      const following = await installation.serve();
      const followed = new PartnerClient(following.partnerUrl, token);
      const imports = await Promise.all([
        importByCommand(workplace, 'north', north),
        importByCommand(workplace, 'south', south),
      ]);
      const last = `p${String(TOTAL_COUNT - 1).padStart(5, '0')}`;
      await until(async () => (await followed.property(last)).status === 200);
      await until(async () => (await followed.property('leaving-north-0')).status === 404);
      await until(async () => (await followed.property('leaving-south-0')).status === 404);
      await sleep(500);

      const sum = (name: string): number => imports.reduce((total, result) => total + (result[name] ?? 0), 0);
      assert.equal(sum('created'), TOTAL_COUNT);
      assert.equal(sum('withdrawn'), 2 * LEAVING_COUNT);
      const heldByFollower = await hold(followed);
      assert.equal(heldByFollower.total, TOTAL_COUNT);

      const fresh = await installation.serve();
      assert.deepEqual(await hold(new PartnerClient(fresh.partnerUrl, token)), heldByFollower);
      assert.deepEqual(await holdAfterSequence(), heldByFollower);
    } finally {
      await workplace.remove();
      await installation.close();
    }
  });

  /** What the same two imports leave behind one after the other. */
  async function holdAfterSequence(): Promise<Held> {
    const installation = await openInstallation(await server.createDatabase());
    try {
      await fillBefore(installation);
      await installation.importLines(north, { source: 'north', replace: true });
      await installation.importLines(south, { source: 'south', replace: true });
      const { token } = await installation.issue();
      return await hold(new PartnerClient((await installation.serve()).partnerUrl, token));
    } finally {
      await installation.close();
    }
  }
});
