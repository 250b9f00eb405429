/** `property show` with several sources: importing its output never turns closings of one source into those of another. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { NO_DETAILS } from '../src/domain/property-details.ts';
import { hotel } from './kit/catalogue-lines.ts';
import { WorkplaceHere } from './kit/commands-here.ts';
import { NOW_MS } from './kit/now.ts';
import { DETAILS } from './kit/property-details.ts';

describe('property show', () => {
  const workplace = new WorkplaceHere({}, () => NOW_MS);
  const sold = join(workplace.directory, 'sold.csv');
  const show = (...args: string[]) => workplace.json(['property', 'show', 'hotel-ponte', ...args]);
  const importAgain = (document: unknown, ...args: string[]) =>
    workplace.run(['import', 'catalogue', '-', '--json', ...args], { input: JSON.stringify(document) });
  const nights = ['--from', '2026-12-24', '--to', '2026-12-26'];

  before(async () => {
    await workplace.json(['import', 'catalogue', '-', '--source', 'pms'], {
      input: JSON.stringify(hotel('hotel-ponte')),
    });
  });
  after(() => workplace.remove());

  it('prints what can be imported again while one source alone speaks', async () => {
    const document = await show();
    assert.equal(Object.hasOwn(document, 'calendarsOf'), false);
    assert.deepEqual(await show('--source', 'pms'), document);
    const { stdout } = await importAgain(document, '--source', 'pms');
    assert.deepEqual([JSON.parse(stdout).unchanged, JSON.parse(stdout).rejected], [1, 0]);
  });

  it('prints pictures and terms, and an import without them clears them', async () => {
    const detailed = { ...hotel('detailed'), ...DETAILS };
    const importOne = async (document: unknown) =>
      JSON.parse((await importAgain(document, '--source', 'pms')).stdout);
    assert.equal((await importOne(detailed)).created, 1);
    const document = await workplace.json(['property', 'show', 'detailed']);
    for (const [name, value] of Object.entries(DETAILS)) assert.deepEqual(document[name], value, name);
    assert.equal(Object.hasOwn(document, 'detailsDigest'), false);
    assert.equal((await importOne(document)).unchanged, 1);
    assert.equal((await importOne({ ...document, seller: null })).changed, 1);
    assert.equal((await importOne(hotel('detailed'))).changed, 1);
    const cleared = await workplace.json(['property', 'show', 'detailed']);
    for (const [name, value] of Object.entries(NO_DETAILS)) assert.deepEqual(cleared[name], value, name);
  });

  it('names the sources of what partners see, and an import refuses it', async () => {
    const before = await show();
    await workplace.json(['close', '--property', 'hotel-ponte', ...nights]);
    writeFileSync(
      sold,
      'propertyId,inventoryTypeId,dateFrom,dateTo,availability\nhotel-ponte,double,2026-12-30,2026-12-31,0\n',
    );
    await workplace.json(['import', 'rates', sold, '--source', 'channel']);

    const seen = await workplace.run(['property', 'show', 'hotel-ponte', '--json']);
    const combined = JSON.parse(seen.stdout);
    assert.deepEqual(combined.calendarsOf, ['channel', 'manual', 'pms']);
    assert.match(JSON.stringify(combined.inventoryTypes[0].calendar), /"stopSell":true/);
    assert.match(seen.stderr, /property show hotel-ponte --source pms/);

    const refused = await importAgain(combined, '--source', 'pms');
    assert.equal(JSON.parse(refused.stdout).rejected, 1);
    assert.match(refused.stderr, /calendarsOf: .*several sources; import the document that is printed/);

    // The layer of the property's own source holds nothing of the others, and comes back as it was.
    const own = await show('--source', 'pms');
    assert.deepEqual(own, before);
    const again = JSON.parse((await importAgain(own, '--source', 'pms')).stdout);
    assert.deepEqual([again.unchanged, again.rejected], [1, 0]);
    await workplace.json(['open', '--property', 'hotel-ponte', ...nights]);
    const { calendar } = (await show()).inventoryTypes[0];
    assert.doesNotMatch(JSON.stringify(calendar), /"stopSell":true/, 'only a manual override had closed it');
  });

  it('prints the layer of another source, and an import refuses it', async () => {
    const channel = await show('--source', 'channel');
    assert.deepEqual(channel.calendarsOf, ['channel']);
    assert.deepEqual(channel.inventoryTypes[0].calendar, [
      { dateFrom: '2026-12-30', dateTo: '2026-12-31', availability: 0 },
    ]);
    assert.equal(JSON.parse((await importAgain(channel, '--source', 'channel')).stdout).rejected, 1);
    const unknown = await workplace.run(['property', 'show', 'hotel-ponte', '--source', 'nobody']);
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /"nobody" has set nothing of hotel-ponte; these have: "channel", "pms"/);
  });
});
