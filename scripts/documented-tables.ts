/**
 * `npm run tables`: writes the parts of the docs that derive from rows of the code, each between its two marks.
 * `test/documented-tables.test.ts` compares.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { COLUMNS_MAX, wrap } from '../bench/report/format-figure.ts';
import { PROBLEM_CODES, PROBLEMS } from '../src/contract/partner/problems.ts';
import { CONTRACT_VERSIONS } from '../src/contract/partner/versions.ts';
import { FIELD_ROWS, FIELDS, isRestriction, rowOf } from '../src/domain/calendar-fields.ts';
import { type Setting, SETTINGS } from '../src/app/settings/settings-table.ts';
import { ATTRIBUTION_TOTALS, CONVERSION_COLUMNS } from '../src/storage/attribution/attribution-sql.ts';
import { FAMILY_TAXES } from '../test/kit/family-taxes.ts';
import { formatCurl } from '../src/portal/programs/sample-programs.ts';
import { measured, measuredOn } from './measured-figures.ts';
import { readRooms } from './read-rooms.ts';

const ROOT = join(import.meta.dirname, '..');

export interface DocumentedTable {
  /** From the root of the repository. */
  readonly page: string;
  readonly name: string;
  /** Where its rows are. */
  readonly source: string;
  readonly lines: readonly string[];
}

export const DOCUMENTED_TABLES: readonly DocumentedTable[] = [
  {
    page: 'ARCHITECTURE.md',
    name: 'rooms',
    source: 'src/*/README.md',
    lines: table(
      ['room', 'is', 'port'],
      readRooms(ROOT).map(({ room, is, port }) => [`[${room}](src/${room}/README.md)`, is, port]),
    ),
  },
  {
    page: 'docs/supply.md',
    name: 'calendar fields',
    source: 'src/domain/calendar-fields.ts',
    lines: table(
      ['field', 'means', 'reason'],
      FIELDS.map((field) => {
        const { meaning, notes } = rowOf(field);
        const reason = isRestriction(field) ? code(FIELD_ROWS[field].reason) : '-';
        return [code(field), [meaning, ...(notes === undefined ? [] : [notes])].join(' '), reason];
      }),
    ),
  },
  {
    page: 'docs/supply.md',
    name: 'names in ARI messages',
    source: 'src/domain/calendar-fields.ts',
    lines: table(
      ['field of a value', 'becomes'],
      FIELDS.map((field) => [rowOf(field).ariNames.map(code).join(', '), code(field)]),
    ),
  },
  {
    page: 'docs/children.md',
    name: 'taxes of families',
    source: 'test/kit/family-taxes.ts',
    lines: table(
      ['place', 'rules', 'travellers, nights', 'tax', 'all as adults', 'source, its date'],
      FAMILY_TAXES.map(({ place, rules, guests, childAges, nights, source, asOf, ...tax }) => [
        place,
        rules
          .map((rule) => code(JSON.stringify(rule, (_, value: unknown) => value ?? undefined)))
          .join('<br>'),
        `${guests - childAges.length} adults, ${childAges.join(' and ')}; ${nights.length}`,
        `${tax.family} ${tax.currency}`,
        tax.adults,
        `${source}, ${asOf}`,
      ]),
    ),
  },
  {
    page: 'docs/contract.md',
    name: 'codes of problems',
    source: 'src/contract/partner/problems.ts',
    lines: table(
      ['status', 'code', 'when'],
      PROBLEM_CODES.map((problem) => [
        String(PROBLEMS[problem].status),
        code(problem),
        PROBLEMS[problem].detail,
      ]),
    ),
  },
  {
    page: 'docs/contract.md',
    name: 'calls for problems',
    source: 'src/contract/partner/problems.ts',
    lines: PROBLEM_CODES.flatMap((problem) => [
      `    # ${problem}`,
      `    ${formatCurl(PROBLEMS[problem].testCall)}`,
    ]),
  },
  {
    page: 'docs/contract.md',
    name: 'versions',
    source: 'src/contract/partner/versions.ts',
    lines: CONTRACT_VERSIONS.flatMap(({ version, date, changes, promises }) => [
      `**\`${version}\`** (${date}):`,
      '',
      ...changes.flatMap(bulletOf),
      '',
      'What a partner can rely on:',
      '',
      ...promises.flatMap(bulletOf),
    ]),
  },
  {
    page: 'docs/operating.md',
    name: 'settings',
    source: 'src/app/settings/settings-table.ts',
    lines: table(
      ['name', 'default', 'meaning'],
      Object.values<Setting>(SETTINGS).map(({ name, fallback, meaning, see, ofSite }) => [
        code(name),
        fallback === undefined || fallback === '' ? 'none' : code(fallback),
        `${see === undefined ? meaning : `${meaning}; [more](${see.replace(/^operating\.md(?=#)/, '')})`}${ofSite === undefined ? '' : ' \\*'}`,
      ]),
    ),
  },
  {
    page: 'docs/traveller.md',
    name: 'columns of attribution',
    source: 'src/storage/attribution/attribution-sql.ts',
    lines: table(
      ['column', 'counts quotes'],
      [
        ...Object.entries(ATTRIBUTION_TOTALS).map(([name, { meaning }]) => [code(name), meaning]),
        ...Object.entries(CONVERSION_COLUMNS).map(([name, meaning]) => [code(name), meaning]),
      ],
    ),
  },
  {
    page: 'README.md',
    name: 'figures',
    source: 'bench/results',
    lines: [
      `One core of a two-core virtual machine, \`npm run bench\`, ${measuredOn('wire')}`,
      '([all figures, bars and limits](docs/performance.md)):',
      '',
      ...table(['what', 'measured'], readmeFigures()),
    ],
  },
  {
    page: 'docs/operating.md',
    name: 'sizing',
    source: 'bench/results',
    lines: sizingTable(),
  },
  {
    page: 'docs/performance.md',
    name: 'totals of stays',
    source: 'bench/results',
    lines: totalsOfStays(),
  },
];

function readmeFigures(): string[][] {
  const search = 'dated search, 20 items';
  const rate = Math.round(measured('wire', `${search}: rate`)).toLocaleString('en-GB');
  const bare = (1 / measured('wire', `${search}: rate against bare node:http`)).toFixed(1);
  const cities = ['20,000', '100,000', '1,000,000'];
  const medians = cities.map((size) =>
    Math.round(measured('growth', `city of ${size} types, median`)).toLocaleString('en-GB'),
  );
  const ready = Math.round(measured('scale', 'ready after start'));
  const memory = measured('scale', 'resident memory when ready').toFixed(1);
  const p99 = measured('scale', 'search p99').toFixed(1);
  const visible = measured('freshness', 'from commit to visible in a search, p99') / 1000;
  return [
    [
      `${search}, Antwerp in full`,
      `${rate} a second; a \`node:http\` server that only sends these bytes answers ${bare} times as many`,
    ],
    [
      `search in a city of ${cities.join(' / ')} inventory types, inside the process`,
      `${medians.join(' / ')} us`,
    ],
    ['1,000,000 properties at 1,000 searches a second', `ready in ${ready} s, ${memory} GiB, p99 ${p99} ms`],
    ['1,000 changed calendars a second meanwhile', `visible within ${visible.toFixed(2)} s (p99)`],
  ];
}

/** The section `scale` prints the times of the smaller catalogue, and keeps no figures of them. */
function sizingTable(): string[] {
  const million = [
    '1,000,000',
    `${measured('scale', 'resident memory when ready').toFixed(1)} GiB`,
    `${Math.round(measured('scale', 'ready after start'))} s`,
    `${measured('scale', 'database file').toFixed(1)} GiB`,
  ];
  const [head, , ...rows] = table(
    ['properties', 'memory of a process', 'ready after start', 'SQLite file'],
    [['200,000', '0.93 GiB', '10 s', '0.4 GiB'], million],
  );
  const rate = Math.round(measured('wire', 'dated search, 20 items: rate') / 1000);
  const gainOf = (what: string): string => measured('workers', `${what}: two against one`).toFixed(1);
  const workers =
    `One process answers some ${rate},000 dated searches a second on one core. Two \`WORKERS\` on two cores answer ` +
    `${gainOf('dated search, 20 items')} times as many; of calls for one property, ${gainOf('one property')} times as many.`;
  return [head!, '|---:|---:|---:|---:|', ...rows, '', ...wrap(workers)];
}

/** How the cost of a search by total grows, and what it does to others. */
function totalsOfStays(): string[] {
  const ms = (what: string): string => measured('prices', what).toFixed(2);
  const grown = (by: string, values: Readonly<Record<string, string>>, goal = ''): string[] => {
    const times = Object.values(values).map(ms);
    return [by, Object.keys(values).join(' / '), times.join(' / '), goal];
  };
  const against = (clients: number): string =>
    measured('beside', `the same, against ${clients} clients that search`).toFixed(2);
  const [city, free] = ['Of Antwerp size', 'No rules, 7 nights'];
  const week = `${city}, 7 nights`;
  const [twenty, hundred] = ['Twenty thousand, 7 nights', 'Hundred thousand, 7 nights'];
  const nights = { 1: `${city}, 1 nights`, 7: week, 30: `${city}, 30 nights`, 60: `${city}, 60 nights` };
  const guests = { 1: `${week}, 1 guests`, 2: `${week}, 2 guests`, 4: `${week}, 4 guests` };
  const sql = `${measured('conventional', 'faster than PostgreSQL').toFixed(0)} x`;
  const wire = measured('wire', 'first page by total, 7 nights: rate against bare node:http').toFixed(2);
  const sections = ['prices', 'wire', 'conventional', 'beside'].map((name) => `--only ${name}`).join(' ');
  return [
    `\`npm run bench -- ${sections}\`, ${measuredOn('prices')}.`,
    '',
    ...table(
      ['first page of 20 by total', 'values', 'ms', 'goal'],
      [
        grown('inventory types', { '2,870': week, '20,000': twenty, '100,000': hundred }, '0.4 / 2 / 8'),
        grown('nights', nights),
        grown('guests', guests),
        grown('taxes', { 0: free, 3: 'Three taxes, 7 nights', 50: 'Fifty taxes, 7 nights' }),
        grown('discounts', { 0: free, 50: 'Fifty discounts, 7 nights' }),
      ],
    ),
    '',
    ...table(
      ['what', 'measured', 'goal'],
      [
        ['100 properties by id, ms', ms('100 properties by id, 7 nights'), '0.3'],
        ['first page in Antwerp over the wire: rate against bare `node:http`', wire, '0.25'],
        ['search p99 beside 2 clients that search by total, against 2 that search', against(2), '1.5'],
        ['the same beside 50, sixty nights', against(50), '1.5'],
        ['the same totals in PostgreSQL take longer', sql, '200 x'],
      ],
    ),
  ];
}

/** The text of a page with its tables as they should be. Throws when a mark is missing. */
export function withTables(page: string, text: string): string {
  let written = text;
  for (const { name, source, lines } of DOCUMENTED_TABLES.filter((part) => part.page === page)) {
    const first = `<!-- ${name}: written by \`npm run tables\` from ${source} -->`;
    const last = `<!-- end of ${name} -->`;
    const start = written.indexOf(first);
    const end = written.indexOf(last);
    if (start < 0 || end < start) throw new Error(`${page} lacks the lines ${first} and ${last}`);
    written = `${written.slice(0, start)}${first}\n\n${lines.join('\n')}\n\n${written.slice(end)}`;
  }
  return written;
}

function bulletOf(text: string): string[] {
  return wrap(text, COLUMNS_MAX - '- '.length).map((line, index) =>
    index === 0 ? `- ${line}` : `  ${line}`,
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)];
}

/** As Markdown shows it in a cell. */
function code(text: string): string {
  return `\`${text}\``;
}

if (import.meta.main) {
  for (const page of new Set(DOCUMENTED_TABLES.map((part) => part.page)))
    writeFileSync(join(ROOT, page), withTables(page, readFileSync(join(ROOT, page), 'utf8')));
}
