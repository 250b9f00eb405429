/** `doctor` names what is wrong and what to do, and nothing else: prepared faults, one at a time. */
import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { generate } from 'selfsigned';
import { SUPPLY_AGE_SOURCE } from '../src/domain/layers.ts';
import type { PrintedResult } from '../src/app/doctor/check.ts';
import { CHECKS } from '../src/app/doctor/doctor.ts';
import { latestOf } from '../src/storage/engine/migrations.ts';
import { POSTGRES_SCHEMA } from '../src/storage/engine/postgres/migrate.ts';
import { hotel } from './kit/catalogue-lines.ts';
import { writeBetaFiles } from './kit/beta-database.ts';
import { type Environment, startServer, until, Workplace } from './kit/command-line.ts';
import { WorkplaceHere } from './kit/commands-here.ts';
import { exchange } from './kit/http-exchange.ts';
import { type PostgresServer, postgresMissing, startPostgres, startStandby } from './kit/postgres-server.ts';
import { redisMissing, type RedisServer, startRedis } from './kit/redis-server.ts';
import { type ReservedPort, reservePort } from './kit/reserved-port.ts';

const DAY_MS = 86_400_000;
const IS_WINDOWS = process.platform === 'win32';
const SECRET = 'hunter2-hunter2';
/** Where the service does not run, nothing is asked over the network. */
const REACHED = {
  PUBLIC_URL: 'https://partners.example.com',
  TRUSTED_PROXIES: '10.0.0.0/8',
  HANDOFF_BASE_URL: 'https://book.example.com/handoff',
  MAX_CONNECTIONS: '100',
  WEB_IMPRINT_URL: 'https://example.com/imprint',
  WEB_PRIVACY_URL: 'https://example.com/privacy',
};

interface Expected {
  readonly check: string;
  readonly status: 'warn' | 'fail';
  readonly detail: RegExp;
  readonly fix: RegExp;
}

/** The services of tests are reached from this machine alone. */
const ONLY_HERE: Expected = {
  check: 'handoff url',
  status: 'warn',
  detail: /^HANDOFF_BASE_URL is .*, which this machine alone can open/,
  fix: /HANDOFF_BASE_URL=https:\/\/YOUR-HOST\/handoff/,
};

/** The only check that is not ok, unless more are expected. */
async function assertFound(
  workplace: Workplace,
  expected: readonly Expected[],
  env: Environment = {},
): Promise<void> {
  const { code, stdout, stderr } = await workplace.run(['doctor', '--json'], { env });
  assert.equal(stderr, '');
  assert.ok(!stdout.includes(SECRET), stdout);
  const results = JSON.parse(stdout) as readonly PrintedResult[];
  for (const { status, fix } of results) assert.equal(fix === null, status === 'ok');
  const wrong = results.filter(({ status }) => status !== 'ok');
  assert.deepEqual(
    wrong.map(({ check, status }) => [check, status]),
    expected.map(({ check, status }) => [check, status]),
    JSON.stringify(wrong),
  );
  for (const [index, { detail, fix }] of expected.entries()) {
    assert.match(wrong[index]!.detail, detail);
    assert.match(wrong[index]!.fix ?? '', fix);
  }
  assert.equal(code, wrong.some(({ status }) => status === 'fail') ? 1 : 0);
}

describe('doctor on one machine', () => {
  let workplace: WorkplaceHere;
  let ports: readonly ReservedPort[];
  let environment: Environment;
  beforeEach(async () => {
    ports = [await reservePort(), await reservePort()];
    environment = { ...REACHED, PORT: String(ports[0]!.port), OPERATOR_PORT: String(ports[1]!.port) };
    workplace = new WorkplaceHere(environment);
    await workplace.json(['migrate']);
  });
  afterEach(async () => {
    await workplace.remove();
    for (const port of ports) await port.release();
  });

  it('says of the saved catalogue why the next start will not use it, and where it can not be written', async () => {
    const path = join(workplace.directory, 'catalogue.cache');
    writeFileSync(path, 'x'.repeat(100), { mode: 0o600 });
    const check = { check: 'catalogue file', status: 'warn' } as const;
    const unfit = {
      ...check,
      detail: /catalogue\.cache and reads the database: it is damaged in section 0/,
      fix: /CATALOGUE_FILE/,
    };
    await assertFound(workplace, [unfit], environment);
    if (!IS_WINDOWS) {
      chmodSync(path, 0o644);
      await assertFound(workplace, [{ ...check, detail: /mode 644/, fix: /^chmod 600 / }], environment);
    }
    const nowhere = { ...environment, CATALOGUE_FILE: join(workplace.directory, 'nowhere', 'x') };
    const missing = {
      check: 'catalogue file',
      status: 'fail',
      detail: /does not start: ENOENT/,
      fix: /CATALOGUE_FILE/,
    } as const;
    await assertFound(workplace, [missing], nowhere);
  });

  function change(sql: string): void {
    const database = new DatabaseSync(workplace.databasePath);
    database.exec(sql);
    database.close();
  }

  const find = (check: string, status: 'warn' | 'fail', detail: RegExp, fix: RegExp, env: Environment = {}) =>
    assertFound(workplace, [{ check, status, detail, fix }], env);

  it('finds nothing in a healthy installation, and prints a table', async () => {
    await assertFound(workplace, []);
    const { code, stdout } = await workplace.run(['doctor']);
    assert.equal(code, 0);
    assert.match(stdout, /^ok {4}settings {2,}\d+ are set, all valid$/m);
    assert.match(stdout, new RegExp(`^${CHECKS.length} ok, 0 warnings, 0 failures$`, 'm'));
  });

  it('changes nothing, and creates no file', async () => {
    const other = new WorkplaceHere(REACHED);
    await assertFound(other, [
      { check: 'database schema', status: 'warn', detail: /is empty/, fix: /stayport migrate/ },
    ]);
    assert.throws(() => readFileSync(other.databasePath), /ENOENT/);
    await other.remove();
  });

  it('prints the fix under what is wrong', async () => {
    const { code, stdout } = await workplace.run(['doctor'], { env: { WORKERS: 'many' } });
    assert.equal(code, 1);
    assert.match(stdout, /^fail {2}settings .*WORKERS: "many" is neither.*\n {10,}fix: correct WORKERS/m);
  });

  it('a wrong setting', () =>
    find('settings', 'fail', /^QUOTE_TTL_SECONDS: "abc" is not a whole number/, /correct QUOTE_TTL_SECONDS/, {
      QUOTE_TTL_SECONDS: 'abc',
    }));

  it('all wrong settings at once, without a secret', () =>
    find('settings', 'fail', /^HANDOFF_KEYS: .*; LOG_LEVEL: "loud"/, /correct HANDOFF_KEYS, LOG_LEVEL/, {
      HANDOFF_KEYS: SECRET,
      LOG_LEVEL: 'loud',
    }));

  it('a certificate without its key', () =>
    find('settings', 'fail', /WEB_TLS_KEY: is not set, but WEB_TLS_CERT is/, /correct WEB_TLS_KEY/, {
      WEB_TLS_CERT: '/x.pem',
    }));

  it('a logo that is not there', () =>
    find('setting files', 'fail', /WEB_LOGO: .*nowhere\.png/, /that this user may read/, {
      WEB_LOGO: '/nowhere.png',
    }));

  it('a misspelled name in .env', async () => {
    writeFileSync(join(workplace.directory, '.env'), 'HANDOF_KEYS=x\nPOSTGRES_PASSWORD=y\n', { mode: 0o600 });
    await find(
      'settings',
      'warn',
      /HANDOF_KEYS has no effect \(did you mean HANDOFF_KEYS\?\)/,
      /rename or remove HANDOF_KEYS/,
    );
  });

  it('.env that other users may write', { skip: IS_WINDOWS }, async () => {
    const path = join(workplace.directory, '.env');
    writeFileSync(path, 'LOG_LEVEL=loud\n');
    chmodSync(path, 0o666);
    await find('environment file', 'fail', /is not read, because other users may write it/, /chmod go-w/);
  });

  it('.env that other users may read', { skip: IS_WINDOWS }, async () => {
    const path = join(workplace.directory, '.env');
    writeFileSync(path, `REDIS_PASSWORD=${SECRET}\n`);
    chmodSync(path, 0o644);
    await find('environment file', 'warn', /other users may read .*\.env, which holds secrets/, /chmod 600/);
  });

  it('a wrong value in .env', async () => {
    writeFileSync(join(workplace.directory, '.env'), 'INGRESS_LIMIT=few\n', { mode: 0o600 });
    await find('settings', 'fail', /INGRESS_LIMIT: "few"/, /correct INGRESS_LIMIT/);
  });

  it('a database file that is damaged', async () => {
    writeFileSync(workplace.databasePath, 'not a database, but long enough to be taken for one'.repeat(100));
    await find('database', 'fail', /not a database/, /check DATABASE_URL/);
  });

  it('a database of a beta', async () => {
    writeBetaFiles(workplace.databasePath);
    await find('database schema', 'fail', /the database is of a beta/, /no beta starts afterwards/);
  });

  it('a schema that needs a newer release', async () => {
    change(
      `INSERT INTO schema_version VALUES (901, '901-later.sql', 0); INSERT INTO schema_releases VALUES (901, '9.1.0', 900)`,
    );
    await find('database schema', 'fail', /use Stayport 9\.1\.0 or newer/, /start the named release/);
  });

  it('files that other users may read', { skip: IS_WINDOWS }, async () => {
    chmodSync(workplace.databasePath, 0o644);
    await find(
      'database modes',
      'warn',
      /every user may open .*stayport\.db, which holds the handoff keys/,
      /chmod 600 .*stayport\.db/,
    );
  });

  it('a folder in which other users may replace files', { skip: IS_WINDOWS }, async () => {
    chmodSync(workplace.directory, 0o777);
    await find('database modes', 'warn', /every user may replace files in/, /chmod o-w/);
  });

  it('a port that another program has', async () => {
    const server = await listenOn(ports[0]!.port);
    await find(
      'ports',
      'fail',
      /PORT: 127\.0\.0\.1:\d+ is taken by another program/,
      /set PORT to another port/,
    );
    server.close();
  });

  it('an address that is not of this machine', () =>
    find(
      'ports',
      'fail',
      /HOST: this machine can not listen on 192\.0\.2\.1 \(EADDRNOTAVAIL\)/,
      /an address of this machine/,
      { HOST: '192.0.2.1' },
    ));

  it('a proxy that is not trusted', () =>
    find(
      'proxies',
      'warn',
      /TRUSTED_PROXIES is empty: all partners share one ingress limit/,
      /set TRUSTED_PROXIES=/,
      { TRUSTED_PROXIES: '' },
    ));

  it('HANDOFF_BASE_URL that was never set', () =>
    find('handoff url', 'warn', /this machine alone can open/, /settings set HANDOFF_BASE_URL=https:/, {
      HANDOFF_BASE_URL: '',
    }));

  it('PUBLIC_URL that was never set', () =>
    find('public url', 'warn', /only this machine reaches/, /set PUBLIC_URL/, { PUBLIC_URL: '' }));

  for (const [what, days, status, detail] of [
    ['that has ended', -1, 'fail', /WEB_TLS_CERT ended on \d{4}-/],
    ['that ends soon', 5, 'warn', /WEB_TLS_CERT ends in [45] days/],
  ] as const) {
    it(`a certificate ${what}`, async () => {
      const files = await writeCertificate(workplace, days);
      await find('certificate', status, detail, /renew the certificate/, files);
    });
  }

  it('a certificate with the key of another one', async () => {
    const { WEB_TLS_CERT = '' } = await writeCertificate(workplace, 90);
    const other = await writeCertificate(workplace, 90, 'other');
    await find('certificate', 'fail', /is not the key of/, /issued together/, { ...other, WEB_TLS_CERT });
  });

  it('a certificate for another name', async () => {
    const files = await writeCertificate(workplace, 90);
    const env = { ...files, HANDOFF_BASE_URL: 'https://other.example.com/handoff' };
    await find(
      'certificate',
      'warn',
      /is not for other\.example\.com/,
      /a certificate for other\.example\.com/,
      env,
    );
  });

  it('an operator token that never ends', async () => {
    const { operatorTokenId, token } = await workplace.json(['operator-token', 'issue', '--name', 'pms']);
    await find(
      'operator tokens',
      'warn',
      new RegExp(`1 never end: ${operatorTokenId}`),
      /successors that expire/,
    );
    const { stdout } = await workplace.run(['doctor', '--json']);
    assert.ok(!stdout.includes(token));
  });

  it('a handoff key that is damaged', async () => {
    change(
      `INSERT INTO handoff_keys (key_id, revision, secret, created_at_ms) VALUES ('k1', 1, '${SECRET}', 0)`,
    );
    await find('handoff keys', 'fail', /a stored handoff key is damaged/, /rotate-key/);
  });

  const FEED = `INSERT INTO ical_feeds (feed_id, property_id, inventory_type_id, url, every_seconds, created_at_ms,
    next_poll_at_ms, failure_count`;
  it('a feed that can not be read, without its address', async () => {
    change(
      `${FEED}, failure) VALUES ('feed_1', 'a', 'b', 'https://x.example/${SECRET}', 60, 0, 0, 3, 'it answers 404')`,
    );
    await find('feeds', 'warn', /1 can not be read: feed_1/, /ical list/);
  });

  it('a feed that is held back', async () => {
    change(`${FEED}, held_nights) VALUES ('feed_1', 'a', 'b', 'https://x.example/', 60, 0, 0, 0, '[]')`);
    await find('feeds', 'warn', /1 are held back.*feed_1/, /ical accept/);
  });

  const CONNECTION = `INSERT INTO connections (name, kind, account, created_at_ms, key, tokens, settings, allowed,
    every_seconds, max_age_seconds, next_poll_at_ms, failure_count, rooms, calls, is_refused`;
  const ROOM = `INSERT INTO connection_rooms (name, room, source, property_id, inventory_type_id, mapped_at_ms, unpriced,
    is_closed) VALUES ('smoobu', '1', 'connection:smoobu', 'a', 'b', 0, '[]', 0)`;
  it('a connection whose key is wrong, one that is not read, and a key that ends', async () => {
    const key = `'{"key":"${SECRET}"}'`;
    const values = `('smoobu', 'smoobu', '9', 0, ${key}, '{}', '{}', '[]', 900, 86400, 0, 1, '[]', '{}'`;
    change(`${CONNECTION}) VALUES ${values}, 1)`);
    await find('connections', 'warn', /1 are refused.*smoobu/, /connection key/);
    change('UPDATE connections SET is_refused = 0, key_ends_at_ms = 1');
    await find('connections', 'warn', /1 have a key that ends/, /connection key/);
    change(ROOM);
    await find('connections', 'warn', /1 have types that are not read: smoobu/, /connection list/);
  });

  for (const [columns, values, detail, fix] of [
    ['failing_since_ms', '1', /1 fail, and are tried again: wh_1/, /webhook deliveries/],
    ['disabled_at_ms, disabled_reason', `1, 'failing'`, /1 were stopped.*wh_1/, /webhook enable/],
    ['disabled_at_ms, disabled_reason', `1, 'gone'`, /1 were stopped.*wh_1/, /webhook enable/],
  ] as const)
    it(`a webhook with ${columns} = ${values}`, async () => {
      change(`INSERT INTO partners VALUES ('acme', 1, 'Acme', '[]', 0, 0)`);
      change(
        `INSERT INTO webhooks (webhook_id, partner_id, url, events, created_at_ms, ${columns})
         VALUES ('wh_1', 'acme', 'https://acme.example/${SECRET}', '[]', 0, ${values})`,
      );
      await find('webhooks', 'warn', detail, fix);
    });

  it('says that silent sources are not checked while no service runs', async () => {
    const { stdout } = await workplace.run(['doctor', '--json']);
    const sources = (JSON.parse(stdout) as PrintedResult[]).find(({ check }) => check === 'sources');
    assert.match(sources?.detail ?? '', /^not checked: no service runs here/);
  });

  it('a port in a plain PUBLIC_URL that is not PORT: a hint of a proxy', async () => {
    const env = { PUBLIC_URL: 'http://partners.example.com', TRUSTED_PROXIES: '', PORT: '8080' };
    await find('proxies', 'warn', /names port 80, and PORT is 8080/, /TRUSTED_PROXIES/, env);
    await assertFound(workplace, [], { ...env, PUBLIC_URL: 'http://partners.example.com:8080' });
  });

  it('a web listener without legal pages', async () => {
    const env = { WEB_PORT: '0', WEB_PRIVACY_URL: '' };
    await find('legal pages', 'warn', /no link for WEB_PRIVACY_URL$/, /set WEB_PRIVACY_URL to/, env);
  });

  it('taxes that end before the last night offered, and none that go on', async () => {
    const year = new Date().getUTCFullYear();
    const tax = (validFrom: string, validTo: string | null) => {
      const of = { code: 'city', kind: 'city_tax', logic: 'per_person_per_night', amount: '3.50' };
      return { ...of, validFrom, validTo };
    };
    const ends = tax(`${year}-01-01`, `${year + 1}-03-31`);
    const goesOn = tax(`${year + 1}-04-01`, null);
    const load = async (taxes: readonly object[]): Promise<void> => {
      const lines = [hotel('ponte', { taxes }), hotel('plain', { taxes: [goesOn] })];
      const input = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      assert.equal((await workplace.run(['import', 'catalogue', '-'], { input })).code, 0);
    };
    await load([ends]);
    const detail = new RegExp(`later nights are quoted without it: ponte, city: ${year + 1}-03-31$`);
    await find('taxes that end', 'warn', detail, /^add the rule that follows to "taxes"/);
    await load([ends, goesOn]);
    await assertFound(workplace, []);
  });

  it('sources that are silent', async () => {
    change(
      `INSERT INTO calendar_layers VALUES ('hotel-a', 'double', '${SUPPLY_AGE_SOURCE}', 0, x'01', x'01')`,
    );
    await find('sources', 'warn', /1 properties are closed.*: hotel-a/, /"stayport freshness" says which/);
  });

  it('too few open files', { skip: IS_WINDOWS }, async () => {
    const child = new Workplace({ ...environment, DATABASE_URL: `sqlite:${workplace.databasePath}` });
    const { code, stdout } = await child.run(['doctor', '--json'], { descriptorsMax: 600 });
    const wrong = (JSON.parse(stdout) as PrintedResult[]).filter(({ status }) => status !== 'ok');
    assert.deepEqual([code, wrong.map(({ check }) => check)], [0, ['open files']]);
    assert.match(wrong[0]!.detail, /^600 files may be open, and MAX_CONNECTIONS=100 can need 612/);
    assert.match(wrong[0]!.fix ?? '', /LimitNOFILE=612/);
    await child.remove();
  });
});

describe('doctor beside a running service', () => {
  let workplace: Workplace;
  let ports: readonly ReservedPort[];
  let files: Environment;
  let urls: Environment;
  before(async () => {
    ports = [await reservePort(), await reservePort(), await reservePort()];
    const [port, operatorPort, webPort] = ports.map((reserved) => String(reserved.port)) as [
      string,
      string,
      string,
    ];
    workplace = new Workplace({
      MAX_CONNECTIONS: '100',
      PORT: port,
      OPERATOR_PORT: operatorPort,
      WEB_PORT: webPort,
      WEB_IMPRINT_URL: 'https://example.com/imprint',
      WEB_PRIVACY_URL: 'https://example.com/privacy',
    });
    files = await writeCertificate(workplace, 90);
    urls = {
      ...files,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      HANDOFF_BASE_URL: `https://127.0.0.1:${webPort}/handoff`,
    };
    await startServer(workplace, { ...urls, PORT: port, OPERATOR_PORT: operatorPort });
  });
  after(async () => {
    await workplace.remove();
    for (const port of ports) await port.release();
  });

  it('finds that only this machine opens links, and sees its ports and pages', async () => {
    await assertFound(workplace, [ONLY_HERE], urls);
    const { stdout } = await workplace.run(['doctor'], { env: urls });
    assert.match(stdout, /ports +PORT \d+ is ours, OPERATOR_PORT \d+ is ours, WEB_PORT \d+ is ours/);
    assert.match(stdout, /handoff url .*https:\/\/127\.0\.0\.1:\d+ answers/);
    assert.match(stdout, /releases +1 processes serve this database/);
  });

  it('finds a PUBLIC_URL that leads to another program', async () => {
    const server = await listenOn(0);
    const { port } = server.address() as AddressInfo;
    await assertFound(
      workplace,
      [
        {
          check: 'public url',
          status: 'fail',
          detail: /answers with 200, and not as the partner listener/,
          fix: /where the proxy leads/,
        },
        ONLY_HERE,
      ],
      { ...urls, PUBLIC_URL: `http://127.0.0.1:${port}` },
    );
    server.close();
  });

  it('finds a PUBLIC_URL that does not answer', async () => {
    const free = await reservePort();
    await assertFound(
      workplace,
      [
        {
          check: 'public url',
          status: 'warn',
          detail: /does not answer this machine \(ECONNREFUSED\)/,
          fix: /check PUBLIC_URL/,
        },
        ONLY_HERE,
      ],
      { ...urls, PUBLIC_URL: `http://127.0.0.1:${free.port}` },
    );
    await free.release();
  });

  it('finds a HANDOFF_BASE_URL that leads to no page', async () => {
    await assertFound(
      workplace,
      [{ check: 'handoff url', status: 'fail', detail: /answers with 404/, fix: /check HANDOFF_BASE_URL/ }],
      { ...urls, HANDOFF_BASE_URL: urls['HANDOFF_BASE_URL']!.replace(/handoff$/, 'nothing') },
    );
  });

  it('finds who connects and is not trusted', { skip: process.platform !== 'linux' }, async () => {
    const proxy = connect({ port: ports[0]!.port, host: '127.0.0.1', localAddress: '127.0.0.9' });
    await once(proxy, 'connect');
    const { stdout } = await workplace.run(['doctor', '--json'], {
      env: { ...urls, PUBLIC_URL: `https://127.0.0.1:${ports[2]!.port}`, TRUSTED_PROXIES: '127.0.0.1/32' },
    });
    const found = (JSON.parse(stdout) as PrintedResult[]).find(({ check }) => check === 'proxies');
    assert.match(`${found?.status} ${found?.detail}`, /^warn 127\.0\.0\.9 connects to PORT/);
    assert.match(found?.fix ?? '', /TRUSTED_PROXIES=127\.0\.0\.1\/32,127\.0\.0\.9\/32/);
    proxy.destroy();
  });

  it('finds a proxy by what it sends, where the URL hints at none', async () => {
    const proxies = async () => {
      const { stdout } = await workplace.run(['doctor', '--json'], { env: urls });
      return (JSON.parse(stdout) as PrintedResult[]).find(({ check }) => check === 'proxies');
    };
    assert.equal((await proxies())?.status, 'ok');
    const headers = { 'x-forwarded-for': '198.51.100.7' };
    await exchange(urls['PUBLIC_URL']!, { path: '/v1/properties', headers });
    const found = await proxies();
    assert.match(`${found?.status} ${found?.detail}`, /^warn 1 requests since the start had X-Forwarded-For/);
    assert.match(found?.fix ?? '', /set TRUSTED_PROXIES=ADDRESS-OF-THE-PROXY\/32/);
  });
});

describe('doctor with PostgreSQL and Redis', { skip: postgresMissing() || redisMissing() }, () => {
  let postgres: PostgresServer;
  let redis: RedisServer;
  let databaseUrl: string;
  let workplace: WorkplaceHere;
  before(async () => {
    postgres = await startPostgres({ fsync: 'on', full_page_writes: 'on', max_connections: '60' });
    redis = await startRedis(['--requirepass', SECRET]);
    databaseUrl = await postgres.createDatabase();
    workplace = new WorkplaceHere(settings());
    await workplace.json(['migrate']);
  });
  after(async () => {
    await workplace.remove();
    await postgres.close();
    await redis.close();
  });

  afterEach(async () => {
    await alter('RESET ALL');
    redisCli('replicaof', 'no', 'one');
    redisCli('config', 'set', 'maxmemory', '0');
    await postgres.query('DELETE FROM running_processes', databaseUrl);
  });

  function settings(): Environment {
    return {
      ...REACHED,
      PORT: '0',
      OPERATOR_PORT: '0',
      DATABASE_URL: databaseUrl,
      REDIS_URL: `redis://:${SECRET}@127.0.0.1:${redis.port}`,
    };
  }
  const find = (check: string, status: 'warn' | 'fail', detail: RegExp, fix: RegExp, env: Environment = {}) =>
    assertFound(workplace, [{ check, status, detail, fix }], env);
  const alter = (change: string) =>
    postgres.query(`ALTER DATABASE ${new URL(databaseUrl).pathname.slice(1)} ${change}`);
  const redisCli = (...args: readonly string[]) => redis.cli('--no-auth-warning', '-a', SECRET, ...args);

  it('finds nothing in a healthy installation', async () => {
    await assertFound(workplace, []);
  });

  it('a database that is away', () =>
    find('database', 'fail', /no connection to the database: ECONNREFUSED/, /check DATABASE_URL/, {
      DATABASE_URL: `postgres://stayport:${SECRET}@127.0.0.1:1/stayport`,
    }));

  it('a database that does not exist', () =>
    find('database', 'fail', /no database of this name/, /check DATABASE_URL/, {
      DATABASE_URL: databaseUrl.replace(/[^/]+$/, 'nothing'),
    }));

  it('a standby', async () => {
    const standby = await startStandby(postgres);
    const url = databaseUrl.replace(/:\d+\//, `:${standby.port}/`);
    await until(async () => (await standby.query('SELECT 1')).rowCount === 1);
    await assertFound(
      workplace,
      [
        {
          check: 'database writable',
          status: 'fail',
          detail: /is a standby/,
          fix: /lead to the writable primary/,
        },
        { check: 'database modes', status: 'warn', detail: /fsync is off/, fix: /set fsync = on/ },
      ],
      { DATABASE_URL: url },
    );
    await standby.close();
  });

  it('a database that refuses writes', async () => {
    await alter('SET default_transaction_read_only = on');
    await find('database writable', 'fail', /default_transaction_read_only = on/, /DATABASE_URL/);
  });

  it('commits that a crash can lose', async () => {
    await alter('SET synchronous_commit = off');
    await find('database modes', 'warn', /synchronous_commit is off/, /set synchronous_commit = on/);
  });

  it('too few connections', () =>
    find(
      'database connections',
      'fail',
      /1 processes with 8 workers can use 113 connections.*allows 57/,
      /set max_connections to 11[89] or more/,
      { WORKERS: '8' },
    ));

  it('a clock that is 5 minutes off', async () => {
    const ahead = new WorkplaceHere(settings(), () => Date.now() + 5 * 60_000);
    await assertFound(ahead, [
      {
        check: 'database clock',
        status: 'fail',
        detail: /database server is (?:299|300)\.\d s behind this machine's/,
        fix: /NTP/,
      },
      {
        check: 'redis clock',
        status: 'fail',
        detail: /Redis is (?:299|300)\.\d s behind this machine's/,
        fix: /NTP/,
      },
    ]);
    await ahead.remove();
  });

  it('a Redis that is away, without its password', () =>
    find('redis', 'fail', /127\.0\.0\.1:1: .*ECONNREFUSED/, /check REDIS_URL/, {
      REDIS_URL: `redis://:${SECRET}@127.0.0.1:1`,
    }));

  it('a Redis with another password', () =>
    find('redis', 'fail', /WRONGPASS|invalid username-password/, /check REDIS_URL/, {
      REDIS_URL: `redis://:x${SECRET}@127.0.0.1:${redis.port}`,
    }));

  it('a Redis that forgets counts', async () => {
    redisCli('config', 'set', 'maxmemory', '50mb', 'maxmemory-policy', 'allkeys-lru');
    await find('redis settings', 'warn', /maxmemory-policy is allkeys-lru/, /a Redis of its own/);
  });

  it('a Redis that is a replica', async () => {
    redisCli('replicaof', '127.0.0.1', '1');
    await find('redis settings', 'fail', /is a replica/, /lead to the primary/);
  });

  it('several processes that count limits alone', async () => {
    for (const pid of [1, 2])
      await postgres.query(
        `INSERT INTO running_processes VALUES ('p${pid}', '1.0.0', ${latestOf(POSTGRES_SCHEMA)}, 'app-1', ${pid}, 0, ${Date.now()})`,
        databaseUrl,
      );
    await find('redis', 'warn', /2 processes serve, and each counts limits alone/, /set REDIS_URL/, {
      REDIS_URL: '',
    });
  });

  it('a process of an older release', async () => {
    await postgres.query(
      `INSERT INTO running_processes VALUES ('old', '0.9.0', 23, 'app-1', 1, 0, ${Date.now()})`,
      databaseUrl,
    );
    await find('releases', 'warn', /0\.9\.0 on app-1, process 1/, /finish the upgrade/);
  });
});

async function listenOn(port: number): Promise<Server> {
  const server = createServer((_request, response) => void response.end('something else'));
  server.listen(port, '127.0.0.1');
  // A test that fails does not close it.
  server.unref();
  await once(server, 'listening');
  return server;
}

/** For book.example.com and 127.0.0.1; as settings. */
async function writeCertificate({ directory }: Workplace, days: number, name = 'web'): Promise<Environment> {
  const notAfterDate = new Date(Date.now() + days * DAY_MS + 60_000);
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'book.example.com' }], {
    notBeforeDate: new Date(Date.now() - 30 * DAY_MS),
    notAfterDate,
    keyType: 'ec',
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'book.example.com' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  });
  const paths = { cert: join(directory, `${name}.crt`), key: join(directory, `${name}.key`) };
  writeFileSync(paths.cert, cert);
  writeFileSync(paths.key, key, { mode: 0o600 });
  return { WEB_TLS_CERT: paths.cert, WEB_TLS_KEY: paths.key };
}
