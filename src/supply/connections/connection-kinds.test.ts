/** Each kind of connection, met by what a system answers on a bad day. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { plainAccount } from '../../../test/kit/pms/beds24-account.ts';
import { openDirectly } from '../../../test/kit/pms/direct-account.ts';
import { startFakeBeds24 } from '../../../test/kit/pms/fake-beds24.ts';
import { type FakeServer, type Mischief, RETRY_SECONDS } from '../../../test/kit/pms/fake-server.ts';
import { startFakeSmoobu } from '../../../test/kit/pms/fake-smoobu.ts';
import { getLocalDate } from '../../domain/local-date.ts';
import { LOCALES } from '../../domain/property.ts';
import type { RefusalCode } from '../../domain/refusals/refusals.ts';
import { sayAlone } from '../../domain/wrong.ts';
import { ConnectionFailure, type ConnectionKind, type FailureState } from './kinds/connection-kind.ts';
import { CONNECTION_KINDS, findKind } from './connection-kinds.ts';

const NOW_MS = Date.UTC(2026, 10, 30, 12);
const FROM = getLocalDate('2026-12-01');
const SECRETS = [
  'smoobu-key-of-the-account',
  'smoobu-secret-of-the-account',
  'long-life-token-of-the-account',
];
const nowMs = (): number => NOW_MS;

const KEYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  smoobu: { key: SECRETS[0]!, secret: SECRETS[1]! },
  beds24: { token: SECRETS[2]! },
};
const STARTS: Readonly<Record<string, () => Promise<FakeServer>>> = {
  smoobu: () => {
    const dates = { '2026-12-01': { price: 100, available: 1 }, '2026-12-02': { price: 100, available: 1 } };
    const apartments = [{ id: 12, name: 'Flat', guests: 4, currency: 'EUR', dates }];
    return startFakeSmoobu({
      account: { customer: 9, key: SECRETS[0]!, secret: SECRETS[1]!, apartments },
      nowMs,
    });
  },
  beds24: () => {
    const range = { from: '2026-12-01', to: '2026-12-31', numAvail: 1, override: 'none', price1: 100 };
    return startFakeBeds24({
      account: plainAccount({ rooms: [101, 102], range, token: SECRETS[2]!, credits: 0 }),
      nowMs,
    });
  },
};

type Ended = readonly [code: RefusalCode, state: FailureState];
/** A mischief, and how the failure of each kind is told; undefined: that kind does not know it. */
const BAD_DAYS: readonly (readonly [Mischief, Readonly<Record<string, Ended | undefined>>])[] = [
  ['failureAs200', { smoobu: ['connectionKeyWrong', 'refused'], beds24: ['answerFailed', 'failing'] }],
  ['emptyAnswer', { smoobu: ['answerLacks', 'failing'], beds24: ['answerFailed', 'failing'] }],
  ['webPage', { smoobu: ['answerNotJson', 'failing'], beds24: ['answerNotJson', 'failing'] }],
  ['cutText', { smoobu: ['answerNotJson', 'failing'], beds24: ['answerNotJson', 'failing'] }],
  ['serverError', { smoobu: ['serverStatus', 'failing'], beds24: ['serverStatus', 'failing'] }],
  ['forbidden', { smoobu: ['connectionForbidden', 'refused'], beds24: ['connectionForbidden', 'refused'] }],
  ['redirect', { smoobu: ['serverStatus', 'failing'], beds24: ['serverStatus', 'failing'] }],
  ['echoesKey', { smoobu: ['serverStatus', 'failing'], beds24: ['answerFailed', 'failing'] }],
  ['tooMany', { smoobu: ['serverStatus', 'failing'], beds24: ['serverStatus', 'failing'] }],
  ['tooManyOtherwise', { smoobu: ['serverStatus', 'failing'], beds24: ['serverStatus', 'failing'] }],
  ['tooManyRetryAfter', { smoobu: ['serverStatus', 'failing'], beds24: ['serverStatus', 'failing'] }],
  ['halfPage', { beds24: ['answerCut', 'failing'] }],
  ['endlessPages', { beds24: ['answerPages', 'failing'] }],
  ['extraRoom', { smoobu: ['answerUnasked', 'failing'], beds24: ['answerUnasked', 'failing'] }],
];

describe('A kind of connection', () => {
  it('is found by its name', () => {
    assert.deepEqual(
      CONNECTION_KINDS.map(({ kind }) => kind),
      ['smoobu', 'beds24'],
    );
    for (const kind of CONNECTION_KINDS) assert.equal(findKind(kind.kind), kind);
    assert.equal(findKind('other'), undefined);
  });

  for (const kind of CONNECTION_KINDS)
    it(`${kind.kind} has values that commands can print and take`, () => {
      assert.match(kind.kind, /^[a-z0-9-]{1,40}$/);
      assert.match(kind.origin, /^https:\/\/[a-z0-9.]+$/);
      for (const values of Object.values(kind.settings)) assert.ok(values.length > 1);
      for (const reason of kind.allows) assert.match(reason, /^[a-z_]+$/);
      assert.equal(kind.live, false);
    });

  for (const kind of CONNECTION_KINDS) describeBadDays(kind);
});

function describeBadDays(kind: ConnectionKind): void {
  let fake: FakeServer;
  before(async () => {
    fake = await STARTS[kind.kind]!();
  });
  after(() => fake.stop());

  const open = () => openDirectly(kind, { origin: fake.origin, key: KEYS[kind.kind]!, nowMs });

  for (const [mischief, ends] of BAD_DAYS) {
    const end = ends[kind.kind];
    if (end === undefined) continue;
    const [code, state] = end;
    it(`${kind.kind} tells ${mischief} as ${code}`, async () => {
      fake.mischief = undefined;
      const rooms = await open().listRooms();
      fake.mischief = mischief;
      const failure = await failureOf(() => open().readNights(rooms, { from: FROM, until: FROM + 7 }));
      assert.deepEqual([failure.wrong.code, failure.state], [code, state]);
      const texts = [
        failure.stack,
        JSON.stringify(failure),
        ...LOCALES.map((locale) => sayAlone(failure.wrong, locale)),
      ];
      for (const secret of SECRETS) assert.ok(!texts.some((text) => text!.includes(secret)), mischief);
      if (mischief === 'tooMany' || mischief === 'tooManyOtherwise')
        assert.equal(failure.retryAfterMs, RETRY_SECONDS * 1000);
    });
  }

  it(`${kind.kind} stores nothing there`, () => {
    assert.deepEqual(fake.violations, []);
    assert.ok(fake.calls.length > 10);
  });
}

async function failureOf(act: () => Promise<unknown>): Promise<ConnectionFailure> {
  try {
    await act();
  } catch (error) {
    assert.ok(error instanceof ConnectionFailure, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: 'it did not fail' });
}
