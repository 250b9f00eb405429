/**
 * The table "To change X, open Y" of ARCHITECTURE.md, held by changes of the past: each put one fact of the row's kind
 * into the source, and every production file that knows this fact today has to be one that the row names.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, it } from 'node:test';
import { isNamed, readChangeTable, resolveRow } from './kit/change-table.ts';
import { withoutComments } from './kit/import-graph.ts';

const ROOT = join(import.meta.dirname, '..');

interface PastChange {
  /** Title of the commit. */
  readonly commit: string;
  /** What stands in every file that the change had to touch. */
  readonly fact: RegExp;
}

const PAST_CHANGES: Readonly<Record<string, readonly PastChange[]>> = {
  'an operation': [
    {
      commit: 'Define the contract: schemas, problems and the table of operations',
      fact: /\bgetPartnerProperty\b/,
    },
    { commit: 'Serve the supply API on the operator listener', fact: /\bgetSupplyDocs\b/ },
  ],
  'a check before every operation': [
    {
      commit: 'Delete quotes that nobody opened after 30 days, and bound the quotes of a day',
      fact: /\bquotesPerDayHook\b/,
    },
    {
      commit: 'Wire both listeners: hooks, operations, egress guard, limits',
      fact: /\bscopeHook\b/,
    },
  ],
  'what runs in the background': [
    {
      commit: 'Delete quotes that nobody opened after 30 days, and bound the quotes of a day',
      fact: /\bstartUnopenedRetention\b/,
    },
  ],
  'a response header': [
    {
      commit: 'Build the OpenAPI document from the table of operations',
      fact: /'X-RateLimit-Reset'/,
    },
  ],
  'a problem code': [
    {
      commit: 'Define the contract: schemas, problems and the table of operations',
      fact: /'?PARTNER_SCOPE_INSUFFICIENT\b/,
    },
  ],
  'a restriction': [
    {
      commit: 'Lay the foundation: toolchain, property types, dates and the storage port',
      fact: /\bminStayThrough\b/,
    },
    {
      commit: 'Lay the foundation: toolchain, property types, dates and the storage port',
      fact: /\bclosedToDeparture\b/,
    },
  ],
  'a tax logic': [
    {
      commit: 'Lay the foundation: toolchain, property types, dates and the storage port',
      fact: /'cumulative_percent'/,
    },
  ],
  'an import format': [
    {
      commit: 'Import rates from spreadsheets, and close and open nights by hand',
      fact: /supply\/rates\/|rates-command/,
    },
  ],
  'a storage column': [
    {
      commit: 'Add the columns that operator rights, retired keys and retention need, in migration 002',
      fact: /\bretired_at_ms\b/,
    },
    {
      commit: 'Give partners a sandbox: test tokens, test properties for each local day, marked quotes',
      fact: /\bis_test\b/,
    },
  ],
  'a metric': [
    {
      commit: 'Notice a database that went back, and read it again',
      fact: /\bstayport_history_lost_total\b/,
    },
    {
      commit: 'Show feeds that fail: numbers by state, an alert on what is overdue, one log line per change',
      fact: /\bstayport_ical_overdue_seconds\b/,
    },
  ],
  'a setting': [
    {
      commit: 'Delete quotes that nobody opened after 30 days, and bound the quotes of a day',
      fact: /\bquoteUnopenedDays\b/,
    },
  ],
  'a command': [
    { commit: 'Publish calendars under secret URLs, list and retire sources', fact: /\baddSourceCommands\b/ },
  ],
  'a page': [
    {
      commit: 'Force each failure with a test token, and document a call for each problem code',
      fact: /testing-page/,
    },
  ],
  'what is counted of requests': [
    {
      commit: 'Count what partners ask: requests, traffic and demand, with a command for each',
      fact: /\blooks (?:bigint|INTEGER)|'looks'|\blooks: /,
    },
  ],
  'a column of the attribution report': [
    {
      commit: 'Keep each number of attribution in one row',
      fact: /\bprice_changed (?:bigint|INTEGER)|stored: 'price_changed'/,
    },
  ],
  "a text of the traveller's page": [
    {
      commit: 'Say on its page that a quote is a test, and count no previews of messengers as travellers',
      fact: /\btestEndsHere\b/,
    },
  ],
  'a listener': [
    {
      commit: 'Open handoff links on a web listener of its own, and keep what became of quotes',
      fact: /\bWebListener\b|'WEB_PORT'/,
    },
  ],
};
/** It stands beside its rule, wherever that is. */
const ROWS_WITHOUT_PLACE = ['a limit'];

const table = readChangeTable(readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8'));
const production = globSync('{src,sdk/src,mcp/src}/**/*.{ts,sql}', { cwd: ROOT })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({
    path: path.split(sep).join('/'),
    text: withoutComments(readFileSync(join(ROOT, path), 'utf8')),
  }));

describe('The table "To change X, open Y" of ARCHITECTURE.md', () => {
  it('has a change of the past for each row', () => {
    assert.deepEqual(
      table.map(({ change }) => change).sort(),
      [...Object.keys(PAST_CHANGES), ...ROWS_WITHOUT_PLACE].sort(),
    );
  });

  for (const row of table) {
    const named = resolveRow(ROOT, row);

    it(`names only what is there, for ${row.change}`, () => {
      const missing = row.paths.filter((_, index) => named[index] === undefined);
      assert.deepEqual(missing, [], `the row "${row.change}" names what is not there`);
    });

    for (const { commit, fact } of PAST_CHANGES[row.change] ?? []) {
      it(`names every file with ${fact.source}, which came with "${commit}", for ${row.change}`, () => {
        const touched = production.filter(({ text }) => fact.test(text)).map(({ path }) => path);
        assert.ok(touched.length > 0, 'nothing in the source has this fact any more: choose another one');
        const unnamed = touched.filter((path) => !isNamed(path, named));
        assert.deepEqual(unnamed, [], `the row "${row.change}" does not name these files`);
      });
    }
  }
});
