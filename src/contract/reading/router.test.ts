import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OPERATIONS } from '../partner/operations.ts';
import { buildRouter } from './router.ts';

const matchOperation = buildRouter(OPERATIONS);

describe('matchOperation', () => {
  const found: [method: string, path: string, operationId: string, segments: Record<string, string>][] = [
    ['GET', '/v1/properties', 'listPartnerProperties', {}],
    ['HEAD', '/v1/properties', 'listPartnerProperties', {}],
    ['GET', '/v1/properties/hotel-ponte', 'getPartnerProperty', { propertyId: 'hotel-ponte' }],
    ['GET', '/v1/properties/a%2Fb', 'getPartnerProperty', { propertyId: 'a%2Fb' }],
    ['GET', '/v1/properties/availability', 'getPartnerProperty', { propertyId: 'availability' }],
    ['GET', '/v1/properties/x/availability', 'getPartnerPropertyAvailability', { propertyId: 'x' }],
    ['GET', '/v1/properties/__proto__', 'getPartnerProperty', { propertyId: '__proto__' }],
    ['POST', '/v1/quotes', 'createPartnerQuote', {}],
  ];
  for (const [method, path, operationId, segments] of found) {
    it(`${method} ${path} is ${operationId}`, () => {
      const match = matchOperation(method, path);
      assert.ok(match.found === 'operation');
      assert.equal(match.operation.operationId, operationId);
      assert.deepEqual({ ...match.rawSegments }, segments);
    });
  }

  for (const path of [
    '',
    '/',
    '*',
    '/v1',
    '/v1/',
    '/v1/properties/',
    '/v1/properties//availability',
    '/V1/properties',
    '/v1/quotes/',
    '/v1/quotes/q_1',
    '/v1/properties/x/availability/',
    '/v1//properties',
    '/v2/properties',
    '//v1/quotes',
  ]) {
    it(`${JSON.stringify(path)} is not an operation`, () => {
      assert.deepEqual(matchOperation('GET', path), { found: 'nothing' });
    });
  }

  const otherMethods: [method: string, path: string, allowed: string[]][] = [
    ['POST', '/v1/properties', ['GET', 'HEAD']],
    ['PUT', '/v1/properties/x', ['GET', 'HEAD']],
    ['get', '/v1/properties', ['GET', 'HEAD']],
    ['DELETE', '/v1/properties/x/availability', ['GET', 'HEAD']],
    ['GET', '/v1/quotes', ['POST']],
  ];
  for (const [method, path, allowedMethods] of otherMethods) {
    it(`${method} ${path} is told what the path allows`, () => {
      assert.deepEqual(matchOperation(method, path), { found: 'path', allowedMethods });
    });
  }
});
