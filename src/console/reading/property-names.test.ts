import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { FIXED_SEED } from '../../../test/kit/property-arbitraries.ts';
import { foldPlaceName } from '../../domain/place-name.ts';
import { createPropertyNames, type NamedProperties } from './property-names.ts';

/** A thousand times as many as it takes, which are some seconds. */
const TURNS_MAX = 200_000;

type Named = ReadonlyMap<string, readonly string[]>;

function catalogueOf(named: Named): NamedProperties {
  return { propertyIds: () => named.keys(), namesOf: (propertyId) => named.get(propertyId) ?? [] };
}

/** Every property once, by the first of its folded texts that has all words. */
function naiveFind(named: Named, search: string): string[] {
  const words = foldPlaceName(search).split(' ');
  const found = [...named].flatMap(([propertyId, names]) => {
    const keys = [propertyId, ...names].map(foldPlaceName).sort();
    const key = keys.find((one) => words.every((part) => one.includes(part)));
    return key === undefined ? [] : [`${key}\t${propertyId}`];
  });
  return found.sort().map((entry) => entry.split('\t')[1]!);
}

async function findAll(named: Named, prefix: string, limit: number): Promise<string[]> {
  const names = createPropertyNames({ catalogue: catalogueOf(named), version: () => '1 0' });
  const found: string[] = [];
  for (let after: string | undefined = ''; after !== undefined;) {
    const page = await names.find(prefix, after, limit);
    assert.ok(page.propertyIds.length <= limit);
    found.push(...page.propertyIds);
    after = page.next;
  }
  return found;
}

const word = fc
  .array(fc.constantFrom('a', 'A', 'à', 'b', 'ß', 'S', ' ', '_'), { minLength: 1, maxLength: 5 })
  .map((letters) => `x${letters.join('')}`);

describe('Properties by their name', () => {
  it('are those whose id or name is the text, folded; two where a name is not clear', async () => {
    const named = new Map<string, readonly string[]>([
      ['casa-verde', ['Casa Verde', 'Green House']],
      ['forli', ['Città di Forlì']],
      ['one', ['Twin']],
      ['two', ['TWIN']],
      ['three', ['twin']],
      ...Array.from({ length: 9_000 }, (_none, index) => [`p${index}`, [`Flat ${index}`]] as const),
    ]);
    const names = createPropertyNames({ catalogue: catalogueOf(named), version: () => '1 0' });
    const found = await names.findNamed([
      'casa verde',
      'GREEN-HOUSE',
      'citta di forli’',
      'Citta di Forli',
      'twin',
      'Flat 8999',
      'Flat',
      '',
    ]);
    assert.deepEqual(Object.fromEntries(found), {
      'CASA VERDE': ['casa-verde'],
      'GREEN HOUSE': ['casa-verde'],
      'CITTA DI FORLI': ['forli'],
      TWIN: found.get('TWIN'),
      'FLAT 8999': ['p8999'],
    });
    assert.equal(found.get('TWIN')?.length, 2);
  });
});

describe('Properties by the words of a name', () => {
  it('a search for words finds what a naive search finds, each property once, over all pages', async () => {
    const catalogue = fc
      .uniqueArray(
        fc.tuple(fc.stringMatching(/^[xab-]{1,4}$/), fc.array(word, { minLength: 1, maxLength: 3 })),
        {
          selector: ([propertyId]) => propertyId,
          maxLength: 12,
        },
      )
      .map((entries) => new Map(entries));
    await fc.assert(
      fc.asyncProperty(catalogue, word, fc.integer({ min: 1, max: 4 }), async (named, prefix, limit) => {
        const asked = prefix.slice(0, limit);
        assert.deepEqual(await findAll(named, asked, limit), naiveFind(named, asked));
      }),
      FIXED_SEED,
    );
  });

  it('are all found in a catalogue of many sorted parts', async () => {
    const named = new Map(
      Array.from({ length: 10_000 }, (_none, index) => [`p${index}`, [`Hotel ${index % 100}`]] as const),
    );
    assert.deepEqual(await findAll(named, 'hotel 7', 400), naiveFind(named, 'hotel 7'));
  });

  it('are found by a word within a name, and by parts of words in any order', async () => {
    const named = new Map([
      ['apt-1', ['Apartment Zurenborg', 'Appartement Zurenborg']],
      ['apt-2', ['Apartment Berchem']],
    ]);
    assert.deepEqual(await findAll(named, 'zurenborg', 9), ['apt-1']);
    assert.deepEqual(await findAll(named, 'ZÜREN  apartm', 9), ['apt-1']);
    assert.deepEqual(await findAll(named, 'borg', 9), ['apt-1']);
    assert.deepEqual(await findAll(named, 'apt-2', 9), ['apt-2']);
    assert.deepEqual(await findAll(named, 'zurenborg berchem', 9), []);
    assert.deepEqual(await findAll(named, 'apartment 1', 9), [], 'words of one text');
  });

  it('follow the catalogue: a new name is found, one that is gone is not', async () => {
    const named = new Map([['ponte', ['Hotel Ponte']]]);
    let revision = 1;
    const names = createPropertyNames({ catalogue: catalogueOf(named), version: () => `${revision} 0` });
    assert.deepEqual((await names.find('hotel', '', 9)).propertyIds, ['ponte']);
    named.delete('ponte');
    assert.deepEqual((await names.find('hotel', '', 9)).propertyIds, []);
    named.set('canal', ['Hotel Canal']);
    revision += 1;
    // Making it again waits for some times what the last time took.
    let found: readonly string[] = [];
    for (let turn = 0; turn < TURNS_MAX && found.length === 0; turn += 1) {
      await new Promise(setImmediate);
      found = (await names.find('hotel', '', 9)).propertyIds;
    }
    assert.deepEqual(found, ['canal'], 'the names of an earlier version are shown for ever');
    assert.deepEqual((await names.find('HÔTEL  c', '', 9)).propertyIds, ['canal']);
  });
});
