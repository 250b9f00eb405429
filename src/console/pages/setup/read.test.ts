import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Wrong } from '../../../domain/wrong.ts';
import type { SetupFacts } from '../../../storage/setup/store.ts';
import type { DoctorRow, PagePorts } from '../../reading/console-page.ts';
import { viewOf } from '../../web/elements.ts';
import { formatPage } from '../../web/frame.ts';
import { isSetUp, readSetup } from './read.ts';

const DONE: SetupFacts = {
  hasPasskey: true,
  hasProperties: true,
  hasPictures: true,
  hasPrices: true,
  unpricedCount: 0,
  hasBookingSites: true,
  hasCalendars: true,
  hasPartner: true,
  hasCredential: true,
  hasQuote: true,
};
const SET = {
  HANDOFF_BASE_URL: 'https://stay.example/handoff',
  WEB_IMPRINT_URL: 'https://example.com/imprint',
  WEB_PRIVACY_URL: 'https://example.com/privacy',
};

/** `statuses` of the checks; `settings` replace those that are set, null: not set. */
function portsOf(
  facts: Partial<SetupFacts> = {},
  settings: Readonly<Record<string, string | null>> = {},
  statuses: readonly DoctorRow['status'][] = ['ok'],
): PagePorts {
  const rows = Object.entries({ ...SET, ...settings }).map(([name, value]) => ({ name, value }));
  const ports = {
    clock: () => 0,
    storage: { readSetup: async () => ({ ...DONE, ...facts }) },
    settings: async () => rows,
    doctor: { get: async () => statuses.map((status) => ({ status })) },
  };
  return ports as unknown as PagePorts;
}

describe('The set-up', () => {
  it('is done when every step is, and no check warns', async () => {
    assert.equal(await isSetUp(portsOf()), true);
    const others = new Set(['hasQuote', 'hasBookingSites', 'unpricedCount']);
    for (const fact of Object.keys(DONE).filter((name) => !others.has(name)))
      assert.equal(await isSetUp(portsOf({ [fact]: false })), false, fact);
    for (const name of Object.keys(SET))
      assert.equal(await isSetUp(portsOf({}, { [name]: null })), false, name);
    assert.equal(await isSetUp(portsOf({}, {}, ['ok', 'warn'])), false);
  });

  it('has prices once every property has one', async () => {
    const rowOf = async (facts: Partial<SetupFacts>) =>
      (await readSetup(portsOf(facts))).rows.find(({ step }) => step === 'prices');
    assert.equal((await rowOf({}))?.state, 'done');
    assert.deepEqual((({ state, count }) => [state, count])((await rowOf({ unpricedCount: 39 }))!), [
      'next',
      39,
    ]);
    assert.equal(await isSetUp(portsOf({ unpricedCount: 1 })), false);
  });

  it('has the page of travellers once it answers at its address', async () => {
    const stateOf = async (get: () => Promise<readonly DoctorRow[]>) => {
      const ports = { ...portsOf(), doctor: { get } } as unknown as PagePorts;
      return (await readSetup(ports)).rows.find(({ step }) => step === 'travellers')?.state;
    };
    const told = { detail: new Wrong('asItIs', { text: '' }), fix: null };
    const row = (status: DoctorRow['status']) => async () => [
      { check: 'handoff url', status, detail: '', fix: null, told },
    ];
    assert.equal(await stateOf(row('ok')), 'done');
    assert.equal(await stateOf(row('fail')), 'next');
    assert.equal(await stateOf(row('warn')), 'next');
    assert.equal(await stateOf(() => new Promise(() => undefined)), 'unknown');
  });

  it('counts what the checks find, warnings too', async () => {
    const { rows } = await readSetup(portsOf({}, {}, ['ok', 'warn', 'fail']));
    assert.deepEqual(rows.at(-1), {
      step: 'checks',
      state: 'next',
      count: 2,
      path: '/console/settings/checks',
    });
  });

  it('stands in the bar of every page while steps are left', () => {
    const person = {
      sessionId: 'cs_1',
      name: 'Ada',
      role: 'admin',
      isByLink: true,
      freshMs: 0,
      formToken: 'f'.repeat(64),
    } as const;
    const barOf = (leadsToSetup: boolean) => {
      const view = viewOf({ locale: 'en-GB', formId: '', root: './', nowMs: 0, person, leadsToSetup });
      return formatPage(view, 'today', '/console', { title: 'Today', act: undefined, main: '' });
    };
    assert.match(barOf(true), /<nav[^]*href="\.\/console\/setup"[^]*<\/nav>/);
    assert.ok(!barOf(false).includes('console/setup'));
  });

  it('asks for a link that opens elsewhere than on this machine', async () => {
    const stateAt = async (address: string) => {
      const { rows } = await readSetup(portsOf({}, { HANDOFF_BASE_URL: address }));
      return rows.find(({ step }) => step === 'travellers')?.state;
    };
    for (const host of ['localhost:8443', '127.0.0.1', '[::1]:8443'])
      assert.equal(await stateAt(`https://${host}/handoff`), 'next', host);
    assert.equal(await stateAt('https://stay.example/handoff'), 'done');
  });
});
