/** `mapping`: maps names of other systems to inventory types. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { hotel } from './kit/catalogue-lines.ts';
import { WorkplaceHere } from './kit/commands-here.ts';

describe('The mapping commands', () => {
  const workplace = new WorkplaceHere();
  after(() => workplace.remove());

  it('set, list and import what names mean, and name what is doubtful or wrong', async () => {
    await workplace.json(['import', 'catalogue', '-'], { input: JSON.stringify(hotel('hotel-ponte')) });
    const set = (external: string, property: string) =>
      workplace.run([
        'mapping',
        'set',
        '--source',
        'channex',
        '--external',
        external,
        '--property',
        property,
        '--type',
        'double',
        '--json',
      ]);
    const first = await set('room-1', 'hotel-ponte');
    assert.deepEqual(JSON.parse(first.stdout), {
      source: 'channex',
      externalKey: 'room-1',
      propertyId: 'hotel-ponte',
      inventoryTypeId: 'double',
    });
    assert.equal(first.stderr, '');
    assert.match((await set('plan-1', 'hotel-ponte')).stderr, /also mapped from room-1/);
    assert.match((await set('room-2', 'not-yet')).stderr, /no property not-yet yet/);
    const wrong = await set('room-3', 'not an id');
    assert.deepEqual([wrong.code, wrong.stdout], [1, '']);
    assert.match(wrong.stderr, /--property must be a property id/);

    for (const dots of ['.', '..']) {
      assert.match((await set('room-3', dots)).stderr, /--property must be a property id/);
      const type = ['mapping', 'set', '--source', 'channex', '--external', 'x', '--property', 'hotel-ponte'];
      assert.match(
        (await workplace.run([...type, '--type', dots])).stderr,
        /--type must be an inventory type/,
      );
    }

    const file = join(workplace.directory, 'rooms.csv');
    writeFileSync(
      file,
      '\u{feff}external;property;type\r\n"room ;4";hotel-ponte;double\r\nroom-5;;double\r\n',
    );
    const imported = await workplace.run(['mapping', 'import', file, '--source', 'channex', '--json']);
    assert.deepEqual(JSON.parse(imported.stdout), { read: 2, set: 1, rejected: 1 });
    assert.match(imported.stderr, /rooms\.csv:3: property: must be a property id/);
    const listed = await workplace.json(['mapping', 'list', '--source', 'channex']);
    assert.deepEqual(
      listed.map(({ externalKey }: { externalKey: string }) => externalKey),
      ['plan-1', 'room ;4', 'room-1', 'room-2'],
    );
    const missing = await workplace.run(['mapping', 'import', join(workplace.directory, 'none.csv')]);
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /^stayport: [^\n]*none\.csv: does not exist \(after 0 rows[^\n]*\n$/);
  });
});
