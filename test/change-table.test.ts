/**
 * The table "To change X, open Y" of docs/changing.md, held by changes of the past: each put one fact of the row's kind
 * into the source, and every production file that knows this fact today has to be one that the row names.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { SCHEMA_FILE } from '../scripts/stored-schema.ts';
import { isNamed, readChangeTable, resolvePaths } from './kit/change-table.ts';
import { readSourceFile, withoutComments } from './kit/import-graph.ts';

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
  'an event of webhooks': [
    {
      commit: 'Store webhooks, their keys and their deliveries with what causes them; send them',
      fact: /'(?:quote\.continued|quote\.converted|changes\.available)'/,
    },
  ],
  'what runs in the background': [
    {
      commit: 'Delete quotes that nobody opened after 30 days, and bound the quotes of a day',
      fact: /\bstartUnopenedRetention\b/,
    },
  ],
  "a reason why a stay can't be had": [
    { commit: 'Say why a stay is not priced, and which stays can be had', fact: /\bTOO_SOON\b/ },
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
  'an act of the operator': [
    {
      commit: 'Tell the acts of the operator as rows, and derive their commands',
      fact: /name: 'source retire'/,
    },
  ],
  'another command, such as an import': [
    {
      commit: 'Import rates from spreadsheets, and close and open nights by hand',
      fact: /\baddImportCommands\b/,
    },
  ],
  'the cards of assistants': [
    {
      commit: 'Draw cards of stays in assistants that have MCP Apps, with a picture in the README',
      fact: /ui:\/\/stayport\/cards/,
    },
  ],
  'passkeys of the console': [
    { commit: 'Sign in to the console, and again in place, with a passkey', fact: /\bsignInByPasskey\b/ },
  ],
  'the form of a property': [
    { commit: 'Add the form of a property to the console', fact: /\bsaveProperty\b/ },
  ],
  'a kind of connection': [
    {
      commit: 'Read rooms, nights and stays of accounts at Smoobu and Beds24, behind one port',
      fact: /\bSMOOBU\b|\bconnectionClockWrong\b|\bsmoobu: said\(/,
    },
  ],
  'what a message does': [
    {
      commit: 'Plan and settle supply in a ledger that knows no engine, and write its cold SQL once',
      fact: /\bSupplyPlanner\b/,
    },
  ],
  'a field of the property document': [
    {
      commit: 'Take pictures and the terms of a stay with a property, stored apart from what partners see',
      fact: /\bregistrationNumber\b/,
    },
  ],
  'a page': [
    {
      commit: 'Force each failure with a test token, and document a call for each problem code',
      fact: /testing-page/,
    },
  ],
  'a page or a form of the console': [
    {
      commit: "Console: a partner's page with issue, rotate and revoke, quotes, tests on both engines",
      fact: /\bissuedPage\b|\bissueForPartner\b/,
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
  'a reason why a text or a value is refused': [
    {
      commit: 'Say why something is refused as a code with values, in both languages',
      fact: /\bnotColour\b/,
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
/** Its row names no folder: the constant is found by its name, so that every limit is held, those of the past among them. */
const A_LIMIT = 'a limit';
const PAST_LIMITS: readonly { readonly commit: string; readonly constant: string }[] = [
  {
    commit: 'Bound the references of one quote: a stolen token must not fill the disk with bookings',
    constant: 'CONVERSIONS_PER_QUOTE_MAX',
  },
  {
    commit:
      'Work on one request at a time per connection, bound connections and unread answers, and drain before stopping',
    constant: 'PIPELINED_MAX',
  },
];
/** The sum of three limits, and the size of a file that is built here: no request meets them. */
const LIMITS_OF_TESTS = ['CONNECTIONS_MAX', 'SEARCH_INDEX_BYTES_MAX'];

const page = readFileSync(join(ROOT, 'docs', 'changing.md'), 'utf8');
const table = readChangeTable(page);
const production = globSync('{src,sdk/src,mcp/src}/**/*.{ts,sql}', { cwd: ROOT })
  .filter((path) => !path.endsWith('.test.ts') && path !== SCHEMA_FILE)
  .map((path) => readSourceFile(ROOT, path))
  .map(({ path, text, imports }) => ({ path, imports, text: withoutComments(text) }));

describe('The table "To change X, open Y" of docs/changing.md', () => {
  it('has a change of the past for each row', () => {
    assert.deepEqual(
      table.map(({ change }) => change).sort(),
      [...Object.keys(PAST_CHANGES), A_LIMIT].sort(),
    );
  });

  for (const row of table) {
    const named = resolvePaths(ROOT, row.paths);

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

describe('The row "a limit"', () => {
  const limits = production.flatMap(({ path, text }) =>
    [...text.matchAll(/^(?:export )?const (?<name>[A-Z\d_]+_MAX)\b/gm)].map(({ groups }) => ({
      name: groups!['name']!,
      path,
    })),
  );
  const countOf = (name: string, text: string): number =>
    text.match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0;

  it('finds the limits that it is about', () => {
    const [, pattern = ''] = /\| a limit \|.*`grep -rn (\S+) src\/`/.exec(page) ?? [];
    assert.ok(limits.length > 250, `${limits.length} limits`);
    assert.deepEqual(
      limits.filter(({ name }) => !name.includes(pattern) || pattern === ''),
      [],
    );
  });

  for (const { commit, constant } of PAST_LIMITS)
    it(`finds one number for ${constant}, which came with "${commit}"`, () => {
      assert.equal(limits.filter(({ name }) => name === constant).length, 1);
    });

  it('is right that a limit stands in the file that enforces it, or in one that this file imports', () => {
    const nobodys = limits.filter(({ name, path }) => {
      const users = production.filter((file) => countOf(name, file.text) > (file.path === path ? 1 : 0));
      return !users.some((file) => file.path === path || file.imports.includes(path));
    });
    assert.deepEqual(nobodys.map(({ name }) => name).sort(), LIMITS_OF_TESTS);
  });
});
