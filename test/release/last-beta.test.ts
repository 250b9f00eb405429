/** The last beta and this release, each as a program, on one database: neither starts beside or after the other. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { latestOf } from '../../src/storage/engine/migrations.ts';
import { POSTGRES_SCHEMA } from '../../src/storage/engine/postgres/migrate.ts';
import { GIVEN, loadBetaDump, writeBetaFiles } from '../kit/beta-database.ts';
import { NO_WEB, type RunningServer, startServer, Workplace } from '../kit/command-line.ts';
import { closeConnections } from '../kit/http-exchange.ts';
import { lastBetaMissing, unpackLastBeta } from '../kit/last-beta.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../kit/postgres-server.ts';

const SETTINGS = { LOG_LEVEL: 'error', ...NO_WEB };
const NEWER = new RegExp(
  `^stayport: the database has schema version ${latestOf(POSTGRES_SCHEMA)}, .* knows 23: use Stayport 1\\.0\\.0 or newer\\n$`,
);

class BetaWorkplace extends Workplace {
  protected override readonly bin: string;

  constructor(environment: Readonly<Record<string, string>>, bin: string) {
    super(environment);
    this.bin = bin;
  }
}

/** The cursor behind what changed, or the code of the refusal. */
async function changesOf(
  { partnerUrl }: RunningServer,
  since?: string,
): Promise<{ next?: string; code?: string }> {
  const asked = since === undefined ? '' : `?since=${encodeURIComponent(since)}`;
  const headers = { authorization: `Bearer ${GIVEN.token}` };
  const answer = await fetch(`${partnerUrl}/feeds/v1/changes${asked}`, { headers });
  return (await answer.json()) as { next?: string; code?: string };
}

/** `fill` makes a database that the beta has filled. */
async function upgradeFromBeta(
  settings: Readonly<Record<string, string>>,
  fill: (databasePath: string) => unknown,
): Promise<void> {
  const release = unpackLastBeta();
  const present = new Workplace({ ...SETTINGS, ...settings });
  const env = { DATABASE_URL: `sqlite:${present.databasePath}`, ...settings };
  const beta = new BetaWorkplace({ ...SETTINGS, ...env }, release.bin);
  try {
    await fill(present.databasePath);
    const older = await startServer(beta);
    const place = (await changesOf(older)).next;
    for (const [command, workers] of [
      ['migrate', '1'],
      ['serve', '1'],
      ['serve', '2'],
    ] as const) {
      const { code, stderr } = await present.run([command], { env: { ...env, WORKERS: workers } });
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^stayport: a beta serves this database, .*: Stayport \S+ on .*, process \d+\. Stop it/,
      );
    }
    older.child.kill('SIGTERM');
    assert.equal((await older.ended).code, 0);

    const newer = await startServer(present);
    assert.equal((await changesOf(newer, place)).code, 'FEED_CURSOR_RESET');
    assert.equal((await changesOf(newer, (await changesOf(newer)).next)).code, undefined);
    for (const args of [['serve'], ['migrate'], ['partner', 'list'], ['migrate', '--contract']]) {
      const { code, stderr } = await beta.run(args, { env });
      assert.equal(code, 1, args.join(' '));
      assert.match(stderr, NEWER, args.join(' '));
    }
    newer.child.kill('SIGTERM');
    assert.equal((await newer.ended).code, 0);
    assert.match((await beta.run(['serve'], { env })).stderr, NEWER);
  } finally {
    closeConnections();
    await beta.remove();
    await present.remove();
    release.remove();
  }
}

const missing = lastBetaMissing();
if (missing === undefined) describeLastBeta();
// Not a skipped suite: that would read as if it had been tested.
else process.stderr.write(`the last beta is NOT tested: ${missing}\n`);

function describeLastBeta(): void {
  describe('The last beta and this release on one SQLite file', () => {
    it('do not serve together, and the beta not afterwards', () => upgradeFromBeta({}, writeBetaFiles));
  });

  describe('The last beta and this release on PostgreSQL', { skip: postgresMissing() }, () => {
    let postgres: PostgresServer;
    before(async () => {
      postgres = await startPostgres();
    });
    after(() => postgres.close());
    it('do not serve together, and the beta not afterwards', async () => {
      const databaseUrl = await postgres.createDatabase();
      await upgradeFromBeta({ DATABASE_URL: databaseUrl }, () => loadBetaDump(postgres, databaseUrl));
    });
  });
}
