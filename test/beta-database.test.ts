/** What this release does with databases of betas: it takes over those of the last one, and names what to do with others. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { activityPathOf } from '../src/storage/activity/activity-path.ts';
import { PROCESS_SEEN_MS } from '../src/storage/processes/store.ts';
import { latestOf } from '../src/storage/engine/migrations.ts';
import { POSTGRES_SCHEMA } from '../src/storage/engine/postgres/migrate.ts';
import { GIVEN, loadBetaDump, writeBetaActivity, writeBetaFiles } from './kit/beta-database.ts';
import { SAMPLE, startServer } from './kit/command-line.ts';
import { WorkplaceHere } from './kit/commands-here.ts';
import { describePostgres } from './suites/storage/postgres-fixture.ts';

/** The fixture grows older than any retention. */
const KEEP_QUOTES = { QUOTE_RETENTION_DAYS: '0', QUOTE_UNOPENED_DAYS: '0' };
const PROPERTY_ID = 'hotel-ponte-venezia';
const LATEST = latestOf(POSTGRES_SCHEMA);
const OLDER =
  'the database is of a release before 1.0.0-beta.2: start it once with 1.0.0-beta.2, which upgrades it';
const PROCESS = `INSERT INTO running_processes (process_id, release, knows, machine, pid, started_at_ms, seen_at_ms)
  VALUES ('p', '1.0.0-beta.2', 23, 'app-2', 12, 0, `;
const SERVES =
  'a beta serves this database, and no later release starts beside one: Stayport 1.0.0-beta.2 on app-2, process 12. ' +
  'Stop it first; one that was killed is forgotten after 10 minutes';

/** Both commands that upgrade a schema. */
async function assertRefused(workplace: WorkplaceHere, message: string): Promise<void> {
  for (const command of ['migrate', 'serve']) {
    const { code, stderr } = await workplace.run([command]);
    assert.equal(code, 1, command);
    assert.equal(stderr.split('\n').at(-2), `stayport: ${message}`, command);
  }
}

/** The holders of its tokens, quotes and links notice nothing. */
async function assertServes(workplace: WorkplaceHere): Promise<void> {
  const { partnerUrl, operatorUrl, child, ended } = await startServer(workplace, KEEP_QUOTES);
  try {
    const headers = { authorization: `Bearer ${GIVEN.token}` };
    const property = await fetch(`${partnerUrl}/v1/properties/${PROPERTY_ID}`, { headers });
    assert.equal(property.status, 200);
    assert.match(await property.text(), new RegExp(`"propertyId":"${PROPERTY_ID}"`));
    const { pricing } = await workplace.json(['quote', 'show', GIVEN.quoteId]);
    assert.equal(pricing.total, GIVEN.total);
    const resolved = await fetch(`${operatorUrl}/handoff/resolve`, {
      method: 'POST',
      headers: { authorization: `Bearer ${GIVEN.operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ handoff: GIVEN.handoff }),
    });
    assert.equal(resolved.status, 200);
    assert.match(await resolved.text(), new RegExp(`"quoteId":"${GIVEN.quoteId}"`));
    const { created } = await workplace.json(['import', 'catalogue', `${SAMPLE}/italy.ndjson`]);
    assert.equal(created, 0, 'the same properties are known');
    const shown = await workplace.json(['property', 'show', 'p1']);
    assert.ok(shown.inventoryTypes.length > 0, 'calendars of both codecs are read');
    const requests = await workplace.json(['requests', '--limit', '9']);
    assert.ok(requests.length > 0, 'what happened is still known');
  } finally {
    child.kill('SIGTERM');
  }
  assert.equal((await ended).code, 0);
}

describe('A SQLite file of a beta', () => {
  let workplace: WorkplaceHere;
  beforeEach(() => {
    workplace = new WorkplaceHere();
    writeBetaFiles(workplace.databasePath);
  });
  afterEach(() => workplace.remove());

  function execute(sql: string, path = workplace.databasePath): void {
    const database = new DatabaseSync(path);
    database.exec(sql);
    database.close();
  }

  function countedVersions(): readonly unknown[] {
    const database = new DatabaseSync(workplace.databasePath, { readOnly: true });
    const rows = database.prepare('SELECT version FROM schema_version ORDER BY version').all();
    database.close();
    return rows.map(({ version }) => version);
  }

  it('with all migrations of the last one is taken over by serve, with all that it holds', () =>
    assertServes(workplace));

  it('is taken over by migrate as well; other commands leave that to it', async () => {
    const env = { DATABASE_URL: `sqlite:${workplace.databasePath}` };
    const { stderr } = await workplace.run(['partner', 'list'], { env });
    assert.match(
      stderr,
      new RegExp(`the database has schema 23 and this program needs ${LATEST}: run "stayport migrate" first`),
    );
    const { stdout } = await workplace.run(['doctor', '--json'], { env });
    assert.match(stdout, /"detail":"the database is of a beta"/);
    assert.deepEqual(await workplace.json(['migrate']), { version: LATEST });
    // 25 and 26 are those of the beta, within 24; later ones are files of their own.
    const later = Array.from({ length: LATEST - 26 }, (_, index) => 27 + index);
    assert.deepEqual(countedVersions(), [24, ...later]);
    assert.ok((await workplace.json(['partner', 'list'])).length > 0);
  });

  it('that lacks a migration is refused, whichever it is, and left as it is', async () => {
    execute('DELETE FROM schema_additions WHERE version = 22');
    await assertRefused(workplace, OLDER);
    execute('DELETE FROM schema_additions WHERE version > 12');
    await assertRefused(workplace, OLDER);
    assert.deepEqual(countedVersions(), [1, 2, 3, 4, 5]);
  });

  it('of the first commit is refused', async () => {
    rmSync(activityPathOf(workplace.databasePath));
    execute(
      'DROP TABLE schema_additions; DROP TABLE schema_releases; DELETE FROM schema_version WHERE version > 1',
    );
    await assertRefused(workplace, OLDER);
  });

  it('waits while a beta serves it, and names where', async () => {
    execute(`${PROCESS} ${Date.now()})`);
    await assertRefused(workplace, SERVES);
    assert.deepEqual(countedVersions(), [1, 2, 3, 4, 5]);
    execute(`UPDATE running_processes SET seen_at_ms = ${Date.now() - PROCESS_SEEN_MS - 1}`);
    assert.deepEqual(await workplace.json(['migrate']), { version: LATEST });
  });

  it('has nothing that a copy takes before it is taken over', async () => {
    const target = `sqlite:${workplace.databasePath}.copy`;
    const args = ['database', 'copy', '--from', `sqlite:${workplace.databasePath}`, '--to', target];
    const { code, stderr } = await workplace.run(args);
    assert.deepEqual(
      [code, stderr],
      [
        1,
        `stayport: --from: the database has schema version 23, this program needs ${LATEST}: run "stayport migrate"\n`,
      ],
    );
    await workplace.json(['migrate']);
    const { tables } = await workplace.json(args);
    assert.ok(tables.length > 30);
  });

  it('goes on without its file of activity, which is optional', async () => {
    rmSync(activityPathOf(workplace.databasePath));
    assert.deepEqual(await workplace.json(['migrate']), { version: LATEST });
    assert.ok(existsSync(activityPathOf(workplace.databasePath)));
  });

  it('is not taken over with a file of activity that is older', async () => {
    execute('DELETE FROM schema_version WHERE version = 3', activityPathOf(workplace.databasePath));
    await assertRefused(workplace, OLDER.replace('the database', 'the activity file'));
    assert.deepEqual(countedVersions(), [1, 2, 3, 4, 5]);
  });
});

describe('A file of activity of a beta', () => {
  let workplace: WorkplaceHere;
  beforeEach(() => {
    workplace = new WorkplaceHere();
  });
  afterEach(() => workplace.remove());

  it('without its database is named, and not taken over by a new one', async () => {
    writeBetaActivity(workplace.databasePath);
    const path = activityPathOf(workplace.databasePath);
    const bytes = readFileSync(path);
    await assertRefused(
      workplace,
      `${path} is of a beta, and the database beside it is missing: restore the database that belongs to it, or move the file away`,
    );
    assert.deepEqual(readFileSync(path), bytes);
    rmSync(path);
    assert.deepEqual(await workplace.json(['migrate']), { version: LATEST });
  });

  it('is taken over later than its database, as after a restore; an older one is named', async () => {
    await workplace.json(['migrate']);
    const path = activityPathOf(workplace.databasePath);
    rmSync(path);
    writeBetaActivity(workplace.databasePath);
    const requests = await workplace.json(['requests', '--limit', '9']);
    assert.ok(requests.length > 0);
    rmSync(path);
    writeBetaActivity(workplace.databasePath);
    const database = new DatabaseSync(path);
    database.exec('DELETE FROM schema_version WHERE version = 2');
    database.close();
    await assertRefused(
      workplace,
      `${path} is of a beta, and the database beside it is newer: restore the database that belongs to it, or move the file away`,
    );
  });
});

describePostgres('A PostgreSQL database of a beta', (server) => {
  async function withDatabase(body: (workplace: WorkplaceHere, url: string) => Promise<void>): Promise<void> {
    const url = await loadBetaDump(server());
    const workplace = new WorkplaceHere({ DATABASE_URL: url });
    try {
      await body(workplace, url);
    } finally {
      await workplace.remove();
    }
  }

  it('with all migrations of the last one is taken over by serve, with all that it holds', () =>
    withDatabase(assertServes));

  it('that lacks migrations is refused, and left as it is', () =>
    withDatabase(async (workplace, url) => {
      await server().query('DELETE FROM schema_additions WHERE version = 22', url);
      await assertRefused(workplace, OLDER);
      await server().query('DROP TABLE schema_additions; DELETE FROM schema_version WHERE version > 1', url);
      await assertRefused(workplace, OLDER);
    }));

  it('waits while a beta serves it, and names where', () =>
    withDatabase(async (workplace, url) => {
      await server().query(`${PROCESS} ${Date.now()})`, url);
      await assertRefused(workplace, SERVES);
      await server().query('DELETE FROM running_processes', url);
      const once = await Promise.all([workplace.json(['migrate']), workplace.json(['migrate'])]);
      assert.deepEqual(once, [{ version: LATEST }, { version: LATEST }]);
    }));

  it('may have any order of text: ids are compared byte by byte', async () => {
    const name = 'italian';
    await server().query(
      `CREATE DATABASE ${name} OWNER stayport ENCODING 'UTF8' TEMPLATE template0
       LOCALE_PROVIDER icu ICU_LOCALE 'it-IT' LOCALE 'C'`,
    );
    const url = (await server().createDatabase()).replace(/[^/]+$/, name);
    await loadBetaDump(server(), url);
    const workplace = new WorkplaceHere({ DATABASE_URL: url });
    try {
      await assertServes(workplace);
    } finally {
      await workplace.remove();
      await server().query(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  });
});
