/** A property that is not offered to a partner does not exist for that partner, on any operation (SPEC 4.2, SPEC 7). */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { hotel, inCity } from '../../kit/catalogue-lines.ts';
import { type Installation, openInstallation } from '../../kit/installation.ts';
import { PartnerClient, quoteBody } from '../../kit/partner-client.ts';

const STAY = { checkIn: '2026-12-01', checkOut: '2026-12-04' };

let installation: Installation;
const clients = new Map<string, PartnerClient>();
before(async () => {
  installation = await openInstallation();
  await installation.importLines([
    hotel('for-acme', { visibleTo: ['acme'], ...inCity('Roma') }),
    hotel('for-all', { visibleTo: 'all', ...inCity('Roma') }),
    hotel('for-both', { visibleTo: ['bits', 'acme'], ...inCity('Roma') }),
    hotel('for-nobody', { visibleTo: [], ...inCity('Roma') }),
    hotel('for-somebody-else', { visibleTo: ['acme-2', 'acm', 'ACME'], ...inCity('Roma') }),
    hotel('withdrawn', inCity('Roma')),
  ]);
  await installation.storage.withdrawProperties(['withdrawn']);
  const tokens = new Map<string, string>();
  for (const partnerId of Object.keys(VISIBLE)) {
    tokens.set(partnerId, (await installation.issue({ partnerId })).token);
  }
  const { partnerUrl } = await installation.serve();
  for (const [partnerId, token] of tokens) clients.set(partnerId, new PartnerClient(partnerUrl, token));
});
after(() => installation.close());

const VISIBLE: Readonly<Record<string, readonly string[]>> = {
  acme: ['for-acme', 'for-all', 'for-both'],
  bits: ['for-all', 'for-both'],
  newcomer: ['for-all'],
};
const ALL_IDS = ['for-acme', 'for-all', 'for-both', 'for-nobody', 'for-somebody-else', 'withdrawn'];

for (const [partnerId, visible] of Object.entries(VISIBLE)) {
  describe(`for the partner ${partnerId}`, () => {
    it(`a list holds ${visible.join(', ')} and counts no other`, async () => {
      const client = clients.get(partnerId)!;
      for (const query of [{}, STAY, { guests: 1 }, { country: 'IT' }]) {
        const { items, pagination } = (await client.search({ city: 'Roma', ...query })).success;
        assert.deepEqual(
          items.map(({ propertyId }) => propertyId),
          visible,
        );
        assert.equal(pagination.total, visible.length);
      }
    });

    for (const propertyId of ALL_IDS) {
      const isVisible = visible.includes(propertyId);
      it(`${propertyId} ${isVisible ? 'is there' : 'is not found'} on every operation`, async () => {
        const client = clients.get(partnerId)!;
        const answers = [
          await client.property(propertyId),
          await client.availability(propertyId, STAY),
          await client.quote(quoteBody(propertyId, STAY.checkIn, STAY.checkOut)),
        ];
        const outcomes = answers.map(({ outcome }) => outcome);
        const unknown = '404 PROPERTY_NOT_FOUND';
        assert.deepEqual(outcomes, isVisible ? ['200', '200', '201'] : [unknown, unknown, unknown]);
      });
    }
  });
}

it('a hidden property is answered exactly like one that nobody has', async () => {
  const client = clients.get('newcomer')!;
  const [hidden, unknown] = [await client.property('for-acme'), await client.property('no-such-hotel')];
  const { correlationId: _hiddenId, ...hiddenBody } = hidden.problem;
  const { correlationId: _unknownId, ...unknownBody } = unknown.problem;
  assert.deepEqual(hiddenBody, unknownBody);
});

it('a hidden property is not found even where the stay could not be had', async () => {
  const client = clients.get('newcomer')!;
  const answer = await client.quote(quoteBody('for-acme', '2020-01-01', '2020-01-02'));
  assert.equal(answer.outcome, '404 PROPERTY_NOT_FOUND');
});
