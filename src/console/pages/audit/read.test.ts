import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openTemporaryStorage } from '../../../../test/kit/temporary-storage.ts';
import type { PagePorts } from '../../reading/console-page.ts';
import { readAudit } from './read.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 10, 21, 12);

it('The trail of the last seven days is shown unless somebody asks for another time', async () => {
  let nowMs = NOW_MS;
  const database = await openTemporaryStorage(() => nowMs);
  for (const [on, agoMs] of [
    ['older', 7 * DAY_MS + 1],
    ['a-week-ago', 7 * DAY_MS],
    ['today', 0],
  ] as const) {
    nowMs = NOW_MS - agoMs;
    const signed = database.storage.asAuthor({ person: 'Ada', role: 'admin', act: 'test' });
    await signed.beginAct({ on, from: null, to: null });
  }
  const shown = async (query: string) => {
    const ports = { storage: database.storage, clock: () => NOW_MS } as unknown as PagePorts;
    const question = { query: new URLSearchParams(query), isJson: true, locale: 'en-GB', segments: {} };
    return (await readAudit(ports, question as never)).rows.map(({ on }) => on);
  };
  assert.deepEqual(await shown(''), ['today', 'a-week-ago']);
  assert.deepEqual(await shown('since=30d'), ['today', 'a-week-ago', 'older']);
  await database.close();
});
