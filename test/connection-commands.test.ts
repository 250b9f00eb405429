/** `connection`, as a person and a script use it, and the steps of docs/connections.md, with invented systems. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { hotel } from './kit/catalogue-lines.ts';
import type { Ended } from './kit/command-line.ts';
import { WorkplaceHere } from './kit/commands-here.ts';
import { NOW_MS } from './kit/now.ts';
import { plainAccount } from './kit/pms/beds24-account.ts';
import { startFakeBeds24 } from './kit/pms/fake-beds24.ts';
import type { FakeServer } from './kit/pms/fake-server.ts';
import { type FakeSmoobu, startFakeSmoobu } from './kit/pms/fake-smoobu.ts';

const SECRET = 'secret-of-smoobu';
const DAY_MS = 86_400_000;

function datesOf(count: number): Record<string, object> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, offset) => [
      new Date(NOW_MS + offset * DAY_MS).toISOString().slice(0, 10),
      { price: 90, available: 1, min_length_of_stay: 2 },
    ]),
  );
}

describe('The commands for connections', () => {
  const workplace = new WorkplaceHere({ CONNECTIONS_ALLOW_PRIVATE: 'true' }, () => NOW_MS);
  const said: string[] = [];
  let smoobu: FakeSmoobu;
  before(async () => {
    const common = { guests: 4, currency: 'EUR', timeZone: 'Europe/Rome', dates: datesOf(400) };
    const apartments = [
      { id: 12, name: String(hotel('hotel-ponte')['name']), ...common },
      { id: 13, name: 'Attico', ...common },
    ];
    const account = { customer: 9, key: 'key-1', secret: SECRET, apartments };
    smoobu = await startFakeSmoobu({ account, nowMs: () => NOW_MS });
    await workplace.json(['import', 'catalogue', '-'], { input: JSON.stringify(hotel('hotel-ponte')) });
  });
  after(async () => {
    await smoobu.stop();
    await workplace.remove();
  });

  const run = async (args: readonly string[], input?: string): Promise<Ended> => {
    const ended = await workplace.run([...args], input === undefined ? {} : { input });
    said.push(ended.stdout, ended.stderr);
    return ended;
  };
  const json = async (args: readonly string[], input?: string) =>
    JSON.parse((await run([...args, '--json'], input)).stdout);

  it('list the kinds, and that none was run on a real account', async () => {
    const kinds = await json(['connection', 'kinds']);
    assert.deepEqual(
      kinds.map(({ kind, key, live }: Record<string, unknown>) => [kind, key, live]),
      [
        ['smoobu', ['key', 'secret'], false],
        ['beds24', ['token'], false],
      ],
    );
  });

  it('add an account by a key from a file or from standard input, which is tried first', async () => {
    const setting = ['--setting', `base=${smoobu.origin}`];
    const wrong = await run(['connection', 'add', 'smoobu', ...setting], `key-1\nwrong\n`);
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /the key could not be used/);
    const file = join(workplace.directory, 'key.txt');
    writeFileSync(file, `key-1\n${SECRET}\r\n`);
    const added = await json(['connection', 'add', 'smoobu', '--key-file', file, ...setting]);
    assert.deepEqual(
      [added.name, added.kind, added.account, added.state, added.types, added.unmapped],
      ['smoobu', 'smoobu', '9', 'new', 0, 2],
    );
  });

  it('show rooms with suggestions, map them, and read prices', async () => {
    const rooms = await json(['connection', 'rooms', 'smoobu']);
    assert.deepEqual(
      rooms.map(({ room, guests, suggested }: Record<string, unknown>) => [room, guests, suggested]),
      [
        ['12', 4, { propertyId: 'hotel-ponte', inventoryTypeId: 'double' }],
        ['13', 4, null],
      ],
    );
    const map = [
      'connection',
      'map',
      'smoobu',
      '--suggested',
      '--create',
      '--city',
      'Rome',
      '--country',
      'IT',
    ];
    const planned = await json([...map, '--dry-run']);
    assert.deepEqual(
      planned.map(({ outcome }: Record<string, unknown>) => outcome),
      ['mapped', 'created'],
    );
    assert.ok(planned[0].prices > 300, JSON.stringify(planned));
    await json(map);
    const read = await json(['connection', 'read', 'smoobu']);
    assert.deepEqual([read.outcome, read.state, read.types], ['changed', 'ok', 2]);
    const [listed] = await json(['connection', 'list']);
    assert.deepEqual([listed.state, listed.unmapped, listed.unpriced, listed.held], ['ok', 0, 0, 0]);
    const shown = await json(['property', 'show', 'hotel-ponte']);
    assert.equal(shown.inventoryTypes[0].calendar[0].rate, '90.00');
  });

  it('print all that they list for people, too', async () => {
    const print = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await run(['connection', ...args]);
      assert.equal(code, 0, stderr);
      return stdout;
    };
    assert.match(await print('kinds'), /smoobu {2,}key secret /);
    assert.match(await print('list'), /smoobu {2,}smoobu {2,}9 {2,}ok /);
    assert.match(await print('compare', 'smoobu', '--stays', '4'), /0\.00 +- +equal/);
    await json(['mapping', 'delete', '--source', 'connection:smoobu', '--external', '13']);
    assert.match(await print('rooms', 'smoobu'), /13 .* smoobu-13 13/);
    const planned = await print('map', 'smoobu', '--suggested', '--dry-run');
    assert.match(planned, /13 +Attico +smoobu-13 +13 +mapped/);
    await json(['connection', 'map', 'smoobu', '--suggested']);
  });

  it('compare stays, offer what was made, and refuse prices of others', async () => {
    const compared = await json(['connection', 'compare', 'smoobu', '--stays', '8']);
    assert.ok(compared.length >= 6);
    assert.ok(compared.every(({ verdict }: Record<string, unknown>) => verdict === 'equal'));
    assert.deepEqual((await json(['connection', 'offer', 'smoobu'])).offered, ['smoobu-13']);
    const byHand = ['nights', 'set', '--property', 'hotel-ponte', '--type', 'double'];
    const refused = await run([...byHand, '--from', '2027-01-01', '--to', '2027-01-03', '--rate', '1.00']);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /connection:smoobu/);
    const imported = await run(['import', 'catalogue', '-'], JSON.stringify(hotel('hotel-ponte')));
    assert.match(imported.stderr, /Rates of documents are not used .* connection:smoobu, here 1/);
    const retired = await run(['source', 'retire', 'connection:smoobu']);
    assert.match(retired.stderr, /connection remove smoobu/);
  });

  it('end a mapping by its command, and remove the rest after a dry run', async () => {
    const mapping = ['--source', 'connection:smoobu', '--external'];
    const place = ['--property', 'hotel-ponte', '--type', 'double'];
    const taken = await run(['mapping', 'set', ...mapping, '13', ...place]);
    assert.match(taken.stderr, /mapped to the room 12/);
    await json(['mapping', 'delete', ...mapping, '12']);
    const shown = await json(['property', 'show', 'hotel-ponte']);
    assert.notEqual(shown.inventoryTypes[0].calendar[0]?.rate, '90.00');
    const unknown = await run(['mapping', 'set', ...mapping, '99', ...place]);
    assert.match(unknown.stderr, /has no room "99"/);
    await json(['mapping', 'set', ...mapping, '12', ...place]);
    assert.equal((await json(['connection', 'remove', 'smoobu', '--dry-run'])).types, 2);
    assert.equal((await json(['connection', 'list'])).length, 1);
    await json(['connection', 'remove', 'smoobu']);
    assert.deepEqual(await json(['connection', 'list']), []);
  });

  it('never say the key, in the audit trail neither', async () => {
    said.push((await workplace.run(['audit', '--json'])).stdout);
    assert.ok(said.join('').includes('connection add'));
    assert.equal(said.join('').includes(SECRET), false);
    assert.deepEqual(smoobu.violations, []);
  });
});

/** Of a section of docs/connections.md. */
function stepsOf(title: string): readonly (readonly string[])[] {
  const page = readFileSync(join(import.meta.dirname, '../docs/connections.md'), 'utf8');
  const section = page.split(`## ${title} in ten steps`)[1]!.split('\n## ')[0]!;
  const lines = section.split('\n').filter((line) => line.startsWith('    bin/stayport '));
  return lines.map((line) =>
    line
      .replace(/ *(?:#|&&).*/, '')
      .trim()
      .split(/ +/)
      .slice(1),
  );
}

const BEDS24_TOKEN = 'long-life-token-of-the-account';
const FLAT = { guests: 4, currency: 'EUR', timeZone: 'Europe/Rome', dates: datesOf(400) };
const OPEN = { from: '2026-01-01', to: '2028-12-31', numAvail: 2, minStay: 2, override: 'none', price1: 90 };
const SYSTEMS: Readonly<Record<string, { readonly key: string; readonly start: () => Promise<FakeServer> }>> =
  {
    Smoobu: {
      key: `key-1\n${SECRET}\n`,
      start: () =>
        startFakeSmoobu({
          account: {
            customer: 9,
            key: 'key-1',
            secret: SECRET,
            apartments: [
              { id: 12, name: 'Mansarda', ...FLAT },
              { id: 13, name: 'Attico', ...FLAT },
            ],
          },
          nowMs: () => NOW_MS,
        }),
    },
    Beds24: {
      key: `${BEDS24_TOKEN}\n`,
      start: () =>
        startFakeBeds24({
          account: plainAccount({ token: BEDS24_TOKEN, rooms: [101, 102], range: OPEN }),
          nowMs: () => NOW_MS,
        }),
    },
  };

for (const [title, { key, start }] of Object.entries(SYSTEMS))
  describe(`The steps of docs/connections.md for ${title}`, () => {
    const workplace = new WorkplaceHere({ CONNECTIONS_ALLOW_PRIVATE: 'true' }, () => NOW_MS);
    const said: string[] = [];
    let server: FakeServer;
    before(async () => {
      server = await start();
      writeFileSync(join(workplace.directory, 'key.txt'), key);
    });
    after(async () => {
      await server.stop();
      await workplace.remove();
    });

    for (const args of stepsOf(title))
      it(args.join(' '), async () => {
        const others = args[1] === 'add' ? ['--setting', `base=${server.origin}`] : [];
        const { code, stdout, stderr } = await workplace.run([...args, ...others]);
        assert.equal(code, 0, stderr);
        said.push(stdout, stderr);
      });

    it('end with flats that partners see, at the prices of the account, and with the key said nowhere', async () => {
      const kind = title.toLowerCase();
      const verdicts = said.join('').match(/ (?:equal|explained|unexplained|not_comparable) *$/gm) ?? [];
      assert.ok(verdicts.length > 10);
      assert.deepEqual([...new Set(verdicts.map((verdict) => verdict.trim()))], ['equal']);
      const rooms = JSON.parse((await workplace.run(['connection', 'rooms', kind, '--json'])).stdout) as {
        propertyId: string;
      }[];
      assert.equal(rooms.length, 2);
      for (const { propertyId } of rooms) {
        const shown = JSON.parse((await workplace.run(['property', 'show', propertyId])).stdout);
        assert.equal(shown.visibleTo, 'all');
      }
      for (const part of key.trim().split('\n'))
        if (part !== 'key-1') assert.equal(said.join('').includes(part), false);
      assert.deepEqual(server.violations, []);
    });
  });
