/** Cities by the beginning of their name, on the running service. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { hotel } from '../../kit/catalogue-lines.ts';
import { until } from '../../kit/command-line.ts';
import { type Running, startInstallation } from '../../kit/installation.ts';
import { PartnerClient } from '../../kit/partner-client.ts';

interface City {
  readonly city: string;
  readonly country: string;
  readonly matched: string;
  readonly properties: number;
}

const VENICE = { city: { 'it-IT': 'Venezia', 'en-GB': 'Venice' }, country: 'IT', area: null };

describe('GET /places/v1/cities', () => {
  let running: Running;
  before(async () => {
    running = await startInstallation([
      hotel('ponte', { location: VENICE, cityAliases: ['Venedig'] }),
      hotel('ghetto', { location: VENICE }),
      hotel('aquila', { location: { city: 'L’Aquila', country: 'IT', area: null } }),
      hotel('secret', {
        location: { city: 'Veneto Marina', country: 'IT', area: null },
        visibleTo: ['other'],
      }),
    ]);
  });
  after(() => running.installation.close());

  const ask = (query: string) =>
    running.partner.ask<{ readonly items: readonly City[] }>('suggestCities', {
      path: `/places/v1/cities?${query}`,
    });
  const citiesOf = async (query: string) => (await ask(query)).success.items;

  it('names the cities of what the partner sees, in the locale', async () => {
    const venice = { country: 'IT', properties: 2 };
    assert.deepEqual(await citiesOf('text=ven'), [{ city: 'Venezia', matched: 'Venezia', ...venice }]);
    assert.deepEqual(await citiesOf('text=ven&locale=en-GB'), [
      { city: 'Venice', matched: 'Venice', ...venice },
    ]);
    assert.deepEqual(await citiesOf('text=vened'), [{ city: 'Venezia', matched: 'Venedig', ...venice }]);
    assert.deepEqual(await citiesOf('text=veneto'), []);
    assert.deepEqual(await citiesOf('text=ven&country=FR'), []);
  });

  it('forgives typing mistakes, and finds what a search takes', async () => {
    for (const text of ["l'aquila", 'aquila', 'laquila', 'aqiula', 'L%E2%80%99AQU'])
      assert.deepEqual(
        (await citiesOf(`text=${text}`)).map(({ city }) => city),
        ['L’Aquila'],
        text,
      );
    const [city] = await citiesOf('text=aqiula');
    const found = await running.partner.search({ city: city!.city, country: city!.country });
    assert.deepEqual(
      found.success.items.map(({ propertyId }) => propertyId),
      ['aquila'],
    );
  });

  it('refuses what is out of bounds', async () => {
    assert.deepEqual((await ask('')).issues, ['text REQUIRED']);
    assert.deepEqual((await ask('text=%20')).issues, ['text LENGTH_INVALID']);
    assert.deepEqual((await ask('text=%E2%80%8B')).issues, ['text FORMAT_INVALID']);
    assert.deepEqual((await ask(`text=${'a'.repeat(121)}`)).issues, ['text LENGTH_INVALID']);
    assert.equal((await ask(`text=${'a'.repeat(120)}`)).status, 200);
    assert.deepEqual((await ask('text=a&limit=0&country=it')).issues, [
      'country FORMAT_INVALID',
      'limit OUT_OF_RANGE',
    ]);
    assert.deepEqual((await ask('text=a&limit=21')).issues, ['limit OUT_OF_RANGE']);
    assert.equal((await ask('text=%F0%9F%8F%A8&limit=20')).status, 200);
  });

  it('shows a new city within its second, and forgets a withdrawn one', async () => {
    await running.installation.importLines([
      hotel('orvieto', { location: { city: 'Orvieto', country: 'IT', area: null } }),
    ]);
    await until(async () => (await citiesOf('text=orv')).length === 1);
  });

  it('answers a test token with test cities', async () => {
    const { token } = await running.installation.issue({ isTest: true });
    await until(async () => {
      const client = new PartnerClient(running.service.partnerUrl, token);
      const answer = await client.ask<{ readonly items: readonly City[] }>('suggestCities', {
        path: '/places/v1/cities?text=testv',
      });
      return answer.status === 200 && answer.success.items[0]?.city === 'Testville';
    });
  });
});
