/** Each kind of connection, met by what a system answers on a bad day. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { plainAccount } from '../../../test/kit/pms/beds24-account.ts';
import { openDirectly } from '../../../test/kit/pms/direct-account.ts';
import { startFakeBeds24 } from '../../../test/kit/pms/fake-beds24.ts';
import { type FakeServer, type Mischief, RETRY_SECONDS } from '../../../test/kit/pms/fake-server.ts';
import { plainSmoobu, startFakeSmoobu } from '../../../test/kit/pms/fake-smoobu.ts';
import { getLocalDate } from '../../domain/local-date.ts';
import { LOCALES } from '../../domain/property.ts';
import type { RefusalCode } from '../../domain/refusals/refusals.ts';
import { sayAlone } from '../../domain/wrong.ts';
import { ConnectionFailure, type ConnectionKind, type FailureState } from './kinds/connection-kind.ts';
import { CONNECTION_KINDS, findKind } from './connection-kinds.ts';

const NOW_MS = Date.UTC(2026, 10, 30, 12);
const FROM = getLocalDate('2026-12-01');
const nowMs = (): number => NOW_MS;
const smoobu = plainSmoobu({ flats: [12], first: '2026-12-01', nights: 31, price: 100 });
const range = { from: '2026-12-01', to: '2026-12-31', numAvail: 1, override: 'none', price1: 100 };
const beds24 = plainAccount({ rooms: [101, 102], range, credits: 0 });
const SECRETS = [smoobu.key, smoobu.secret, beds24.token];

const KEYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  smoobu: { key: smoobu.key, secret: smoobu.secret },
  beds24: { token: beds24.token },
};
const STARTS: Readonly<Record<string, () => Promise<FakeServer>>> = {
  smoobu: () => startFakeSmoobu({ account: smoobu, nowMs }),
  beds24: () => startFakeBeds24({ account: beds24, nowMs }),
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
