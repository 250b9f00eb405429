import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openCatalogueFile } from './catalogue-file.ts';
import { NO_DETAILS, PAYMENT_MOMENTS } from '../../domain/property-details.ts';
import { CALENDAR_FIELDS } from '../../domain/calendar-fields.ts';
import type { SuppliedProperty } from '../run/supply-item.ts';

const PICTURES = join(import.meta.dirname, '../../../sample/images');
const FILE = join(import.meta.dirname, '../../../sample/italy.ndjson');

async function readSample(): Promise<SuppliedProperty[]> {
  const supply = await openCatalogueFile({ file: FILE, standardInput: process.stdin, readsTwice: false });
  const properties: SuppliedProperty[] = [];
  for await (const item of supply.open()) {
    assert.equal(item.kind, 'property', JSON.stringify(item));
    if (item.kind === 'property') properties.push(item);
  }
  return properties;
}

describe('The hand-written sample', () => {
  it('is read without a single fault', async () => {
    assert.equal((await readSample()).length, 6);
  });

  it('shows every calendar field but rates by guests, and one that is cleared', async () => {
    const entries = (await readSample()).flatMap((item) => item.entries.flat());
    const fields = new Set(entries.flatMap(({ set }) => Object.keys(set)));
    assert.deepEqual([...fields].sort(), CALENDAR_FIELDS.toSorted());
    assert.ok(entries.some(({ set }) => Object.values(set).includes(null)));
  });

  it('has pictures of each property, and every kind of terms', async () => {
    const all = (await readSample()).map(({ details }) => details ?? NO_DETAILS);
    for (const { images } of all) {
      assert.ok(images.length >= 2);
      for (const { src, width, height } of images) {
        const text = readFileSync(join(PICTURES, src), 'utf8');
        assert.match(text, new RegExp(`^<svg [^>]*viewBox="0 0 ${width} ${height}"`));
        assert.doesNotMatch(text, /<script|<image|<style|href="(?!#)|url\(/, 'nothing but drawing');
      }
    }
    for (const field of Object.keys(NO_DETAILS) as (keyof typeof NO_DETAILS)[])
      assert.ok(
        all.some((details) => details[field] !== null),
        field,
      );
    assert.ok(
      all.some(({ cancellation }) => cancellation?.length === 0),
      'non-refundable',
    );
    const moments = all.flatMap(({ payment }) => payment ?? []).map(({ due }) => due);
    assert.deepEqual(new Set(moments), new Set(PAYMENT_MOMENTS));
  });

  it('shows the terms of a property', async () => {
    const properties = (await readSample()).map(({ property }) => property);
    const taxes = properties.flatMap((property) => property.taxes);
    assert.ok(properties.some(({ quoting }) => !quoting));
    assert.ok(properties.some(({ visibleTo }) => visibleTo !== 'all'));
    assert.ok(properties.some(({ cleaningFee }) => cleaningFee !== null));
    assert.ok(properties.some(({ cityAliases }) => cityAliases.includes('Venise')));
    assert.ok(
      properties.some(({ inventoryTypes }) => inventoryTypes.some((type) => type.extraGuestRate !== '0.00')),
    );
    assert.ok(taxes.some(({ kind, maxNights }) => kind === 'city_tax' && maxNights !== null));
    for (const inclusive of [true, false])
      assert.ok(taxes.some((rule) => rule.percent !== null && rule.inclusive === inclusive));
    const discounts = properties.flatMap((property) => property.discounts ?? []);
    assert.ok(discounts.some(({ minNights }) => minNights === 7));
    assert.ok(discounts.some(({ minAdvanceDays }) => minAdvanceDays !== undefined));
    assert.ok(taxes.some(({ logic }) => logic === 'cumulative_percent'));
  });
});
