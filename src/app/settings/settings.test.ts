import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { withoutComments } from '../../../test/kit/import-graph.ts';
import { Wrong } from '../../domain/wrong.ts';
import { type Setting, SETTINGS } from './settings-table.ts';
import { type Environment, parseSettings, type Settings } from './settings.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');

describe('Settings', () => {
  it('have values of their kinds where nothing is set', () => {
    const { port, icalAllowPrivate, trustedProxies, waitingBytesMax, redisUrl } = read({});
    assert.deepEqual(
      [port, icalAllowPrivate, trustedProxies, waitingBytesMax, redisUrl],
      [8080, false, [], 'auto', undefined],
    );
  });

  it('derive addresses that are not set from those of the listeners and of the handoff page', () => {
    const { consoleUrl, problemsBaseUrl, calendarsBaseUrl } = read({});
    assert.deepEqual(
      [consoleUrl, problemsBaseUrl, calendarsBaseUrl],
      ['http://localhost:8081', 'http://127.0.0.1:8080/problems', 'https://localhost:8443/calendars'],
    );
  });

  it('lead to the console by a name, at which passkeys work, unless it is another address of loopback', () => {
    const hosts = ['localhost', '::1', '0.0.0.0', '127.0.0.2'];
    assert.deepEqual(
      hosts.map((host) => read({ OPERATOR_HOST: host, OPERATOR_PORT: '9000' }).consoleUrl),
      [...Array(3).fill('http://localhost:9000'), 'http://127.0.0.2:9000'],
    );
  });

  it('give the web listener a port, a certificate, pictures and links where nothing is set', () => {
    const { webPort, webImages, webTlsCert, webTlsKey, handoffBaseUrl, isSelfSigned, given } = read({});
    assert.deepEqual(
      [webPort, webImages, webTlsCert, webTlsKey],
      [8443, resolve('data/images'), resolve('data/self-signed.pem'), webTlsCert],
    );
    assert.deepEqual([handoffBaseUrl, isSelfSigned], ['https://localhost:8443/handoff', true]);
    assert.equal(given.size, 0);
    const there = read({ DATABASE_URL: 'sqlite:/srv/stays/x.db', WEB_PORT: '9443' });
    assert.equal(there.handoffBaseUrl, 'https://localhost:9443/handoff');
    assert.deepEqual(
      [there.webImages, there.webTlsCert],
      ['/srv/stays/images', '/srv/stays/self-signed.pem'],
    );
    assert.deepEqual([...there.given], ['databaseUrl', 'webPort']);
    assert.equal(read({ DATABASE_URL: 'postgres://db/stays' }).webImages, resolve('data/images'));
  });

  it('make no certificate where one is set, where a proxy has it, and without a web listener', () => {
    const pair = { WEB_TLS_CERT: '/srv/web.crt', WEB_TLS_KEY: '/srv/web.key' };
    const certificates = [pair, { HANDOFF_BASE_URL: 'https://a.example/handoff' }, { WEB_PORT: 'off' }].map(
      (environment) => {
        const { isSelfSigned, webTlsCert, webPort } = read(environment);
        return [isSelfSigned, webTlsCert, webPort];
      },
    );
    assert.deepEqual(certificates, [
      [false, '/srv/web.crt', 8443],
      [false, undefined, 8443],
      [false, undefined, undefined],
    ]);
  });

  it('are each read by other code, as `settings.name` or taken out of the settings', () => {
    const source = join(import.meta.dirname, '..', '..');
    const text = globSync('**/*.ts', { cwd: source })
      .filter((path) => !path.endsWith('.test.ts') && dirname(path) !== 'settings')
      .map((path) => withoutComments(readFileSync(join(source, path), 'utf8')))
      .join('\n');
    const read = text.matchAll(/\b(?:settings|live\.now\(\))\??\.(?<name>\w+)/gi);
    const takenOut = text.matchAll(/\{(?<names>[^{}]*)\}(?:: \w*Settings\b| = (?:\w+\.)*settings\b)/g);
    // Acts get the settings that they follow as ports of the same names.
    const ofActs = text.matchAll(/interface ActSettings \{(?<names>[^{}]*)\}/g);
    const used = new Set([
      ...[...ofActs].flatMap(({ groups }) => groups!['names']!.match(/\w+(?=:)/g) ?? []),
      ...[...read].map(({ groups }) => groups!['name']!),
      ...[...takenOut].flatMap(({ groups }) => groups!['names']!.match(/\w+/g) ?? []),
    ]);
    assert.deepEqual(
      Object.keys(SETTINGS).filter((name) => !used.has(name)),
      [],
      'no code uses these settings',
    );
  });

  it('have an example each that is a value of its own kind', () => {
    for (const entry of Object.values<Setting>(SETTINGS)) {
      if (entry.name === 'HANDOFF_KEYS') continue;
      assert.ok(!(entry.parse(entry.example) instanceof Wrong), `${entry.name}=${entry.example}`);
    }
  });

  it('take https origins of pictures, and nothing wider', () => {
    const origins = 'https://cdn.example.com, https://Img.example.com:8443,https://cdn.example.com:443,';
    assert.deepEqual(read({ WEB_IMAGE_ORIGINS: origins }).webImageOrigins, [
      'https://cdn.example.com',
      'https://img.example.com:8443',
    ]);
    for (const wrong of [
      'http://cdn.example.com',
      'https://*.example.com',
      'https://cdn.example.com/',
      'https://cdn.example.com/a',
      'https://cdn.example.com?x',
      'https://user@cdn.example.com',
      "https://cdn.example.com 'unsafe-inline'",
      'https://a.example;script-src',
      'https:',
      'cdn.example.com',
      "'self'",
      'data:',
    ]) {
      const parsed = parseSettings({ WEB_IMAGE_ORIGINS: `https://a.example,${wrong}` });
      assert.ok(!parsed.ok && parsed.problem.startsWith('WEB_IMAGE_ORIGINS: '), wrong);
    }
  });

  it('take an empty variable, or one of blanks, for one that is not set', () => {
    assert.equal(read({ PORT: '', REDIS_URL: '  ' }).port, 8080);
    assert.equal(read({ REDIS_URL: '  ' }).redisUrl, undefined);
  });

  it('refuse a value of several lines, whatever it is for', () => {
    for (const entry of Object.values<Setting>(SETTINGS)) {
      for (const inside of ['\n', '\r\n', '\t', '\u2028', '\0']) {
        const example = entry.name === 'HANDOFF_KEYS' ? `k1:${KEY},k2:${KEY}` : entry.example;
        const value = example + inside + example;
        const result = parseSettings({ [entry.name]: value });
        const start = `${entry.name}: ${entry.isSecret === true ? 'its value' : JSON.stringify(value)} holds a line break`;
        assert.ok(!result.ok && result.problem.startsWith(start), entry.name);
      }
    }
    assert.equal(read({ HANDOFF_BASE_URL: 'https://a.example/b\n' }).handoffBaseUrl, 'https://a.example/b');
  });

  it('derive the base of problems from the public URL unless it is set', () => {
    assert.equal(
      read({ PUBLIC_URL: 'https://a.example/api/' }).problemsBaseUrl,
      'https://a.example/api/problems',
    );
    assert.equal(
      read({ PUBLIC_URL: 'https://a.example', PROBLEMS_BASE_URL: 'https://b.example/p/' }).problemsBaseUrl,
      'https://b.example/p',
    );
  });

  const accepted: readonly (readonly [string, string, keyof Settings, unknown])[] = [
    ['HOST', '::1', 'host', '::1'],
    ['HOST', 'localhost', 'host', 'localhost'],
    ['PORT', '0', 'port', 0],
    ['PORT', '65535', 'port', 65_535],
    ['DATABASE_URL', 'sqlite:/var/lib/stayport.db', 'databaseUrl', 'sqlite:/var/lib/stayport.db'],
    ['DATABASE_URL', 'postgres://u:p@h/d', 'databaseUrl', 'postgres://u:p@h/d'],
    ['REDIS_URL', 'redis://h:6379', 'redisUrl', 'redis://h:6379'],
    ['REDIS_URL', 'redis-cluster://h1:1,h2:2', 'redisUrl', 'redis-cluster://h1:1,h2:2'],
    ['PUBLIC_URL', 'https://api.example/', 'publicUrl', 'https://api.example'],
    ['SUPPORT_CONTACT', 'mailto:a@b.example', 'supportContact', 'mailto:a@b.example'],
    ['SUPPORT_CONTACT', 'https://b.example/help?x=1', 'supportContact', 'https://b.example/help?x=1'],
    ['SUPPORT_CONTACT', 'tel:+39-041-123', 'supportContact', 'tel:+39-041-123'],
    ['INGRESS_LIMIT', '0', 'ingressLimit', 0],
    ['TRUSTED_PROXIES', '10.0.0.0/8, ::1', 'trustedProxies', ['10.0.0.0/8', '::1']],
    ['WORKERS', 'auto', 'workers', 'auto'],
    ['WORKERS', '4', 'workers', 4],
    ['LOG_LEVEL', 'silent', 'logLevel', 'silent'],
    ['HORIZON_NIGHTS', '1', 'horizonNights', 1],
    ['BODY_LIMIT_BYTES', '1', 'bodyLimitBytes', 1],
  ];
  for (const [name, text, key, value] of accepted) {
    it(`accept ${name}=${text}`, () => assert.deepEqual(read({ [name]: text })[key], value));
  }

  it('accept keys, the first of which signs', () => {
    assert.equal(read({ HANDOFF_KEYS: `k2:${KEY},k1:${KEY}` }).handoffKeys?.signing.keyId, 'k2');
  });

  const refused: readonly (readonly [string, string])[] = [
    ['HOST', 'two words'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80a'],
    ['PORT', '1e3'],
    ['OPERATOR_PORT', '8.5'],
    ['DATABASE_URL', 'mysql://root:hunter2@h/d'],
    ['DATABASE_URL', 'sqlite:'],
    ['DATABASE_URL', 'data/stayport.db'],
    ['REDIS_URL', 'http://:hunter2@h'],
    ['REDIS_URL', 'redis-cluster://h1'],
    ['PUBLIC_URL', 'partners.example'],
    ['PUBLIC_URL', 'https://a.example/?x=1'],
    ['PUBLIC_URL', 'ftp://a.example'],
    ['PROBLEMS_BASE_URL', 'https://a.example/#p'],
    ['HANDOFF_BASE_URL', 'http://a.example/handoff'],
    ['HANDOFF_BASE_URL', 'https://a.example/handoff?x=1'],
    ['HANDOFF_BASE_URL', `https://a.example/${'h'.repeat(1000)}`],
    ['HANDOFF_KEYS', 'hunter2'],
    ['HANDOFF_KEYS', 'k1:hunter2'],
    ['HANDOFF_KEYS', `k1:${KEY},k1:${KEY}`],
    ['QUOTE_TTL_SECONDS', '0'],
    ['INGRESS_LIMIT', '-1'],
    ['PARTNER_QUOTA', '0'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10.1'],
    ['TRUSTED_PROXIES', 'loopback'],
    ['BODY_LIMIT_BYTES', '16k'],
    ['HANDOFF_BASE_URL', 'https://book.example/hand\noff'],
    ['HANDOFF_BASE_URL', 'https://book.example/a b'],
    ['PUBLIC_URL', 'https://partners.example\t/x'],
    ['OPERATOR_ALLOWED_HOSTS', 'ops.example.com,a/b'],
    ['HEADERS_TIMEOUT_SECONDS', '0'],
    ['REQUEST_TIMEOUT_SECONDS', 'none'],
    ['HORIZON_NIGHTS', '0'],
    ['HORIZON_NIGHTS', '100000'],
    ['STALENESS_MAX_SECONDS', '0'],
    ['WORKERS', '0'],
    ['WORKERS', 'all'],
    ['LOG_LEVEL', 'loud'],
  ];
  for (const [name, text] of refused) {
    it(`refuse ${name}=${text.slice(0, 60)} in one line with an example`, () => {
      const problem = problemOf({ [name]: text });
      assert.match(problem, new RegExp(`^${name}: .+; for example ${name}=.+$`));
      assert.doesNotMatch(problem, /hunter2|\n/);
      assert.ok(!problem.includes(KEY));
    });
  }

  it('bound what is stored of quotes, and take 0 for no bound', () => {
    for (const [name, most] of [
      ['QUOTE_UNOPENED_DAYS', 36_500],
      ['QUOTES_PER_DAY', 1_000_000_000],
    ] as const) {
      for (const good of [0, most]) assert.ok(parseSettings({ [name]: String(good) }).ok, `${name} ${good}`);
      for (const wrong of [-1, most + 1, 1.5]) {
        const parsed = parseSettings({ [name]: String(wrong) });
        assert.ok(!parsed.ok && parsed.problem.startsWith(`${name}: `), `${name} ${wrong}`);
      }
    }
  });

  it('repeat the value that is wrong, unless it may be a secret', () => {
    assert.equal(
      problemOf({ PORT: '99999' }),
      'PORT: "99999" is not a whole number from 0 to 65535; for example PORT=8080',
    );
    assert.equal(
      problemOf({ DATABASE_URL: 'mysql://u:p@h' }),
      'DATABASE_URL: its value is neither sqlite:PATH nor postgres://USER:PASSWORD@HOST/DATABASE; ' +
        'for example DATABASE_URL=sqlite:data/stayport.db',
    );
  });
});

function read(environment: Environment): Settings {
  const result = parseSettings(environment);
  assert.ok(result.ok, result.ok ? '' : result.problem);
  return result.settings;
}

function problemOf(environment: Environment): string {
  const result = parseSettings(environment);
  assert.ok(!result.ok, 'this was accepted');
  return result.problem;
}
