/** The commands of the pages, run as they are printed: on the demo, on a prepared installation, and as Install says. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { StayPrices } from '../src/contract/partner/price-schemas.ts';
import { hotel } from './kit/catalogue-lines.ts';
import { BIN, firstLine, SAMPLE, startServer, until } from './kit/command-line.ts';
import { makeWorkbook } from './kit/workbooks.ts';
import { WorkplaceHere } from './kit/commands-here.ts';
import { codeBlocksOf, commandLinesOf } from './kit/documented-code.ts';
import { reservePort, type ReservedPort } from './kit/reserved-port.ts';
import { programsMissing } from './kit/system-programs.ts';

const ROOT = dirname(dirname(BIN));
const curlMissing = programsMissing('curl');
const readPage = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const IS_WINDOWS = process.platform === 'win32' && 'the pages are for a POSIX shell';

interface Printed {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function runShell(script: string, cwd: string, env: Readonly<Record<string, string>> = {}): Printed {
  const { NODE_TEST_CONTEXT: _, ...own } = process.env;
  return spawnSync('bash', ['-c', `set -eo pipefail\n${script}`], {
    cwd,
    env: { ...own, NODE: process.execPath, ...env },
    encoding: 'utf8',
  });
}

describe('The calls of README and of the pages, on the demo', { skip: IS_WINDOWS || curlMissing }, () => {
  const README = readPage('README.md');
  const calls = codeBlocksOf(README, '## Four calls').filter((block) => block.includes('curl'));
  const workplace = new WorkplaceHere({ OPERATOR_PORT: '0', WEB_PORT: '0' });
  let reserved: ReservedPort;
  let demo: { readonly token: string; readonly operatorUrl: string };
  before(async () => {
    reserved = await reservePort();
    const port = String(reserved.port);
    const env = { PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` };
    demo = JSON.parse(await firstLine(workplace.start(['demo', '--json'], { env }))) as typeof demo;
  });
  after(async () => {
    await workplace.remove();
    await reserved.release();
  });

  const printedBy = (block: string, token: string, port = reserved.port): Printed => {
    const [dates = ''] = codeBlocksOf(README, '## Four calls');
    const script = `${dates.replace('sp_live_...', token)}\n${block}`;
    return runShell(script.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`), workplace.directory);
  };
  const answerOf = (script: string, names: Readonly<Record<string, string>>): string => {
    const filled = Object.entries(names).reduce(
      (text, [name, value]) => text.replaceAll(name, value),
      script,
    );
    const { status, stdout, stderr } = runShell(
      filled.replaceAll('http://127.0.0.1:8081', demo.operatorUrl),
      workplace.directory,
    );
    assert.equal(status, 0, stdout + stderr);
    return stdout;
  };

  it('the calls of README are four and three for more, and are answered as it prints', () => {
    const printed = calls.map((block) => printedBy(block, demo.token));
    assert.deepEqual(
      printed.map(({ status }) => status),
      [0, 0, 0, 0, 0, 0, 0],
      printed.map(({ stderr }) => stderr).join(),
    );
    const [list, property, availability, quote, cards, weekends, why] = printed.map(({ stdout }) => stdout);
    assert.match(list!, /"name":"Hotel Ponte".*"startingPrice":"95\.00"/);
    assert.match(property!, /"name":"Bridge Hotel"/);
    assert.match(availability!, /"available":true,"days"/);
    const total = /"total":"(\d+\.\d\d)"/;
    assert.equal(total.exec(quote!)?.[1], total.exec(cards!)?.[1]);
    assert.match(weekends!, /"nights":2,.*"pricing":\{.*"checkIns":\d/);
    const { items } = JSON.parse(why!) as StayPrices;
    assert.deepEqual(
      items[0]?.reasons?.map(({ code }) => code),
      ['NIGHTS_CLOSED'],
    );
    assert.ok(items[0].instead!.length > 1);
  });

  it('the calls of README fail with the body of the problem when the token is wrong', () => {
    for (const block of calls) {
      const { status, stdout } = printedBy(block, 'sp_live_wrong');
      assert.deepEqual([status, /"code":"INVALID_PARTNER_CREDENTIAL"/.test(stdout)], [22, true], stdout);
    }
  });

  it('the calls of docs/operating.md resolve a handoff value and report a booking', async () => {
    const [resolve, report] = codeBlocksOf(readPage('docs/operating.md'), '## Handoff');
    const quote = JSON.parse(printedBy(calls[3]!, demo.token).stdout) as Record<
      'quoteId' | 'handoffUrl',
      string
    >;
    const scope = ['--scope', 'handoff:resolve'];
    const { token } = await workplace.json(['operator-token', 'issue', '--name', 'shop', ...scope]);
    await untilKnown(demo.operatorUrl, token);
    const names = {
      $OPERATOR_TOKEN: token,
      VALUE: new URL(quote.handoffUrl).searchParams.get('handoff')!,
      'qt_…': quote.quoteId,
    };
    assert.match(answerOf(resolve!, names), /"outcome":"unchanged"/);
    assert.match(answerOf(report!, names), /"recorded":true/);
  });

  it('the call of docs/supply.md closes nights', async () => {
    const [block = ''] = codeBlocksOf(readPage('docs/supply.md'), '## The supply API');
    const [issue = '', , ...call] = block.split('\n');
    await workplace.json(['import', 'catalogue', '-'], { input: JSON.stringify(hotel('hotel-ponte')) });
    const { token } = await workplace.json(issue.replace(/^bin\/stayport | +#.*$/g, '').split(/ +/));
    await untilKnown(demo.operatorUrl, token);
    assert.match(answerOf(call.join('\n'), { $TOKEN: token }), /"changed":1/);
  });

  it('the credential that README issues may make all of its calls', async () => {
    const own = new WorkplaceHere();
    try {
      prepareFiles(own.directory);
      const { PATH = '' } = process.env;
      const [commands = ''] = codeBlocksOf(README, '## Your own catalogue');
      const script = commands.replace(/^bin\/stayport serve$/m, '');
      const issued = runShell(script, own.directory, { ...own.environment, PATH });
      assert.equal(issued.status, 0, issued.stderr);
      const [token = ''] = /sp_live_\w+/.exec(issued.stdout) ?? [];
      const server = await startServer(own);
      const { port } = new URL(server.partnerUrl);
      for (const block of calls) {
        // The sample file's dates are not those of today, so a stay may not be free.
        const { stdout, stderr } = printedBy(block, token, Number(port));
        assert.doesNotMatch(stdout, /PARTNER_SCOPE_INSUFFICIENT|INVALID_PARTNER_CREDENTIAL/, stderr);
      }
      server.child.kill('SIGTERM');
      await server.ended;
    } finally {
      await own.remove();
    }
  });
});

/** A running service knows a new token within a second. */
async function untilKnown(operatorUrl: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  await until(async () => (await fetch(`${operatorUrl}/supply/v1/revision`, { headers })).status !== 401);
}

/** They reach servers that do not exist here, or wait until they are stopped. */
const REFUSED_HERE = /ical (?:poll|accept)|webhook test|\baccept\b/;
const ENDLESS = /stayport (?:serve|mcp)\b|\bdemo\b/;

describe('The commands of the pages, on an installation with what they name', { skip: IS_WINDOWS }, () => {
  for (const page of ['operating', 'supply', 'spreadsheet', 'console', 'traveller', 'webhooks']) {
    describe(`docs/${page}.md`, () => {
      const workplace = new WorkplaceHere();
      let names: Readonly<Record<string, string>>;
      before(async () => {
        prepareFiles(workplace.directory);
        names = await prepareInstallation(workplace);
      });
      after(() => workplace.remove());

      for (const line of commandLinesOf(readPage(`docs/${page}.md`))) {
        if (ENDLESS.test(line)) continue;
        it(line, () => {
          const command = Object.entries(names).reduce(
            (text, [name, value]) => text.replaceAll(name, value),
            line,
          );
          const { status, stderr } = runShell(command, workplace.directory, workplace.environment);
          if (!REFUSED_HERE.test(line)) assert.equal(status, 0, stderr);
          assert.doesNotMatch(stderr, /unexpected error|unknown (?:option|command)/);
        });
      }
    });
  }
});

describe('The installation of the page of operators', { skip: IS_WINDOWS || curlMissing }, () => {
  const PAGE = readPage('docs/operating.md');
  const workplace = new WorkplaceHere();
  const root = workplace.directory;
  const ports: ReservedPort[] = [];
  let printed = '';
  let archive = '';

  /**
   * Below a folder in place of the root, as the user who runs the tests: what asks for another user, and the commands of
   * systemd, are functions here.
   */
  const run = (script: string): Printed => {
    const places = ['/opt', '/var/lib/stayport', '/etc/stayport.env', '/etc/systemd/system'];
    const own = places.reduce((text, place) => text.replaceAll(place, root + place), PRELUDE + script);
    const [partner, operator] = ports.map(({ port }) => String(port));
    const result = runShell(own.replaceAll(':8080', `:${partner}`).replaceAll(':8081', `:${operator}`), root);
    assert.equal(result.status, 0, result.stderr);
    return result;
  };

  before(async () => {
    ports.push(await reservePort(), await reservePort());
    prepareFiles(root);
    for (const place of ['opt', 'var/lib/stayport', 'etc/systemd/system'])
      mkdirSync(join(root, place), { recursive: true });
    archive = makeArchive(root);
  });
  after(async () => {
    spawnSync('bash', ['-c', 'kill $(cat service.pid)'], { cwd: root });
    await workplace.remove();
    for (const port of ports) await port.release();
  });

  it('the service of Install starts, and takes the first commands', () => {
    const [unpack, settings, start, commands] = codeBlocksOf(PAGE, '## Install');
    const [partner, operator] = ports.map(({ port }) => port);
    const all = `${settings}\nPORT=${partner}\nOPERATOR_PORT=${operator}\n`;
    // The page asks for the version that the reader has.
    const own = unpack!.replace(/^(export NAME=).*/m, `$1${archive}`);
    run(`${own}\ncat > /etc/stayport.env <<'END'\n${all}END\n${start}`);
    const [call = '', ...before] = commands!.split('\n').toReversed();
    printed = run(before.toReversed().join('\n')).stdout;
    const [token = ''] = /sp_live_\w+/.exec(printed) ?? [];
    const { stdout } = run(call.replace('curl', 'sleep 2; curl').replace('TOKEN', token));
    assert.match(stdout, /"propertyId":"hotel-ponte-venezia"/);
  });

  it('the database of Install is backed up while the service runs, and restored', () => {
    const [copy, byProgram, restore] = codeBlocksOf(PAGE, '## Backup and restore');
    const functions = functionOf(PAGE);
    run(`${functions}\n${copy}\nprintf %s $DATE > date`);
    run(`export DATE=by-program\n${byProgram}`);
    run(`${functions}\nstayport partner create --name Late --partner-id late`);
    run(
      `export DATE=$(cat date)\n${restore}\ncurl -sS --fail --retry 30 --retry-connrefused http://127.0.0.1:8081/readyz`,
    );
    const { stdout } = run(`${functions}\nstayport partner list`);
    assert.match(stdout, /\bacme\b/);
    assert.doesNotMatch(stdout, /\blate\b/);
  });
});

const PRELUDE = `
useradd() { :; }
runuser() { [ "$1 $2 $3" = '-u stayport --' ]; shift 3; "$@"; }
install() { [ "$1 $3 $5" = '-m -o -g' ]; command install -m "$2" "\${@:7}"; }
sqlite3() { "$NODE" -e 'new (require("node:sqlite").DatabaseSync)(process.argv[1]).exec(process.argv[2])' "$@"; }
systemctl() {
  case "$1" in
    stop) kill "$(cat "$HERE/service.pid")"; while kill -0 "$(cat "$HERE/service.pid")" 2>/dev/null; do sleep 0.1; done ;;
    enable | start)
      (cd /var/lib/stayport; exec /opt/stayport/bin/stayport --env-file /etc/stayport.env serve) >/dev/null 2>&1 &
      echo $! > "$HERE/service.pid" ;;
  esac
}
HERE=$PWD
`;

/** The definition of the function `stayport`. */
function functionOf(page: string): string {
  return /^ {4}(stayport\(\) .*)$/m.exec(page)?.[1] ?? '';
}

/** In place of the archive of a release, which other tests build: links to this checkout. Returns its name. */
function makeArchive(folder: string): string {
  const { version } = JSON.parse(readPage('package.json')) as { version: string };
  const name = `stayport-${version}-linux-x64`;
  mkdirSync(join(folder, name));
  for (const part of ['bin', 'ops', 'sample']) symlinkSync(join(ROOT, part), join(folder, name, part));
  const made = `tar -czf ${name}.tar.gz ${name} && sha256sum ${name}.tar.gz > ${name}.tar.gz.sha256`;
  assert.equal(runShell(made, folder).status, 0);
  return name;
}

/** Files that commands name, and `bin/stayport`. */
function prepareFiles(folder: string): void {
  symlinkSync(join(ROOT, 'bin'), join(folder, 'bin'));
  const italy = `${readFileSync(join(SAMPLE, 'italy.ndjson'), 'utf8')}${JSON.stringify(hotel('hotel-ponte'))}\n`;
  writeFileSync(join(folder, 'hotels.ndjson'), italy);
  writeFileSync(join(folder, 'hotels.ndjson.gz'), gzipSync(italy));
  writeFileSync(join(folder, 'rates.csv'), sheetOf('docs/spreadsheet.md'));
  writeFileSync(join(folder, 'winter.csv'), sheetOf('docs/supply.md'));
  const rows = sheetOf('docs/supply.md')
    .trim()
    .split('\n')
    .map((row) => row.split(';'));
  writeFileSync(join(folder, 'winter.xlsx'), makeWorkbook({ sheets: [{ name: 'Tariffe', rows }] }));
  const italian = rows.map((row, index) => [...row, index === 0 ? 'Nota' : 'più'].join(';'));
  writeFileSync(join(folder, 'tariffe.csv'), italian.join('\r\n'), 'latin1');
  writeFileSync(join(folder, 'listino.csv'), rows.map((row) => row.join(';')).join('\r'));
  for (const name of ['listings', 'calendar'])
    copyFileSync(
      join(SAMPLE, 'inside-airbnb', 'antwerp-2024-06', `${name}.csv.gz`),
      join(folder, `${name}.csv.gz`),
    );
  writeFileSync(join(folder, 'rooms.csv'), 'external,property,type\nroom-1,hotel-ponte,double\n');
  const event = 'BEGIN:VEVENT\nUID:1\nDTSTART;VALUE=DATE:20270105\nDTEND;VALUE=DATE:20270107\nEND:VEVENT\n';
  const calendar = `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\n${event}END:VCALENDAR\n`;
  writeFileSync(join(folder, 'bookings.ics'), calendar.replaceAll('\n', '\r\n'));
}

/** The rates that the page shows. */
function sheetOf(page: string): string {
  const sheet = /^(?: {4}propertyId[,;]inventoryTypeId.*\n)(?: {4}.*\n)*/m.exec(readPage(page))?.[0] ?? '';
  return sheet.replaceAll(/^ {4}/gm, '');
}

/** What the pages call by an invented name, with the name that it has here. */
async function prepareInstallation(workplace: WorkplaceHere): Promise<Readonly<Record<string, string>>> {
  const type = ['--property', 'hotel-ponte', '--type', 'double'];
  await workplace.json(['import', 'catalogue', 'hotels.ndjson']);
  const closed =
    'propertyId,inventoryTypeId,dateFrom,dateTo,stopSell\nhotel-ponte,double,2027-12-24,2027-12-25,yes\n';
  await workplace.json(['import', 'rates', '-', '--source', 'chanel'], { input: closed });
  await workplace.json(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
  const { credentialId } = await workplace.json(['credential', 'issue', '--partner', 'acme']);
  const { operatorTokenId } = await workplace.json([
    'operator-token',
    'issue',
    '--name',
    'x',
    '--source',
    'x',
  ]);
  const { keyId } = await workplace.json(['handoff', 'rotate-key']);
  await workplace.json(['handoff', 'rotate-key']);
  const webhook = ['--partner', 'acme', '--url', 'https://acme.example/webhooks'];
  const { webhookId } = await workplace.json(['webhook', 'create', ...webhook]);
  const { feedId } = await workplace.json([
    'ical',
    'subscribe',
    ...type,
    '--url',
    'https://feeds.example/1.ics',
  ]);
  return {
    PARTNER_ID: 'acme',
    OPERATOR_TOKEN_ID: operatorTokenId,
    CREDENTIAL_ID: credentialId,
    SOURCE: 'chanel',
    feed_5nWkD0XJ2yqL: feedId,
    wh_5nWkD0XJ2yqLmT8v: webhookId,
    'hk_…': keyId,
    '/var/lib/stayport': workplace.directory,
    '"$DATABASE_URL"': `sqlite:${join(workplace.directory, 'copy.db')}`,
  };
}
