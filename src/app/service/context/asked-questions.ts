/**
 * Questions of partners that may take long: a serving thread answers those that are short, one in each turn of its event
 * loop, and has the machine's reader thread answer all others.
 */
import type { Questions } from '../../../read-model/catalogue/questions/answer-questions.ts';
import type {
  AnswerTo,
  Ask,
  Asked,
  AskElsewhere,
  Question,
} from '../../../read-model/catalogue/questions/questions.ts';
import type { Clock } from '../../../runtime/clock.ts';

/** Other requests of the thread wait for so long, in microseconds, about. */
export const SHORT_US_MAX = 750;

export interface AskedQuestions {
  readonly ask: Ask;
  /** Questions that wait elsewhere, and all later ones, are `busy`. */
  end(): void;
}

/** Without `askElsewhere` all are answered here. */
export function openQuestions(
  questions: Pick<Questions, 'answer' | 'costUs'>,
  clock: Clock,
  askElsewhere: AskElsewhere | undefined,
): AskedQuestions {
  const waiting = new Set<(busy: 'busy') => void>();
  let isEnded = false;
  let isTurnTaken = false;

  function takeTurn(): boolean {
    if (isTurnTaken) return false;
    isTurnTaken = true;
    setImmediate(() => (isTurnTaken = false));
    return true;
  }

  async function askReader(ask: AskElsewhere, question: Question, asked: Asked): Promise<unknown> {
    if (isEnded) return 'busy';
    const { promise, resolve } = Promise.withResolvers<'busy'>();
    waiting.add(resolve);
    try {
      return await Promise.race([ask(question, asked), promise]);
    } finally {
      waiting.delete(resolve);
    }
  }

  return {
    ask(kind, about, asked) {
      if (askElsewhere === undefined) return questions.answer(kind, about);
      if (questions.costUs(kind, about) <= SHORT_US_MAX && takeTurn()) return questions.answer(kind, about);
      const question = { kind, about, nowMs: clock() };
      return askReader(askElsewhere, question, asked()) as Promise<AnswerTo<typeof kind> | 'busy'>;
    },
    end() {
      isEnded = true;
      for (const resolve of waiting) resolve('busy');
    },
  };
}
