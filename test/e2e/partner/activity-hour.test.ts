/**
 * An hour of requests held against a book: services in this process, whose clock stands still between steps, so
 * that the script knows to the millisecond what was counted when.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  compareHour,
  HOUR_LINES,
  HOUR_PARTNERS,
  HOUR_SECRETS,
  runHour,
  SMALL_QUOTA,
} from '../../kit/activity-hour.ts';
import { openInstallation, type Served } from '../../kit/installation.ts';
import { assertWithout, dumpTables, readStoreFiles } from '../../kit/store-contents.ts';
import { describePostgres } from '../../suites/storage/postgres-fixture.ts';

const REQUESTS = 1_600;
/** Two in ten are kept one by one. */
const RARITY = 1;

describe('Sums of an hour around New Year, on SQLite', () => {
  it('equal the book of its script, and no file has a token, header, address or body', () =>
    holdAgainstBook(1, undefined, async (folder) => readStoreFiles(folder)));
});
describePostgres('Sums of an hour around New Year, on PostgreSQL', (server) => {
  it('equal the book of its script, over three services, and no table has a token, header, address or body', async () => {
    const url = await server().createDatabase();
    await holdAgainstBook(3, url, () => dumpTables(server(), url));
  });
});

async function holdAgainstBook(
  services: number,
  databaseUrl: string | undefined,
  readStore: (folder: string) => Promise<string>,
): Promise<void> {
  const installation = await openInstallation(databaseUrl);
  let served: readonly Served[] = [];
  const stop = async (): Promise<void> => {
    for (const service of served) await service.close();
    served = [];
  };
  try {
    const { rejections } = await installation.importLines(HOUR_LINES);
    assert.deepEqual(rejections, []);
    const partners = [];
    for (const partnerId of HOUR_PARTNERS) {
      // Without Redis each service counts by itself.
      const quota = partnerId === HOUR_PARTNERS.at(-1) ? { quota: SMALL_QUOTA / services } : {};
      partners.push(await installation.issue({ partnerId, ...quota }));
    }
    let starts = 0;
    const book = await runHour(
      {
        partners,
        nowMs: () => installation.time.nowMs,
        /** Every second time the clock is moved under running services. */
        async startAt(nowMs) {
          if (starts++ % 2 === 0) {
            await stop();
            installation.time.nowMs = nowMs;
            served = await Promise.all(Array.from({ length: services }, () => installation.serve()));
          }
          installation.time.nowMs = nowMs;
          return served.map(({ partnerUrl }) => partnerUrl);
        },
        stop,
      },
      REQUESTS,
      RARITY,
    );
    const refused = [...book.traffic.byName.keys()].filter((name) => name.endsWith('RATE_LIMIT_EXCEEDED'));
    assert.ok(refused.length > 0, 'a quota was used up');
    assert.ok(book.empty.sum > 0 && book.looks.sum > 0);
    assert.ok(book.kept.size > 100, `${book.kept.size} requests kept one by one`);
    const weeks = new Set([...book.searches.byName.keys()].map((name) => name.split(' ')[3]));
    assert.deepEqual([...weeks].toSorted(), ['2026-W53', '2027-W01']);
    await compareHour(book, installation.storage);
    const text = await readStore(installation.folder);
    assert.match(text, /Kiritown/);
    assertWithout(text, [...HOUR_SECRETS, ...partners.map(({ token }) => token)]);
  } finally {
    await installation.close();
  }
}
