import { said } from '../../../test/kit/said.ts';
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { openTemporaryStorage, type TemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import { nightEntry, suppliedWrite } from '../../../test/suites/storage/supply-samples.ts';
import { createMessageIds } from '../../storage/supply/message-id.ts';
import type { ImportWarning } from '../run/import-run.ts';
import type { Rejection } from '../run/supply-item.ts';
import { ByteSource } from '../text/byte-source.ts';
import { importRates, type RatesImportOptions } from './import-rates.ts';

const HEADER = 'propertyId,inventoryTypeId,dateFrom,dateTo,availability\n';
const row = (propertyId: string): string => `${propertyId},double,2026-12-24,2026-12-26,1\n`;

let folder: string;
let temporary: TemporaryStorage;
let messageCount = 0;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stayport-test-'));
  temporary = await openTemporaryStorage();
  await temporary.storage.writeProperties(
    ['a', 'b'].map((id) => suppliedWrite(id, [[nightEntry(0, 99, { availability: 5 })]])),
  );
});
afterEach(async () => {
  await temporary.close();
  await rm(folder, { recursive: true, force: true });
});

async function run(text: string, options: Partial<RatesImportOptions> = {}) {
  const rejections: Rejection[] = [];
  const file = join(folder, 'rates.csv');
  await writeFile(file, text);
  const { summary, differences, failure } = await importRates(new ByteSource(file), {
    storage: temporary.storage,
    source: 'front-office',
    clock: () => 0,
    horizonNights: 730,
    newMessageId: createMessageIds(() => String(++messageCount)),
    dryRun: false,
    strict: true,
    onRejection: (rejection) => rejections.push(rejection),
    onProgress: () => undefined,
    ...options,
  });
  const { seconds: _, ...counts } = summary;
  return { counts, differences, failure, lines: rejections.map(({ line }) => line) };
}

describe('A strict import of rates', () => {
  it('writes all rows when none is rejected', async () => {
    const done = await run(HEADER + row('a') + row('b'));
    assert.deepEqual(done.counts, { read: 2, changed: 2, unchanged: 0, rejected: 0 });
    assert.equal(done.failure, undefined);
    const again = await run(HEADER + row('a') + row('b'));
    assert.deepEqual(again.counts, { read: 2, changed: 0, unchanged: 2, rejected: 0 });
  });

  it('writes nothing when a row is wrong in itself, or refused by what is stored', async () => {
    const revision = await temporary.storage.readRevision();
    for (const wrong of ['a,double,2026-12-24,2026-12-01,1\n', row('unknown')]) {
      const refused = await run(HEADER + row('a') + wrong + row('b'));
      assert.deepEqual(refused.counts, { read: 3, changed: 0, unchanged: 0, rejected: 1 });
      assert.deepEqual(refused.lines, [3]);
      assert.equal(said(refused.failure), '1 rejected, so nothing was written (--strict)');
    }
    assert.equal(await temporary.storage.readRevision(), revision);
    assert.deepEqual(await temporary.storage.listSupplyMessages({ limit: 10 }), []);
  });

  it("takes a column of the currency that is the property's, and refuses another one", async () => {
    const header = HEADER.replace('\n', ',currency\n');
    const priced = (currency: string): string => row('a').replace('\n', `,${currency}\n`);
    const done = await run(header + priced('EUR') + priced('eur') + priced(''));
    assert.deepEqual(done.counts, { read: 3, changed: 3, unchanged: 0, rejected: 0 });
    for (const ignoreColumns of [false, true]) {
      const refused = await run(header + priced('EUR') + priced('USD'), { ignoreColumns });
      assert.deepEqual([refused.counts.changed, refused.lines], [0, [3]]);
    }
  });

  it('writes nothing of a file with a wrong header', async () => {
    const refused = await run(`price\n${row('a')}`);
    assert.match(said(refused.failure), /must name the columns/);
    assert.deepEqual(await temporary.storage.listSupplyMessages({ limit: 10 }), []);
  });

  it('shows as a dry run what would change, and fails all the same', async () => {
    const dry = await run(HEADER + row('a') + row('unknown'), { dryRun: true });
    assert.deepEqual(
      [dry.counts, dry.differences.map(({ propertyId }) => propertyId)],
      [{ read: 2, changed: 1, unchanged: 0, rejected: 1 }, ['a']],
    );
    assert.equal(said(dry.failure), '1 rejected, so nothing was written (--strict)');
  });

  it('names what another value hides, and changes nothing for partners', async () => {
    const { storage } = temporary;
    const { source } = (await storage.findProperty('a'))!;
    const header = 'propertyId;inventoryTypeId;dateFrom;dateTo;ratesByGuests;rate\n';
    const warned: unknown[] = [];
    const options = {
      source,
      onWarning: ({ line, field, code }: ImportWarning) => void warned.push([line, field, code]),
    };
    await run(`${header}a;double;2026-12-24;2026-12-26;1:80.00 2:100.00;\n`, options);
    const dry = await run(`${header}a;double;2026-12-24;2026-12-26;;175.00\n`, { ...options, dryRun: true });
    assert.deepEqual([dry.counts.changed, dry.differences], [0, []]);
    assert.deepEqual(warned, [[2, 'rate', 'VALUE_HIDDEN']]);
  });

  it('says so when something changed between its look and its writing', async () => {
    const { storage } = temporary;
    const beside = {
      listSourceHistory: () => Promise.resolve([]),
      listSupplyMessages: () => Promise.resolve([]),
      findLayers: (propertyId: string) => storage.findLayers(propertyId),
      async applySupply(message: Parameters<typeof storage.applySupply>[0]) {
        await storage.withdrawProperties(['b']);
        return storage.applySupply(message);
      },
    };
    const late = await run(HEADER + row('a') + row('b'), { storage: beside });
    assert.deepEqual(late.counts, { read: 2, changed: 1, unchanged: 0, rejected: 1 });
    assert.match(
      said(late.failure),
      /^1 rejected: .* changed while the file was read; the other rows are written/,
    );
  });
});
