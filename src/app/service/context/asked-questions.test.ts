import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Catalogue } from '../../../read-model/catalogue/catalogue.ts';
import type { Asked } from '../../../read-model/catalogue/questions/questions.ts';
import { openQuestions, SHORT_US_MAX, TURN_US_MAX } from './asked-questions.ts';

const NOW_MS = Date.parse('2026-11-20T12:00:00Z');
const { questions } = new Catalogue({ clock: () => NOW_MS, horizonNights: 30 });
const ASKED: Asked = { asker: 'one', gone: new AbortController().signal };
const ABOUT = { city: 'Venezia', partnerId: 'acme', from: 20_777, until: 20_780, nights: 2, guests: 2 };

function open(costUs: number, askElsewhere = async (): Promise<unknown> => 'elsewhere') {
  const asked = openQuestions(
    { answer: (kind, about) => questions.answer(kind, about), costUs: () => costUs },
    () => NOW_MS,
    askElsewhere,
  );
  const ask = async () => {
    const answer: unknown = await asked.ask('days', ABOUT, () => ASKED);
    return answer instanceof Uint8Array ? 'here' : answer;
  };
  return { ...asked, ask };
}

it('a thread answers short questions for a while in each turn, and has another thread answer the rest', async () => {
  for (const costUs of [SHORT_US_MAX, SHORT_US_MAX / 5, 0]) {
    const { ask } = open(costUs);
    const hereMax = TURN_US_MAX / costUs;
    for (let turn = 0; turn < 2; turn += 1) {
      const answers = await Promise.all(Array.from({ length: 12 }, ask));
      const expected = answers.map((_, place) => (place < hereMax ? 'here' : 'elsewhere'));
      assert.deepEqual(answers, expected, String(costUs));
      await nextTurn();
    }
  }
});

it('a long question is answered elsewhere, and those that wait at the end are busy', async () => {
  const { ask } = open(SHORT_US_MAX + 1);
  assert.equal(await ask(), 'elsewhere');
  const stuck = open(SHORT_US_MAX + 1, () => new Promise(() => undefined));
  const waiting = stuck.ask();
  stuck.end();
  assert.deepEqual(await Promise.all([waiting, stuck.ask()]), ['busy', 'busy']);
});

it('without another thread all are answered here', async () => {
  const { ask } = openQuestions(questions, () => NOW_MS, undefined);
  const answers = [1, 2, 3].map(() => ask('days', ABOUT, () => ASKED));
  assert.ok(answers.every((answer) => answer instanceof Uint8Array));
});
