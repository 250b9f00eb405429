import assert from 'node:assert/strict';
import { it } from 'node:test';
import { documentFields } from '../../../domain/document/grammar.ts';
import { PROPERTY_DOCUMENT } from '../../../domain/document/property-grammar.ts';
import { LOCALES } from '../../../domain/property.ts';
import { DOCUMENT_HINTS, DOCUMENT_LABELS, ROW_LABELS } from './document-labels.ts';

it('every field of the property document has a label in each language, and no other has one', () => {
  const paths = documentFields(PROPERTY_DOCUMENT)
    .map(({ path }) => path)
    .filter((path) => !path.includes('calendar'));
  assert.deepEqual(Object.keys(DOCUMENT_LABELS).toSorted(), paths.toSorted());
  for (const [path, label] of Object.entries(DOCUMENT_LABELS))
    for (const locale of LOCALES) assert.ok(label[locale].trim() !== '', path);
});

it('hints and names of rows are of fields that there are, in each language', () => {
  for (const [path, text] of Object.entries({ ...DOCUMENT_HINTS, ...ROW_LABELS })) {
    assert.ok(path in DOCUMENT_LABELS, path);
    for (const locale of LOCALES) assert.ok(text[locale].trim() !== '', path);
  }
});
