import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LOCALES } from '../../../domain/property.ts';
import { IT_IT } from '../../../traveller/web/messages/it-it.ts';
import { AMENITY_CODES, findCode, listed, prepareZoneNames, withCodes } from './lists.ts';

describe('A list of the form', () => {
  it('takes a code, or a name in either language, without case and accents', () => {
    for (const [list, text, code] of [
      ['location.country', 'IT', 'IT'],
      ['location.country', 'it', 'IT'],
      ['location.country', 'Italia', 'IT'],
      ['location.country', ' italy ', 'IT'],
      ['location.country', 'cote d’ivoire', 'CI'],
      ['location.country', 'Italie', undefined],
      ['currency', 'euro', 'EUR'],
      ['currency', 'franco svizzero', 'CHF'],
      ['currency', 'usd', 'USD'],
      ['timezone', 'europe/rome', 'Europe/Rome'],
      ['timezone', 'Central European Time', undefined],
      ['propertyType', 'Appartamento', 'apartment'],
      ['propertyType', 'Igloo', undefined],
      ['amenities', 'Aria condizionata', 'air-conditioning'],
    ] as const)
      assert.equal(findCode(list, text), code, text);
  });

  it('has a name for each entry, once, in each language', () => {
    for (const locale of LOCALES)
      for (const list of ['location.country', 'currency', 'propertyType', 'amenities'] as const) {
        const names = listed(list, locale).map(({ name }) => name);
        assert.equal(new Set(names).size, names.length, `${list} ${locale}`);
      }
    prepareZoneNames('it-IT');
    const rome = listed('timezone', 'it-IT').find(({ code }) => code === 'Europe/Rome');
    assert.match(rome?.name ?? '', /Europa centrale/);
    for (const code of AMENITY_CODES)
      assert.ok(IT_IT.amenityName(code), `travellers read ${code} in Italian`);
  });

  it('leaves what was stored as it is written, and the order of amenities', () => {
    const base = {
      propertyType: 'Apartment',
      amenities: ['View', 'wifi', 'lift'],
      location: { country: 'IT' },
    };
    const same = withCodes(
      new Map([
        ['propertyType', 'Apartment'],
        ['amenities', 'View'],
        ['amenities.boxes', '1'],
        ['amenities.lift', '1'],
        ['amenities.wifi', '1'],
      ]),
      base,
    );
    assert.deepEqual(Object.fromEntries(same), { propertyType: 'Apartment', amenities: 'View\nwifi\nlift' });
    const changed = withCodes(
      new Map([
        ['amenities', 'View\nPiscina\nHelipad'],
        ['amenities.boxes', '1'],
        ['amenities.lift', '1'],
      ]),
      base,
    );
    assert.equal(changed.get('amenities'), 'View\nlift\npool\nHelipad');
  });
});
