/**
 * Writes to a folder what the program answers: help and output of commands, answers of the listeners, pages of the
 * console, documents, stored rows. Record two commits and compare the folders with `diff -r`.
 * Time and randomness are fixed; what stays random is written as its name.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import * as fc from 'fast-check';
import { issueOperatorToken } from '../src/access/operator-tokens.ts';
import { buildProgram, COMMANDS as COMMAND_FILES } from '../src/app/cli/program.ts';
import { ALL_SCOPE_NAMES } from '../src/contract/partner/scopes.ts';
import { buildExtrasOpenApi, buildOpenApi, COMMITTED_SETTINGS } from '../src/contract/openapi/openapi.ts';
import { CONSOLE_PAGES } from '../src/console/http/console-routes.ts';
import type { Random } from '../src/runtime/random.ts';
import { formatPropertyDocument } from '../src/supply/native/format-property-document.ts';
import { HOTEL_PONTE, hotel, type Line } from '../test/kit/catalogue-lines.ts';
import { WorkplaceHere } from '../test/kit/commands-here.ts';
import { type ConsoleClient, signInTo } from '../test/kit/console-client.ts';
import { until } from '../test/kit/command-line.ts';
import { calendar, startFeedServer, status } from '../test/kit/feed-server.ts';
import { type Asked, exchange, type Received } from '../test/kit/http-exchange.ts';
import { openInstallation, type Served, valueOf } from '../test/kit/installation.ts';
import { NOW_MS } from '../test/kit/now.ts';
import { FIXED_SEED, worldArbitrary } from '../test/kit/property-arbitraries.ts';
import { COMMANDS, FORMS, PARTNER_CALLS, SUPPLY_CALLS, WEB_PATHS } from './recorded-calls.ts';

const [, , given] = process.argv;
if (given === undefined) throw new Error('usage: npm run record:answers -- DIR');
const folder = resolve(given);
rmSync(folder, { recursive: true, force: true });
const clock = (): number => NOW_MS;
const PROPERTY_COUNT = 40;
/** A form is two requests, and a session may make 120 in a second. */
const PACE_MS = 20;

/** The same bytes in each run. */
function seededBytes(): Random {
  let count = 0;
  return (byteCount) => {
    const blocks = Array.from({ length: Math.ceil(byteCount / 32) }, () =>
      createHash('sha256')
        .update(`${(count += 1)}`)
        .digest(),
    );
    return Buffer.concat(blocks).subarray(0, byteCount);
  };
}

function write(path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text.endsWith('\n') ? text : `${text}\n`);
}

/** In place of what differs from run to run; `listed` also of ids, which a service draws for several tasks at once. */
const UNSTEADY: readonly (readonly [RegExp, string])[] = [
  [/<wbr \/>/g, ''],
  [/127\.0\.0\.1(:|%3A)\d+/g, '127.0.0.1$1PORT'],
  [/handoff=[\w.-]{40,}/g, 'handoff=SEALED'],
  [/eyJ[\w.-]{60,}/g, 'SEALED'],
  [/calendars\/[\w-]{43}/g, 'calendars/SECRET'],
  [/stayport-e2e-\w{6}/g, 'stayport-e2e-FOLDER'],
  [/[\d.]+ GiB of [\d.]+ GiB/g, 'SOME of ALL'],
  [/name="form" value="[0-9a-f]{64}"/g, 'name="form" value="FORM"'],
  [/"next":"[\w-]{100,}"/g, '"next":"SEALED"'],
  [/"seconds":[\d.]+/g, '"seconds":SECONDS'],
  [/^(seconds\s+)[\d.]+$/gm, '$1SECONDS'],
  [/"durationUs":\d+/g, '"durationUs":TOOK'],
  [/>[\d.,]+\s(ms|s)</g, '>TOOK<'],
  [/[\d.,]+ ms(?=[,"])/g, 'TOOK'],
  [/<time datetime="2026-11-20T1[01]:(?!30:00\.0)[^<]*<\/time>/g, '<time>SOON</time>'],
  [/2026-11-20T1[01]:(?!30:00\.0)\d\d:\d\d\.\d{3}Z/g, 'SOON'],
];
const IDS = /\b(cr|cs|ot|qt|feed|sm|hk|pt|sp_\w+?)_\w{10,}/g;

function steady(text: string, isListed = false): string {
  let result = text;
  for (const [pattern, name] of UNSTEADY) result = result.replaceAll(pattern, name);
  for (const id of correlationIds) result = result.replaceAll(id, 'CORRELATION');
  if (isListed) result = result.replaceAll(IDS, '$1_ID');
  return result.replaceAll('><', '>\n<');
}

/** Values of the last answers by name, for `{name}`. */
const known = new Map<string, string>();
const correlationIds = new Set<string>();

function remember(text: string): void {
  for (const [, name = '', value = ''] of text.matchAll(/"(\w+Id)":"([^"]+)"/g)) known.set(name, value);
  const sealed = /handoff=([\w.-]{40,})/.exec(text)?.[1];
  if (sealed !== undefined) known.set('handoff', sealed);
}

const filled = (text: string): string => text.replaceAll(/\{(\w+)\}/g, (all, name) => known.get(name) ?? all);

// Commands.

async function recordHelp(workplace: WorkplaceHere): Promise<void> {
  const helpOf = async (command: Command, words: readonly string[]): Promise<void> => {
    const { stdout } = await workplace.run([...words, '--help']);
    write(`help/${['stayport', ...words].join('-')}.txt`, stdout);
    for (const one of command.commands) await helpOf(one, [...words, one.name()]);
  };
  write('help/stayport.txt', (await workplace.run(['--help'])).stdout);
  for (const { name } of COMMAND_FILES) {
    const program = await buildProgram([name], { clock, random: seededBytes() });
    const command = program.commands.find((one) => one.name() === name);
    await helpOf(command!, [name]);
  }
}

async function recordCommands(workplace: WorkplaceHere): Promise<void> {
  const lines = ['ponte', 'canal'].map((id) => JSON.stringify(hotel(id)));
  writeFileSync(join(workplace.directory, 'hotels.ndjson'), lines.join('\n'));
  writeFileSync(join(workplace.directory, 'mappings.csv'), 'external,property,type\na,ponte,double\nb,,x\n');
  await workplace.json(['partner', 'list']);
  const texts = new Map<string, string>();
  for (const line of COMMANDS) {
    const [word = '', ...rest] = line.split(' ');
    for (const json of [['--json'], []]) {
      const args = [word, ...rest.map(filled), ...json];
      const { code, stdout, stderr } = await workplace.run(args);
      if (json.length > 0) remember(stdout);
      const text = `$ ${[line, ...json].join(' ')}\n${code}\n${stdout}${stderr}\n`;
      texts.set(word, (texts.get(word) ?? '') + steady(text));
    }
  }
  for (const [word, text] of texts) write(`commands/${word}.txt`, text);
}

// Listeners.

const LEFT_OUT = new Set([
  'content-length',
  'date',
  'x-correlation-id',
  'keep-alive',
  'connection',
  'x-ratelimit-reset',
]);

function shown(title: string, { status: code, headers, body }: Received): string {
  const [correlationId] = headers['x-correlation-id'] ?? [];
  if (correlationId !== undefined) {
    correlationIds.add(correlationId);
    if (code === 200 && title.startsWith('GET /v1')) known.set('correlationId', correlationId);
  }
  const head = Object.keys(headers)
    .filter((name) => !LEFT_OUT.has(name))
    .toSorted()
    .map((name) => `${name}: ${headers[name]?.join(', ')}`);
  const text = Buffer.from(body).toString('utf8');
  // Not from lists: their last row may be any.
  if (code === 201 || title.startsWith('partner')) remember(text);
  return steady(`> ${title}\n${code}\n${head.join('\n')}\n${text}\n\n`, true);
}

async function recordPartner(
  { partnerUrl, webUrl = '' }: Served,
  token: string,
  tick: () => void,
): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  let text = '';
  for (const asked of PARTNER_CALLS) {
    // Newest first is how they are listed.
    tick();
    const title = `${asked.method ?? 'GET'} ${asked.path} ${String(asked.body ?? '')}`;
    text += shown(`${title} (unknown)`, await exchange(partnerUrl, asked));
    tick();
    text += shown(title, await exchange(partnerUrl, { ...asked, headers }));
  }
  write('http/partner.txt', text);
  const pages = [];
  for (const path of WEB_PATHS) pages.push(shown(path, await exchange(webUrl, { path: filled(path) })));
  write('http/web.txt', pages.join(''));
}

async function recordOperator(url: string, tokens: readonly string[]): Promise<void> {
  let text = '';
  const ask = async (title: string, asked: Asked): Promise<void> => {
    text += shown(title, await exchange(url, asked));
  };
  for (const [index, token] of tokens.entries()) {
    for (const [line, body, more] of SUPPLY_CALLS) {
      const [method = '', path = ''] = line.split(' ');
      const sent =
        body === undefined ? {} : { body: filled(typeof body === 'string' ? body : JSON.stringify(body)) };
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...more };
      await ask(`${index} ${line} ${steady(sent.body ?? '')}`, {
        method,
        path: `/supply/v1/${filled(path)}`,
        headers,
        ...sent,
      });
    }
  }
  for (const path of [
    '/livez',
    '/readyz',
    '/supply/openapi.json',
    '/supply/docs',
    '/supply/v1/feeds',
    '/nothing',
  ])
    await ask(path, { path });
  write('http/operator.txt', text);
}

async function recordConsole(viewer: ConsoleClient, admin: ConsoleClient): Promise<void> {
  const segments: Readonly<Record<string, string>> = {
    partnerId: 'acme',
    propertyId: 'hotel-ponte',
    inventoryTypeId: 'double',
    date: '2026-12-24',
  };
  for (const { page, path } of CONSOLE_PAGES) {
    const at = filled(path.replaceAll(/\{(\w+)\}/g, (all, name) => segments[name] ?? all));
    for (const [name, accept] of [
      ['html', 'text/html'],
      ['json', 'application/json'],
    ] as const)
      for (const language of ['en', 'it']) {
        await sleep(PACE_MS);
        const answer = await admin.get(at, { accept, 'accept-language': language });
        const received = { ...answer, body: Buffer.from(answer.text) };
        write(`console/${page}.${language}.${name}.txt`, shown(page, received));
      }
  }
  let text = '';
  for (const client of [viewer, admin])
    for (const [path, fields] of FORMS) {
      const sent = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, filled(value)]));
      await sleep(PACE_MS);
      const answer = await client.act(`/console/${filled(path)}`, sent);
      text += shown(`${path} ${JSON.stringify(fields)}`, { ...answer, body: Buffer.from(answer.text) });
    }
  write('console/forms.txt', text);
  const audit = await admin.get('/console/audit', { accept: 'application/json' });
  write('console/audit-after-forms.txt', steady(audit.text.replaceAll('},{', '},\n{'), true));
}

async function recordListeners(): Promise<void> {
  const feeds = await startFeedServer();
  // Whether the service or the call reads it first makes no difference.
  feeds.answer = status(503);
  known.set('feedUrl', `${feeds.url}/1.ics`);
  const installation = await openInstallation(undefined, seededBytes());
  await installation.importLines([HOTEL_PONTE, hotel('canal')]);
  const { token } = await installation.issue({ scopes: ALL_SCOPE_NAMES });
  const any = valueOf(await issueOperatorToken(installation.access, { name: 'any' })).token;
  const pms = valueOf(await issueOperatorToken(installation.access, { name: 'pms', source: 'pms' })).token;
  const service = await installation.serve({ ICAL_ALLOW_PRIVATE: 'true', WEB_PORT: '0' });
  await recordPartner(service, token, () => (installation.time.nowMs += 1));
  await recordOperator(service.operatorUrl, [any, pms]);
  const viewer = await signInTo(installation, service.operatorUrl);
  const admin = await signInTo(installation, service.operatorUrl, { role: 'admin' });
  // Counts are written every ten seconds.
  await until(
    async () =>
      !(await admin.get('/console/demand', { accept: 'application/json' })).text.includes('"demand":[]'),
  );
  await recordConsole(viewer, admin);
  await installation.close();
  await feeds.close();
}

// Documents and stored rows.

async function recordStored(): Promise<void> {
  const worlds = fc.sample(worldArbitrary, { ...FIXED_SEED, numRuns: PROPERTY_COUNT });
  const lines = worlds.map(({ property, entries }, index): Line =>
    formatPropertyDocument({ ...property, propertyId: `p${index}` }, entries),
  );
  const installation = await openInstallation();
  await installation.importLines(lines);
  const database = new DatabaseSync(installation.databasePath, { readOnly: true });
  const names = [
    'properties',
    'inventory_types',
    'property_details',
    'calendar_layers',
    'supply_confirmations',
  ];
  const hex = (_: string, value: unknown): unknown =>
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
  for (const name of names) {
    const rows = database.prepare(`SELECT * FROM ${name} ORDER BY 1, 2`).all();
    write(`stored/${name}.txt`, rows.map((row) => JSON.stringify(row, hex)).join('\n'));
  }
  database.close();
  await installation.close();
}

const feeds = await startFeedServer();
feeds.answer = calendar(['2026-12-10', '2026-12-12']);
known.set('feedUrl', `${feeds.url}/1.ics`);
const workplace = new WorkplaceHere({ ICAL_ALLOW_PRIVATE: 'true' }, clock, seededBytes());
await recordHelp(workplace);
await recordCommands(workplace);
await workplace.remove();
await feeds.close();
await recordListeners();
await recordStored();
write('openapi/openapi.json', JSON.stringify(buildOpenApi(COMMITTED_SETTINGS), null, 1));
write('openapi/extras.json', JSON.stringify(buildExtrasOpenApi(COMMITTED_SETTINGS), null, 1));
