import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_DETAILS, type PropertyDetails } from '../property-details.ts';
import { formatDetails, parseDetails } from './stored-document.ts';

describe('Stored details', () => {
  const details: PropertyDetails = { ...NO_DETAILS, seller: 'Ponte Srl', registrationNumber: 'IT027042' };

  it('read back as they were', () => {
    assert.deepEqual(parseDetails(formatDetails(details)!), details);
    assert.equal(formatDetails(NO_DETAILS), undefined);
  });

  it('of a release without some fields have them not set', () => {
    const { seller } = details;
    assert.deepEqual(parseDetails(JSON.stringify({ seller })), { ...NO_DETAILS, seller });
  });
});
