/** Cases that a test can't cause on every machine, and rules of all checks. Prepared faults: test/doctor.test.ts. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SETTINGS_TEXTS } from '../../console/pages/settings/messages.ts';
import { inspectSettings } from '../settings/settings.ts';
import type { SettingName } from '../settings/settings-table.ts';
import type { DatabaseContent, DatabaseInspection } from '../../storage/inspection/inspection.ts';
import {
  asItIs,
  type Check,
  type Examined,
  ok,
  printed,
  type PrintedResult,
  type SystemFacts,
} from './check.ts';
import { CHECKS, examine as examineTold } from './doctor.ts';
import { POSITION_CHECK, UPLOAD_CHECK } from './picture-check.ts';

const GIB = 2 ** 30;
const SYSTEM: SystemFacts = {
  nodeVersion: '24.21.0',
  descriptorsMax: 100_000,
  cores: 2,
  room: () => ({ free: 50 * GIB, total: 100 * GIB }),
  clientsOf: () => [],
};
const DATABASE: DatabaseInspection = {
  name: 'SQLite file /srv/stayport.db',
  schema: { version: 24, latest: 24, isBehind: false },
  readOnly: undefined,
  modes: [],
  clockAheadMs: undefined,
  folder: '/srv',
  connections: undefined,
  content: undefined,
};

function prepare(system: Partial<SystemFacts> = {}): Examined {
  const given = inspectSettings();
  return {
    given,
    environment: given.settings,
    settings: given.settings,
    clock: () => 0,
    system: { ...SYSTEM, ...system },
    database: Promise.resolve(DATABASE),
    redis: Promise.resolve(undefined),
    listeners: Promise.resolve([]),
    catalogueFile: Promise.resolve(undefined),
    pictureSizes: async () => ({ sizes: {} }),
    picturePositions: async () => ({ found: [], lookedCount: 0, isCut: false }),
    uploads: async () => ({ folder: '', files: [] }),
  };
}

async function examine(...about: Parameters<typeof examineTold>): Promise<readonly PrintedResult[]> {
  return (await examineTold(...about)).map(printed);
}

async function find(check: string, system: Partial<SystemFacts>): Promise<PrintedResult> {
  const checks = CHECKS.filter(({ name }) => name === check);
  const [result] = await examine(prepare(system), checks);
  assert.ok(result);
  return result;
}

describe('doctor', () => {
  it('says in words that this machine lacks the library that reads pictures, or that a picture did not end', async () => {
    const problem = 'Could not load the "sharp" module using the linux-riscv64 runtime';
    const given = prepare();
    const run = async (lacksLibrary: boolean) => {
      const picturePositions = async () => ({ problem, lacksLibrary });
      const settings = { ...given.settings, webImages: '/srv/images' };
      return examine({ ...given, settings, picturePositions }, [POSITION_CHECK]);
    };
    const [lacking] = await run(true);
    assert.equal(lacking?.status, 'warn');
    assert.equal(lacking?.detail, `not looked at, and pictures can't be uploaded: ${problem}`);
    assert.match(lacking?.fix ?? '', /install the packages again/);
    const [late] = await run(false);
    assert.equal(late?.detail, `not looked at: ${problem}`);
  });

  it('has a name of its own for each check', () => {
    assert.equal(new Set(CHECKS.map(({ name }) => name)).size, CHECKS.length);
  });

  it('has a name for each check on the page of the console, in each language', () => {
    const names = CHECKS.map(({ name }) => name).toSorted();
    for (const { checkNames } of Object.values(SETTINGS_TEXTS))
      assert.deepEqual(Object.keys(checkNames).toSorted(), names);
  });

  it('runs all checks when one throws, and says which', async () => {
    const checks: readonly Check[] = [
      { name: 'first', run: () => ok(asItIs('well')) },
      {
        name: 'second',
        run: () => {
          throw new TypeError('a bug');
        },
      },
      { name: 'third', run: () => Promise.reject(new Error('another')) },
      { name: 'fourth', run: async () => ok(asItIs('well')) },
    ];
    const results = await examine(prepare(), checks);
    assert.deepEqual(
      results.map(({ check, status, detail }) => [check, status, detail]),
      [
        ['first', 'ok', 'well'],
        ['second', 'fail', 'the check failed: a bug'],
        ['third', 'fail', 'the check failed: another'],
        ['fourth', 'ok', 'well'],
      ],
    );
  });

  it('waits for no check for ever', async () => {
    const hanging: Check = { name: 'hanging', run: () => new Promise(() => undefined) };
    const [result] = await examine(prepare(), [hanging], 20);
    assert.deepEqual([result?.status, result?.detail], ['fail', 'no result within 0.02 s']);
  });

  it('finds an old Node', async () => {
    const { status, detail, fix } = await find('node', { nodeVersion: '24.20.9' });
    assert.deepEqual([status, detail], ['fail', 'Node 24.20.9 is older than 24.21']);
    assert.match(fix ?? '', /24\.21 or newer/);
    assert.equal((await find('node', { nodeVersion: '26.0.0' })).status, 'ok');
  });

  it('finds a disk that is full, and one that soon will be', async () => {
    const room = (free: number) => ({ room: () => ({ free, total: 100 * GIB }) });
    const full = await find('disk', room(10 * 2 ** 20));
    assert.deepEqual([full.status, full.detail.slice(0, 22)], ['fail', '10 MiB of 100.0 GiB ar']);
    assert.equal((await find('disk', room(GIB / 2))).status, 'warn');
    assert.equal((await find('disk', room(GIB))).status, 'ok');
  });

  it('only warns of a taken port that is the default of the web listener, without which the service starts', async () => {
    const taken = { setting: 'WEB_PORT', host: '127.0.0.1', port: 8443, state: 'taken' } as const;
    const run = async (names: readonly SettingName[]) => {
      const { given, ...rest } = prepare();
      const settings = { ...given.settings, given: new Set(names) };
      const examined = { ...rest, given, settings, listeners: Promise.resolve([taken]) };
      const [result] = await examine(
        examined,
        CHECKS.filter(({ name }) => name === 'ports'),
      );
      return result?.status;
    };
    assert.deepEqual([await run([]), await run(['webPort'])], ['warn', 'fail']);
  });

  it('warns of several machines with pictures of their own, unless the operator named the folder', async () => {
    const run = async (machines: readonly string[], names: readonly SettingName[] = []) => {
      const processes = machines.map((machine) => ({
        machine,
        where: machine,
        release: '1',
        knows: 1,
        seenAtMs: 0,
      }));
      const content = { processes, uploadsInUse: { names: new Set<string>(), isCut: false } };
      const { given, ...rest } = prepare();
      const examined = {
        ...rest,
        given,
        settings: { ...given.settings, given: new Set(names) },
        database: Promise.resolve({ ...DATABASE, content: content as unknown as DatabaseContent }),
      };
      const [result] = await examine(examined, [UPLOAD_CHECK]);
      return `${result?.status} ${result?.detail}`;
    };
    assert.match(
      await run(['a', 'b', 'b']),
      /^warn 2 machines serve, and each has its own pictures in .*images$/,
    );
    assert.match(await run(['a', 'a']), /^ok /);
    assert.match(await run(['a', 'b'], ['webImages']), /^ok /);
  });

  it('alarms nobody where the system says nothing', async () => {
    const silent = { descriptorsMax: undefined, room: () => undefined, clientsOf: () => undefined };
    const results = await examine(prepare(silent));
    assert.deepEqual(
      results.filter(({ status }) => status === 'fail'),
      [],
    );
  });
});
