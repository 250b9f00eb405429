import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { markOfAccess } from '../../../src/storage/access/access-mark.ts';
import { NOTHING_READ } from '../../../src/storage/history/revision.ts';
import { type OpenFixture, withStorage } from './fixture.ts';

export function describeSiteSettings(open: OpenFixture): void {
  describe('settings of the site', () => {
    it('are read by name, and with access, whose mark each change moves', () =>
      withStorage(open, async (storage) => {
        const marks = new Set<string>();
        const change = async (name: string, value: string | null, basedOn: number): Promise<boolean> => {
          const isWritten = await storage.putSiteSettings([{ name, value }], basedOn);
          const { mark } = await storage.readAccessMark(NOTHING_READ);
          assert.deepEqual(mark, markOfAccess(await storage.readAccess()));
          marks.add(JSON.stringify(mark));
          return isWritten;
        };
        assert.equal(await change('WEB_NAME', 'Ponte', 0), true);
        assert.equal(await change('WEB_ACCENT', '#000000', 1), true);
        assert.equal(await change('WEB_NAME', null, 2), true);
        assert.equal(marks.size, 3);
        const rows = [
          { name: 'WEB_ACCENT', value: '#000000', revision: 2 },
          { name: 'WEB_NAME', value: null, revision: 3 },
        ];
        assert.deepEqual(await storage.readSiteSettings(), rows);
        assert.deepEqual((await storage.readAccess()).siteSettings, rows);
      }));

    it('are not written where somebody changed one since they were read', () =>
      withStorage(open, async (storage) => {
        const put = (value: string) => storage.putSiteSettings([{ name: 'WEB_NAME', value }], 0);
        const written = await Promise.all([put('a'), put('b'), put('c')]);
        assert.equal(written.filter(Boolean).length, 1);
        assert.equal(await put('d'), false);
        assert.equal(await storage.readRevision(), 1, 'a refused change takes no revision');
      }));

    it('are in the audit trail from what to what, without passwords and bytes', () =>
      withStorage(open, async (storage) => {
        const signed = storage.asAuthor({ person: 'Ada', role: 'admin', act: 'settings set' });
        await signed.putSiteSettings([{ name: 'WEB_TERMS_URL', value: 'https://ann:pw@a.example/' }], 0);
        await signed.putSiteSettings(
          [
            { name: 'WEB_TERMS_URL', value: null },
            { name: 'WEB_LOGO', value: 'data:image/png;base64,AAAA' },
          ],
          1,
        );
        const told = (await storage.readAudit(0, 10)).map(({ on, from, to }) => [on, from, to]);
        const logo = { value: 'image/png, 3 bytes, sha256 709e80c88487' };
        const terms = { value: 'https://***@a.example/' };
        const nothing = { value: null };
        assert.deepEqual(told.slice(0, 2).toSorted(), [
          ['WEB_LOGO', nothing, logo],
          ['WEB_TERMS_URL', terms, nothing],
        ]);
        assert.deepEqual(told[2], ['WEB_TERMS_URL', nothing, terms]);
      }));
  });
}
