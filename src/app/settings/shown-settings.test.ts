import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Setting, SETTINGS } from './settings-table.ts';
import { parseSettings, type Settings } from './settings.ts';
import { SECRET_IS_SET, presentSettings } from './shown-settings.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
/** A value of each secret, with what must not be seen of it. */
const SECRETS: Readonly<Record<string, readonly [value: string, hidden: readonly string[], shown: string]>> =
  {
    DATABASE_URL: [
      'postgres://ann:p%40ss1@db.example:5432/stay?password=again2&sslmode=disable',
      ['p%40ss1', 'ann', 'again2'],
      'postgres://***@db.example:5432/stay',
    ],
    REDIS_URL: ['rediss://:hush3@redis.example:6380', ['hush3'], 'rediss://***@redis.example:6380'],
    HANDOFF_KEYS: [`k1:${KEY}`, [KEY], SECRET_IS_SET],
  };

function settingsOf(environment: Readonly<Record<string, string>>): Settings {
  const parsed = parseSettings(environment);
  assert.ok(parsed.ok, parsed.ok ? '' : parsed.problem);
  return parsed.settings;
}

function shownOf(environment: Readonly<Record<string, string>>) {
  return new Map(presentSettings(settingsOf(environment)).map((row) => [row.name, row]));
}

const DERIVED = new Set([
  'PUBLIC_URL',
  'CONSOLE_URL',
  'CALENDARS_BASE_URL',
  'PROBLEMS_BASE_URL',
  'WEB_IMAGES',
  'WEB_TLS_CERT',
  'WEB_TLS_KEY',
]);

describe('Settings that are shown', () => {
  it('the settings page shows every setting of the table, with default and meaning', () => {
    const shown = shownOf({});
    const table: readonly Setting[] = Object.values(SETTINGS);
    assert.deepEqual(
      [...shown.keys()],
      table.map(({ name }) => name),
    );
    for (const { name, fallback, meaning } of table) {
      assert.equal(shown.get(name)!.default, fallback ?? null, name);
      assert.equal(shown.get(name)!.meaning, meaning);
      // Lists, numbers and texts are written as they would be set.
      if (!DERIVED.has(name)) assert.equal(shown.get(name)!.value, fallback ?? null, name);
    }
  });

  it('say that a listener is off', () => {
    assert.equal(shownOf({ WEB_PORT: 'off' }).get('WEB_PORT')!.value, 'off');
  });

  it('hold no secret', () => {
    const table: readonly Setting[] = Object.values(SETTINGS);
    assert.deepEqual(
      table.filter(({ isSecret }) => isSecret).map(({ name }) => name),
      Object.keys(SECRETS),
      'a new secret needs a row in this test',
    );
    for (const [name, [value, hidden, text]] of Object.entries(SECRETS)) {
      const shown = shownOf({ [name]: value });
      assert.equal(shown.get(name)!.value, text);
      const all = JSON.stringify([...shown.values()]);
      for (const part of hidden) assert.ok(!all.includes(part), `${name}: ${part}`);
    }
  });

  it('hold no password of a URL that is none', () => {
    const otlpEndpoint = 'https://collector:tok%2Fen@otel.example/v1';
    const shown = presentSettings({ ...settingsOf({}), otlpEndpoint });
    const { value } = shown.find(({ name }) => name === 'OTEL_EXPORTER_OTLP_ENDPOINT')!;
    assert.equal(value, 'https://***@otel.example/v1');
  });
});
