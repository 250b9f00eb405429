/** Things made of the settings in force are made again when another value is, and only then. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseSettings } from '../../settings/settings.ts';
import { createLiveSettings, perSettings } from './live-settings.ts';

it('what is made of settings follows each change of them, also one of the same revision', () => {
  const parsed = parseSettings({ WEB_NAME: 'Locande' });
  assert.ok(parsed.ok);
  const silent = { info: () => undefined, warn: () => undefined };
  const live = createLiveSettings(parsed.settings, silent);
  let made = 0;
  const accent = perSettings(live, ({ webAccent }) => {
    made += 1;
    return webAccent;
  });
  const take = (value: string, revision: number): void =>
    live.take({ siteSettings: [{ name: 'WEB_ACCENT', value, revision }] as never });
  const first = accent();
  assert.equal(accent(), first);
  assert.equal(made, 1);
  take('#112233', 7);
  assert.equal(accent(), '#112233');
  // A database that was restored may come to the same revision with another value.
  take('#445566', 7);
  assert.equal(accent(), '#445566');
  take('#445566', 7);
  assert.equal(accent(), '#445566');
  assert.equal(made, 3, 'the same rows change nothing');
  live.take({ siteSettings: [] });
  assert.equal(accent(), first);
});
