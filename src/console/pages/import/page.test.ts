import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UNREAD } from '../../../app/service/imports/import-folder.ts';
import { viewOf } from '../../web/elements.ts';
import { formatPage } from '../../web/frame.ts';
import type { ImportState } from '../../reading/import-state.ts';
import { importFilePage } from './page.ts';

const READER = { root: '/', nowMs: 0, formId: 'f', person: undefined, leadsToSetup: false } as const;

/** A sheet as its state file has it, and the texts of its page in Italian. */
function draw(stored: object): string {
  const state = {
    ...UNREAD,
    importId: 'a',
    kind: 'rates',
    fileName: 'rates.csv',
    source: 'catalogue',
    replace: false,
    person: 'Ada',
    receivedAt: '2026-11-30T09:00:00.000Z',
    bytes: 10,
    hash: null,
    phase: 'failed',
    progress: null,
    counts: null,
    applied: null,
    rejections: [],
    notices: [],
    failure: null,
    changedMeanwhile: false,
    ...stored,
  } as unknown as ImportState;
  const view = viewOf({ ...READER, locale: 'it-IT' });
  return formatPage(view, 'import-file', '', importFilePage(view, { rows: state })).replaceAll(/\s+/g, ' ');
}

describe('The page of a file', () => {
  it('says in English what a release without codes stored', () => {
    const mistake = { rowCount: 1, rows: '3', propertyId: 'ponte', column: 'rate', reason: 'must be text' };
    const page = draw({
      notices: ['Row 2 is hidden.'],
      failure: 'rates.csv is empty.',
      mistakes: [mistake],
    });
    for (const text of ['Row 2 is hidden.', 'rates.csv is empty.', 'must be text'])
      assert.ok(page.includes(`<span lang="en"><bdi class="word">${text}</bdi></span>`), text);
  });

  it('says codes in the language of the reader', () => {
    const page = draw({
      notices: ['Row 2 is hidden.', '3 listings are left'],
      noticesWrong: [
        { code: 'rowHidden', values: { row: 2 } },
        { code: 'listingsCutOff', values: { file: 'calendar.csv', count: 3 } },
      ],
      failure: 'It is too large.',
      failureWrong: { code: 'tooLong', values: { max: 7 } },
    });
    assert.ok(!page.includes('lang="en"'));
    assert.match(page, />La riga 2 è nascosta [^<]* non contano\.</);
    assert.match(page, />calendar\.csv: 3 annunci [^<]* dentro i loro calendari</);
    assert.match(page, />è più lungo di 7 caratteri\.</);
  });
});
