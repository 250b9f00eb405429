/** A price set by hand and one of another origin, in either order: which one counts, and what is said of the other. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { double, hotel, type Line } from '../../kit/catalogue-lines.ts';
import { WorkplaceHere } from '../../kit/commands-here.ts';
import { calendar, type FeedServer, startFeedServer } from '../../kit/feed-server.ts';
import { NOW_MS } from '../../kit/now.ts';
import { callSupply, startSupply, type SupplyAnswer, type SupplyRunning } from '../../kit/supply-client.ts';

const NIGHTS = { dateFrom: '2026-12-24', dateTo: '2026-12-26' };
const HAND = '120.50';
const OTHER = '90.00';

type Origin = 'sheet' | 'catalogue' | 'ari' | 'calendars' | 'document' | 'import' | 'feed';

interface Said {
  /** Nights of the price set by hand, as a dry run or an answer names them. */
  readonly named: readonly string[];
}

const NAMED = ['2026-12-24 to 2026-12-26'];

/** By origin: what it says where people came first, and the price afterwards; then whether people may come second. */
const ORDERS: readonly (readonly [Origin, readonly string[], string, 'taken' | 'refused'])[] = [
  ['sheet', NAMED, OTHER, 'taken'],
  ['catalogue', NAMED, OTHER, 'taken'],
  ['ari', NAMED, OTHER, 'refused'],
  ['calendars', NAMED, OTHER, 'refused'],
  ['document', NAMED, OTHER, 'refused'],
  ['import', NAMED, OTHER, 'refused'],
  ['feed', [], HAND, 'taken'],
];

describe('A price set by hand', () => {
  let running: SupplyRunning;
  let feeds: FeedServer;
  let workplace: WorkplaceHere;
  before(async () => {
    running = await startSupply([]);
    feeds = await startFeedServer();
    const databaseUrl = `sqlite:${running.installation.databasePath}`;
    const environment = { DATABASE_URL: databaseUrl, ICAL_ALLOW_PRIVATE: 'true' };
    workplace = new WorkplaceHere(environment, () => NOW_MS);
  });
  after(async () => {
    await workplace.remove();
    await feeds.close();
    await running.installation.close();
  });

  const place = (propertyId: string) => ({ propertyId, inventoryTypeId: 'double' });
  const documentOf = (propertyId: string, rate?: string): Line =>
    hotel(propertyId, {
      inventoryTypes: [
        double({ calendar: [{ ...NIGHTS, availability: 2, ...(rate !== undefined && { rate }) }] }),
      ],
    });
  const call = async (method: string, path: string, propertyId: string, body: unknown) => {
    const headers = path === 'import' ? { 'content-type': 'application/x-ndjson' } : {};
    const answer = await callSupply(running.service.operatorUrl, method, `${path}?source=${propertyId}`, {
      token: running.anyToken,
      body,
      headers,
    });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const { body: listed } = await callSupply(
      running.service.operatorUrl,
      'GET',
      `messages?source=${propertyId}&limit=1`,
      {
        token: running.anyToken,
      },
    );
    assert.deepEqual(namedIn(listed.messages[0]), namedIn(answer.body), 'the list of messages says it too');
    return { named: namedIn(answer.body) };
  };
  const namedIn = ({ warnings }: SupplyAnswer['body']): string[] =>
    warnings
      .filter(({ code }: { code: string }) => code === 'SET_BY_HAND')
      .map(({ detail }: { detail: string }) => /\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d/.exec(detail)![0]);
  /** A file is imported after its dry run, which is what names the nights. */
  const file = async (kind: string, propertyId: string, input: string): Promise<Said> => {
    const args = ['import', kind, '-', '--source', propertyId];
    const { setByHand } = await workplace.json([...args, '--dry-run'], { input });
    await workplace.json(args, { input });
    return {
      named: setByHand.map(({ dateFrom, dateTo }: Record<string, string>) => `${dateFrom} to ${dateTo}`),
    };
  };

  const SPEAKS: Readonly<Record<Origin, (propertyId: string) => Promise<Said>>> = {
    sheet: (id) =>
      file(
        'rates',
        id,
        `propertyId,inventoryTypeId,dateFrom,dateTo,rate\n${id},double,2026-12-20,2026-12-31,${OTHER}\n`,
      ),
    catalogue: (id) => file('catalogue', id, JSON.stringify(documentOf(id, OTHER))),
    async ari(id) {
      const keys = ['--source', id, '--external', 'room', '--property', id, '--type', 'double'];
      await workplace.json(['mapping', 'set', ...keys]);
      const value = { room_type_id: 'room', date_from: '2026-12-24', date_to: '2026-12-26', rate: OTHER };
      return call('POST', 'ari', id, { values: [value] });
    },
    calendars: (id) =>
      call('PATCH', 'calendars', id, { entries: [{ ...place(id), ...NIGHTS, rate: OTHER }] }),
    document: (id) => call('PUT', `properties/${id}`, id, documentOf(id, OTHER)),
    import: (id) => call('POST', 'import', id, `${JSON.stringify(documentOf(id, OTHER))}\n`),
    async feed(id) {
      feeds.answer = calendar(['2026-12-24', '2026-12-25']);
      const where = ['--property', id, '--type', 'double', '--url', `${feeds.url}/${id}.ics`];
      const { feedId } = await workplace.json(['ical', 'subscribe', ...where]);
      assert.equal((await workplace.json(['ical', 'poll', feedId])).outcome, 'changed');
      return { named: [] };
    },
  };

  const setByHand = (id: string) => {
    const nights = ['--from', NIGHTS.dateFrom, '--to', NIGHTS.dateTo];
    return workplace.run(['nights', 'set', '--property', id, '--type', 'double', '--rate', HAND, ...nights]);
  };
  const rateOf = async (id: string): Promise<unknown> => {
    const { inventoryTypes } = await workplace.json(['property', 'show', id]);
    const entries: readonly Record<string, string>[] = inventoryTypes[0].calendar;
    return entries.find(({ dateFrom, dateTo }) => dateFrom! <= '2026-12-25' && '2026-12-25' <= dateTo!)?.[
      'rate'
    ];
  };
  const create = (id: string) =>
    workplace.json(['import', 'catalogue', '-', '--source', id], { input: JSON.stringify(documentOf(id)) });

  for (const [origin, named, rate, second] of ORDERS) {
    it(`before ${origin}: ${named.length === 0 ? 'stays' : 'is named'}`, async () => {
      const id = `hand-${origin}`;
      await create(id);
      assert.equal((await setByHand(id)).code, 0);
      assert.equal(await rateOf(id), HAND);
      assert.deepEqual(await SPEAKS[origin](id), { named });
      assert.equal(await rateOf(id), rate);
    });

    it(`after ${origin}: is ${second}`, async () => {
      const id = `${origin}-hand`;
      await create(id);
      assert.deepEqual(await SPEAKS[origin](id), { named: [] });
      const { code, stderr } = await setByHand(id);
      assert.equal(code === 0, second === 'taken', stderr);
      if (second === 'refused')
        assert.match(stderr.replaceAll(/\s+/g, ' '), /prices double of .*: set it there/);
      assert.equal(await rateOf(id), second === 'taken' ? HAND : OTHER);
    });
  }

  it('is not named where the first price of a system is the same, for other nights, or none', async () => {
    const id = 'hand-same';
    await create(id);
    await setByHand(id);
    const entry = { ...place(id), ...NIGHTS };
    const send = (set: object) => call('PATCH', 'calendars', id, { entries: [{ ...entry, ...set }] });
    assert.deepEqual(await send({ availability: 1 }), { named: [] });
    assert.equal(await rateOf(id), HAND);
    assert.deepEqual(await send({ rate: HAND }), { named: [] });
    assert.deepEqual(await send({ rate: OTHER }), { named: [] }, 'it is the price of the system by now');
  });

  it('is named where the first price of a system is for other nights: then it has none', async () => {
    const id = 'hand-others';
    await create(id);
    await setByHand(id);
    const entries = [{ ...place(id), dateFrom: '2026-12-26', dateTo: '2026-12-28', rate: HAND }];
    assert.deepEqual(await call('PATCH', 'calendars', id, { entries }), {
      named: ['2026-12-24 to 2026-12-25'],
    });
    assert.equal(await rateOf(id), undefined);
  });
});
