/** Reader and JSON schema of a property document agree: both come from one grammar. */
import { inEnglish } from '../wrong.ts';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { PropertyDocumentSchema } from '../../contract/operator/supply-schemas.ts';
import { parsePropertyDocument } from '../../supply/native/property-document.ts';
import { createRandom, type MutationRandom } from '../../../test/kit/mutations.ts';
import { addContractFormats } from '../../../test/kit/response-formats.ts';
import * as limits from './document-limits.ts';
import { documentFields } from './grammar.ts';
import { PROPERTY_DOCUMENT } from './property-grammar.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- documents are changed wherever they can be
type Document = any;

const MUTATIONS = 5_000;
const ROOT = join(import.meta.dirname, '..', '..', '..');

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false, allErrors: true });
addContractFormats(ajv);
const matches = ajv.compile(structuredClone(PropertyDocumentSchema));

const samples: readonly Document[] = readFileSync(join(ROOT, 'sample', 'italy.ndjson'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Document);

/** Rules beyond a schema: several fields at once, tables of codes, texts that can't be stored. */
const BEYOND_SCHEMA = [
  /^must be (?:a|an) (?:country|currency|IANA|inventory type of this)/,
  /^must be a list, not|^is required by the logic|^does not belong to|^must not be (?:below|before|above)/,
  /^must be (?:below|one of accommodation)|^must come behind|^must have percentages|^must have at most 3000/,
  /is already (?:a discount|an inventory type)|^is reserved|^has prices|are more than|brings the calendars/,
  /^holds (?:half|a NUL)|^must be an https|^must be a path|^marks calendars/,
  /^belongs? to the logic|^must not stand (?:beside|in)|^must have at least one entry/,
];
/** Only one value of `due` needs it. */
const isBeyondSchema = (field: string, reason: string): boolean =>
  (/^payment\[\d+\]\.daysBefore$/.test(field) && reason !== 'is not a known field') ||
  BEYOND_SCHEMA.some((pattern) => pattern.test(reason));

const ODD: readonly unknown[] = [
  null, '', ' ', 'x', '0', '0.00', '10', '10.555', '100', '100.01', '007', 0, -0, 1, -1, 0.5, 1.3, 30, 31, 64, 731, 10_001,
  2 ** 53, true, [], {}, [null], ['a'], [1], { 'it-IT': 'x' }, { 'en-GB': '' }, { 'de-DE': 'x' }, { 'it-IT': null }, '2026-02-30',
  '2026-12-01', '23:59', '24:00', 'EUR', 'Eur', 'IT', 'all', 'percent', 'booking', 'a/b.jpg', '.', 'x'.repeat(65), 'x'.repeat(201),
  ['mon'], ['sat', 'sun'], { 2: '90.00' }, { 31: '90.00' },
]; // prettier-ignore

/** Changes one random place in a copy of the document: sets, removes, adds or repeats something. */
function mutated(document: Document, random: MutationRandom): Document {
  const root = { document: structuredClone(document) };
  const places: (readonly [Document, string])[] = [];
  const walk = (value: Document): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const key of Object.keys(value)) {
      places.push([value, key]);
      walk(value[key]);
    }
  };
  walk(root.document);
  const [holder, key] = places[random(places.length)]!;
  const odd = structuredClone(ODD[random(ODD.length)]);
  const act = random(8);
  if (act === 0 && !Array.isArray(holder)) delete holder[key];
  else if (act === 1 && !Array.isArray(holder)) holder['unknown'] = odd;
  else if (act === 2 && Array.isArray(holder)) holder.push(structuredClone(holder[Number(key)]));
  else holder[key] = odd;
  return root.document;
}

function assertSame(document: Document): 'taken' | 'refused' | 'beyond' {
  const read = parsePropertyDocument(structuredClone(document));
  const isMatch = matches(document);
  if (read.ok) {
    assert.ok(isMatch, `the reader takes it, the schema does not: ${JSON.stringify(matches.errors)}`);
    return 'taken';
  }
  const finding = `${read.field}: ${inEnglish(read.reason)}`;
  if (!isMatch) return 'refused';
  assert.ok(
    isBeyondSchema(read.field, inEnglish(read.reason)),
    `the schema takes what the reader refuses, ${finding}`,
  );
  return 'beyond';
}

describe('The schema of a property document', () => {
  it('takes null in each field where the reader takes it', () => {
    const nullable = documentFields(PROPERTY_DOCUMENT)
      .map(({ path }) => path)
      .filter((path) => !path.includes('.'))
      .filter((path) => parsePropertyDocument({ ...samples[0], [path]: null }).ok);
    assert.ok(nullable.includes('checkIn') && nullable.includes('images') && nullable.includes('seller'));
    for (const path of nullable) assert.ok(matches({ ...samples[0], [path]: null }), path);
  });

  it('has every required field among its properties, and no other field is taken', () => {
    const { required, properties } = PropertyDocumentSchema as unknown as Record<string, Document>;
    assert.deepEqual(
      required.filter((name: string) => properties[name] === undefined),
      [],
    );
    assert.equal(matches({ ...samples[0], address: 'Via Garibaldi 1' }), false);
  });

  it('has the limits of the reader', () => {
    const bounds = (path: string): Document =>
      documentFields(PROPERTY_DOCUMENT).find((field) => field.path === path)?.schema;
    assert.equal(bounds('seller').maxLength, limits.SELLER_LENGTH_MAX);
    assert.equal(bounds('registrationNumber').maxLength, limits.REGISTRATION_NUMBER_LENGTH_MAX);
    assert.equal(bounds('cancellation[].daysBefore').maximum, limits.DAYS_BEFORE_MAX);
    assert.equal(bounds('images[].width').maximum, limits.IMAGE_PIXELS_MAX);
  });

  it(`takes and refuses what the reader takes and refuses, over the samples and ${MUTATIONS} changes of them`, () => {
    for (const sample of samples) assert.equal(assertSame(sample), 'taken');
    const random = createRandom(20_261_120);
    const counts = { taken: 0, refused: 0, beyond: 0 };
    for (let index = 0; index < MUTATIONS; index += 1) {
      const sample = samples[random(samples.length)];
      const verdict = assertSame(mutated(sample, random));
      counts[verdict] += 1;
    }
    assert.ok(counts.taken > MUTATIONS / 20 && counts.refused > MUTATIONS / 3, JSON.stringify(counts));
    assert.ok(counts.beyond > MUTATIONS / 100, JSON.stringify(counts));
  });
});
