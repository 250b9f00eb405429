import { inEnglish } from '../../domain/wrong.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import { parseSettings } from '../../app/settings/settings.ts';
import { makeSiteDesk } from '../../app/settings/site-desk.ts';
import { newestOf } from '../../storage/site/store.ts';
import type { Storage } from '../../storage/storage.ts';
import { changeSite, TRIES_MAX, valueOf } from './site-desk.ts';

/** Changes WEB_NAME while others change WEB_CONTACT so many times, each between our reading and our writing. */
async function changeBeside(othersCount: number) {
  const temporary = await openTemporaryStorage();
  const { storage } = temporary;
  try {
    const parsed = parseSettings({});
    assert.ok(parsed.ok);
    const site = makeSiteDesk(parsed.settings, async (bytes) => bytes);
    let left = othersCount;
    const busy: Pick<Storage, 'readSiteSettings' | 'putSiteSettings'> = {
      putSiteSettings: (...change) => storage.putSiteSettings(...change),
      async readSiteSettings() {
        const stored = await storage.readSiteSettings();
        if (left > 0) {
          left -= 1;
          const value = `mailto:${left}@example.com`;
          assert.ok(await storage.putSiteSettings([{ name: 'WEB_CONTACT', value }], newestOf(stored)));
        }
        return stored;
      },
    };
    const changed = await changeSite({ storage: busy, site }, [{ name: 'WEB_NAME', value: 'Ponte' }]);
    const stored = await storage.readSiteSettings();
    return { changed, name: valueOf(stored, 'WEB_NAME'), contact: valueOf(stored, 'WEB_CONTACT') };
  } finally {
    await temporary.close();
  }
}

describe('A change of settings of the site', () => {
  it('is written at the last try, beside what others wrote', async () => {
    const { changed, name, contact } = await changeBeside(TRIES_MAX - 1);
    assert.ok(changed.ok && changed.value.kind === 'done');
    assert.deepEqual([name, contact], ['Ponte', 'mailto:0@example.com']);
  });

  it('is refused, and not written, where others were first each time', async () => {
    const { changed, name, contact } = await changeBeside(TRIES_MAX);
    assert.ok(!changed.ok);
    assert.match(inEnglish(changed.problem), /try again/);
    assert.deepEqual([name, contact], [null, 'mailto:0@example.com']);
  });
});
