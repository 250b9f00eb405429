/** A reader remembers what it found last: nothing of it is shown of another state, property, memory or day. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  followed,
  HORIZON_NIGHTS,
  makeProperty,
  NOW_MS,
  TODAY,
} from '../../../test/kit/catalogue-samples.ts';
import { buildCalendar } from '../../domain/calendar.ts';
import { formatLocalDate } from '../../domain/local-date.ts';
import { Catalogue } from './catalogue.ts';
import { CatalogueWriter } from './catalogue-writer.ts';
import { Heap } from './memory/heap.ts';
import { allocatePublication, Publishing, Reading } from './memory/publication.ts';
import { rememberLast } from './prices/stay-prices.ts';

const OPTIONS = { clock: () => NOW_MS, horizonNights: HORIZON_NIGHTS };

function changeOf(id: string, name: string, revision: number) {
  const location = { city: id < 'm' ? 'Lucca' : 'Pisa', country: 'IT', area: null };
  const property = makeProperty(id, { location, name: { 'it-IT': name } }, [2]);
  return followed({ property, calendars: [buildCalendar([])] }, revision);
}

describe('A reader of the catalogue', () => {
  const shown = (catalogue: Catalogue, ids: readonly string[]) =>
    ids.map((id) => [catalogue.findName(id, 'it-IT', 'p1'), catalogue.revisionOf(id)]);

  it('finds each property as it is now, whatever it found before', () => {
    const catalogue = new Catalogue(OPTIONS);
    const held = new Map<string, readonly [string, number]>();
    const ids = ['b', 'd', 'f', 'n', 'p', 'r'];
    const check = (): void => {
      for (const id of ids.flatMap((one) => [one, ids[0]!, one])) {
        const [name, revision] = held.get(id) ?? [];
        assert.deepEqual(shown(catalogue, [id]), [[name, revision]], id);
      }
    };
    const write = (id: string, name: string): void => {
      const revision = held.size + 1 + (held.get(id)?.[1] ?? 0);
      catalogue.apply(changeOf(id, name, revision));
      held.set(id, [name, revision]);
      check();
    };
    for (const id of ids) write(id, `first ${id}`);
    for (const id of ids) write(id, `second ${id}`);
    for (const id of ['b', 'n']) {
      catalogue.forget(id);
      held.delete(id);
      check();
    }
    // They move the others in their blocks.
    ids.push('a', 'c', 'o', 'q');
    for (const id of ['a', 'c', 'o', 'q', 'b', 'n']) write(id, `third ${id}`);
  });

  it('finds nothing of the memory before', () => {
    const catalogue = new Catalogue(OPTIONS);
    const publication = allocatePublication(1);
    const heap = new Heap({ publishing: new Publishing(publication) });
    const writer = new CatalogueWriter(OPTIONS, heap);
    // Written alike, so that what is at an address of the one is at that of the other, in the same version.
    for (const id of ['b', 'n']) {
      catalogue.apply(changeOf(id, `here ${id}`, 1));
      writer.apply(changeOf(id, `else ${id}`, 1));
      writer.publish();
    }
    assert.deepEqual(shown(catalogue, ['b', 'n']), [
      ['here b', 1],
      ['here n', 1],
    ]);
    catalogue.readFrom(heap, new Reading(publication, 0));
    assert.deepEqual(shown(catalogue, ['n', 'b']), [
      ['else n', 1],
      ['else b', 1],
    ]);
  });

  it('writes the dates that are asked, also those that share a place among the texts of days', () => {
    const catalogue = new Catalogue(OPTIONS);
    catalogue.apply(changeOf('b', 'b', 1));
    for (const checkIn of [TODAY, TODAY + 4_096, TODAY + 8_192, TODAY]) {
      const stay = { checkIn, checkOut: checkIn + 1, guests: 1 };
      const { days, stay: told } = JSON.parse(
        String(catalogue.findAvailability({ ...stay, propertyId: 'b', partnerId: 'p1' })),
      );
      assert.deepEqual([days[0].date, told.checkIn], [formatLocalDate(checkIn), formatLocalDate(checkIn)]);
    }
  });

  it('asks again for each other timezone', () => {
    const today = rememberLast((timezone) => `today in ${timezone}`);
    for (const timezone of ['Europe/Rome', 'Asia/Tokyo', 'Asia/Tokyo', 'Europe/Rome'])
      assert.equal(today(timezone), `today in ${timezone}`);
  });
});
