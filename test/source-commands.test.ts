/** `source`, `ical publish` and `mapping delete`, as a person and a script use them. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { hotel } from './kit/catalogue-lines.ts';
import { WorkplaceHere } from './kit/commands-here.ts';
import { NOW_MS } from './kit/now.ts';
import { calendarText } from './kit/feed-server.ts';

const TYPE = ['--property', 'ponte', '--type', 'double'];

describe('The commands for sources', () => {
  const workplace = new WorkplaceHere({}, () => NOW_MS);
  const isClosed = async (propertyId: string): Promise<boolean> =>
    JSON.stringify(await workplace.json(['property', 'show', propertyId])).includes('"stopSell":true');

  before(async () => {
    const lines = ['ponte', 'canal'].map((id) => JSON.stringify(hotel(id))).join('\n');
    await workplace.json(['import', 'catalogue', '-'], { input: lines });
    const file = join(workplace.directory, 'closed.ics');
    writeFileSync(file, calendarText(['2026-12-20', '2026-12-24']));
    for (const id of ['ponte', 'canal']) {
      const place = ['--property', id, '--type', 'double', '--source', 'chanel'];
      await workplace.json(['import', 'ical', file, ...place]);
    }
    await workplace.json(['close', '--property', 'ponte', '--from', '2026-12-30', '--to', '2026-12-30']);
  });
  after(() => workplace.remove());

  it('list each source with its properties and when it last confirmed anything', async () => {
    const sources = await workplace.json(['source', 'list']);
    assert.deepEqual(
      sources.map(({ source, properties, lastConfirmedAt }: Record<string, unknown>) => [
        source,
        properties,
        lastConfirmedAt !== null,
      ]),
      [
        ['catalogue', 2, true],
        ['chanel', 2, true],
        ['manual', 1, false],
      ],
    );
    assert.match((await workplace.run(['source', 'list'])).stdout, /^chanel +2 +2/m);
  });

  it('retire a source of one property, then of all, after a dry run that writes nothing', async () => {
    const dry = await workplace.json(['source', 'retire', 'chanel', '--dry-run']);
    assert.deepEqual(dry, { source: 'chanel', properties: 2, nights: 8, dryRun: true });
    assert.equal(await isClosed('canal'), true);
    const one = await workplace.json(['source', 'retire', 'chanel', '--property', 'canal']);
    assert.deepEqual(one, { source: 'chanel', properties: 1, nights: 4, dryRun: false });
    assert.deepEqual([await isClosed('canal'), await isClosed('ponte')], [false, true]);
    await workplace.json(['mapping', 'set', '--source', 'chanel', '--external', 'x', ...TYPE]);
    const rest = await workplace.run(['source', 'retire', 'chanel', '--json']);
    assert.deepEqual(JSON.parse(rest.stdout), { source: 'chanel', properties: 1, nights: 4, dryRun: false });
    assert.match(rest.stderr, /Its mappings stay: the list of mappings shows them/);
    const names = (await workplace.json(['source', 'list'])).map(({ source }: { source: string }) => source);
    assert.deepEqual(names, ['catalogue', 'manual']);
  });

  it('refuse what is not theirs to end, and say what is', async () => {
    const refusals = [
      [['catalogue'], /owns the document of canal, ponte: withdraw it first \("property withdraw ID"\)/],
      [['catalogue', '--property', 'ponte'], /owns the document of ponte/],
      [['manual'], /nights with "open"/],
      [['chanel'], /has sent nothing for any property; "source list"/],
      [['manual2', '--property', 'ponte'], /has sent nothing for the property ponte/],
      [['stayport:supply-age'], /ends by itself/],
    ] as const;
    for (const [args, reason] of refusals) {
      const { code, stderr } = await workplace.run(['source', 'retire', ...args]);
      assert.equal(code, 1, stderr);
      assert.match(stderr, reason);
    }
    const url = 'https://feeds.example/1.ics';
    const { feedId } = await workplace.json(['ical', 'subscribe', ...TYPE, '--url', url]);
    const { stderr } = await workplace.run(['source', 'retire', `ical:${feedId}`]);
    assert.match(stderr, new RegExp(`"ical unsubscribe ${feedId}" ends it`));
  });

  it('delete a mapping once', async () => {
    const mapping = ['--source', 'chanel', '--external', 'x'];
    const deleted = await workplace.json(['mapping', 'delete', ...mapping]);
    assert.deepEqual(deleted, { source: 'chanel', externalKey: 'x' });
    const again = await workplace.run(['mapping', 'delete', ...mapping]);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /has no mapping of "x"; "mapping list" shows them/);
  });
});

describe('The commands for published calendars', () => {
  const workplace = new WorkplaceHere({ HANDOFF_BASE_URL: 'https://book.example/stay/handoff' });
  before(() => workplace.json(['import', 'catalogue', '-'], { input: JSON.stringify(hotel('ponte')) }));
  after(() => workplace.remove());

  it('print a URL once, list without it, and end it', async () => {
    const { stdout, stderr } = await workplace.run(['ical', 'publish', ...TYPE, '--json']);
    const { url, ...rest } = JSON.parse(stdout);
    assert.match(url, /^https:\/\/book\.example\/stay\/calendars\/[\w-]{43}\.ics$/);
    assert.deepEqual(rest, {});
    assert.match(stderr, /the service needs WEB_PORT/);
    const [listed, ...others] = await workplace.json(['ical', 'published']);
    assert.deepEqual([listed.propertyId, listed.inventoryTypeId, others], ['ponte', 'double', []]);
    assert.ok(!JSON.stringify(listed).includes(url.slice(-47, -4)));
    const again = await workplace.run(['ical', 'publish', ...TYPE]);
    assert.notEqual(again.stdout.trim(), url);
    assert.match(again.stderr, /The earlier URL of this calendar has stopped working/);
    const ended = await workplace.json(['ical', 'unpublish', ...TYPE]);
    assert.deepEqual(ended, { propertyId: 'ponte', inventoryTypeId: 'double' });
    assert.deepEqual(await workplace.json(['ical', 'published']), []);
    const twice = await workplace.run(['ical', 'unpublish', ...TYPE]);
    assert.deepEqual([twice.code, twice.stderr.includes('"ical published" lists them')], [1, true]);
  });

  it('name what is not there', async () => {
    const type = await workplace.run(['ical', 'publish', '--property', 'ponte', '--type', 'suite']);
    assert.match(type.stderr, /the property ponte has no inventory type "suite"; it has double/);
    const property = await workplace.run(['ical', 'publish', '--property', 'x', '--type', 'double']);
    assert.match(property.stderr, /there is no property "x"/);
  });

  it('take another base, which must not send the secret in the clear', async () => {
    const settings = { CALENDARS_BASE_URL: 'https://ical.example/c/' };
    const { stdout } = await workplace.run(['ical', 'publish', ...TYPE], { env: settings });
    assert.match(stdout, /^https:\/\/ical\.example\/c\/[\w-]{43}\.ics\n$/);
    const wrong = await workplace.run(['ical', 'published'], {
      env: { CALENDARS_BASE_URL: 'http://ical.example/c' },
    });
    assert.match(wrong.stderr, /^stayport: CALENDARS_BASE_URL: .* is not an https:\/\/ URL/);
  });
});
