import { inBoth, Wrong } from '../../../domain/wrong.ts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { pino } from 'pino';
import { openTemporaryStorage, type TemporaryStorage } from '../../../../test/kit/temporary-storage.ts';
import type { ServingPorts } from '../../../console/reading/console-page.ts';
import type { RenderedPage, RenderRequest } from '../../../console/http/make-page.ts';
import type { Readiness } from '../../../runtime/readiness.ts';
import { parseSettings } from '../../settings/settings.ts';
import { openStorage } from '../../../storage/open.ts';
import { StorageUnavailable } from '../../../storage/storage.ts';
import { PAGES_WAITING_MAX, type Reports, startReports } from './reports.ts';

const NOW_MS = Date.UTC(2026, 10, 22, 8);
const TODAY: RenderRequest = {
  page: 'today',
  segments: {},
  query: '',
  isJson: true,
  takesGzip: false,
  locale: 'en-GB',
  root: '../',
  nowMs: NOW_MS,
  leadsToSetup: false,
  formId: '',
  person: {
    sessionId: 'cs_1',
    name: 'Ada',
    role: 'viewer',
    isByLink: true,
    freshMs: 0,
    formToken: 'f'.repeat(64),
  },
};

describe('Reports', () => {
  let temporary: TemporaryStorage;
  let reports: Reports;
  before(async () => {
    temporary = await openTemporaryStorage(() => NOW_MS);
    reports = open();
  });
  after(async () => {
    await reports.stop();
    await temporary.close();
  });

  function open(databaseUrl = temporary.databaseUrl): Reports {
    const parsed = parseSettings({ DATABASE_URL: databaseUrl, DEMAND_DAYS: '0' });
    assert.ok(parsed.ok);
    return startReports(parsed.settings, {
      storage: temporary.storage,
      clock: () => NOW_MS,
      logger: pino({ enabled: false }),
      isReady: () => true,
      propertiesOf: assert.fail,
    });
  }

  const ports = (changed: Partial<ServingPorts> = {}): ServingPorts => ({
    readiness: async () => 'ready',
    findRecent: async () => [],
    findNames: async () => ({ propertyIds: [], next: undefined, total: 0 }),
    prepareNames: () => undefined,
    findSeenProperty: assert.fail,
    findSeenCities: assert.fail,
    ...changed,
  });
  const textOf = (bytes: Uint8Array = new Uint8Array()) => Buffer.from(bytes).toString('utf8');
  /** As of a database without properties, where nothing else is to be said. */
  const assertToday = (made: RenderedPage | undefined) => {
    const [item, ...others] = JSON.parse(textOf(made?.body)) as { readonly what: string }[];
    assert.deepEqual(
      [item?.what, others.map(({ what }) => what)],
      ['noProperties', ['noQuote', 'travellers']],
    );
  };

  it('makes the same page packed and not, by the time and the language of its reader', async () => {
    const makePage = reports.openPages(ports());
    for (const page of [
      'today',
      'partners',
      'requests',
      'properties',
      'supply',
      'funnel',
      'demand',
      'audit',
    ]) {
      const order: RenderRequest = { ...TODAY, page, isJson: false, locale: 'it-IT' };
      const plain = await makePage(order);
      const packed = await makePage({ ...order, takesGzip: true });
      assert.match(textOf(plain?.body), /<html lang="it-IT"/);
      const isPacked = packed?.headers.includes('Content-Encoding') === true;
      assert.equal(textOf(isPacked ? gunzipSync(packed.body) : packed?.body), textOf(plain?.body));
    }
    const funnel = await makePage({ ...TODAY, page: 'funnel', isJson: false });
    assert.match(textOf(funnel?.body), /2026-11-22/);
  });

  it('asks the thread that serves what that alone knows, and passes its failure on', async () => {
    const loading = reports.openPages(ports({ readiness: async () => ({ reason: 'still loading' }) }));
    assert.match(textOf((await loading(TODAY))?.body), /still loading/);
    const told = inBoth(new Wrong('ofWorker', { number: 2, why: new Wrong('workerSilent') }));
    const silent = reports.openPages(ports({ readiness: async () => told }));
    assert.match(textOf((await silent(TODAY))?.body), /worker 2: does not answer/);
    const inItalian: RenderRequest = { ...TODAY, isJson: false, locale: 'it-IT' };
    assert.match(textOf((await silent(inItalian))?.body), />processo 2: non risponde</);
    const failing = reports.openPages(ports({ readiness: () => Promise.reject(new Error('no worker')) }));
    await assert.rejects(failing(TODAY), { message: 'no worker' });
  });

  it('draws what a form came to, and needs no database for it', async (context) => {
    const away = open(temporary.databaseUrl.replace('test.db', 'nowhere.db'));
    context.after(() => away.stop());
    const makePage = away.openPages(ports());
    const sent = {
      act: 'partner-create',
      path: '/console/partners',
      fields: [['name', '<Ada>']],
      segments: {},
    } as const;
    const outcome = { kind: 'refused', problem: new Wrong('notTyped', { names: 'a' }) } as const;
    const formPath = '/console/partners/partner-create';
    const refused = textOf(
      (await makePage({ ...TODAY, drawn: { refused: { formPath, sent, outcome } } }))?.body,
    );
    assert.match(refused, /It must be a\./);
    const kept = {
      kind: 'stale',
      asked: '/console/partners/partner-create',
      before: '/console/partners',
      fields: [
        ['name', '<Ada>'],
        ['was.name', 'Eve'],
        ['formId', 'x'],
      ],
      formToken: 'a'.repeat(64),
    } as const;
    const page = textOf((await makePage({ ...TODAY, drawn: { kept } }))?.body);
    assert.match(page, /<dd><bdi[^>]*>&lt;Ada&gt;<\/bdi><\/dd>/);
    assert.equal(page.split('<dt>').length, 2, 'nothing else was typed');
    assert.match(page, /name="was\.name" value="Eve"/);
  });

  it('has no page of what does not exist', async () => {
    const makePage = reports.openPages(ports());
    const order = { ...TODAY, page: 'partner', segments: { partnerId: 'nobody' } };
    assert.equal(await makePage(order), undefined);
  });

  it(`lets ${PAGES_WAITING_MAX} pages wait, and no more`, async () => {
    const ready = Promise.withResolvers<Readiness>();
    const makePage = reports.openPages(ports({ readiness: () => ready.promise }));
    const waiting = Array.from({ length: PAGES_WAITING_MAX }, () => makePage(TODAY));
    await assert.rejects(makePage(TODAY), (error) => error instanceof StorageUnavailable);
    ready.resolve('ready');
    for (const made of await Promise.all(waiting)) assertToday(made);
    assertToday(await makePage(TODAY));
  });

  it('has no page while the database is away, and has one when it is back', async (context) => {
    const databaseUrl = temporary.databaseUrl.replace('test.db', 'away.db');
    const early = open(databaseUrl);
    context.after(() => early.stop());
    const makePage = early.openPages(ports());
    await assert.rejects(makePage(TODAY), (error) => error instanceof StorageUnavailable);
    const storage = await openStorage(databaseUrl, { clock: () => NOW_MS });
    await storage.migrate();
    await storage.close();
    assertToday(await makePage(TODAY));
  });

  it('ends while pages wait, and makes no more', async () => {
    const ended = open();
    const makePage = ended.openPages(ports({ readiness: () => new Promise(() => undefined) }));
    const rejected = assert.rejects(makePage(TODAY), { message: 'the service is being stopped' });
    await ended.stop();
    await rejected;
    await assert.rejects(makePage(TODAY), { message: 'the service is being stopped' });
  });
});
