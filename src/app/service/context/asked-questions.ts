/**
 * Questions of partners that may take long: a serving thread answers those that are short, some in each turn of its
 * event loop, and has the machine's reader thread answer all others.
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

/** A question that takes longer, in microseconds, is not short. */
export const SHORT_US_MAX = 750;
/** Other requests of the thread wait for so long in a turn, about. */
export const TURN_US_MAX = 2 * SHORT_US_MAX;

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
  /** Estimates of what was answered in this turn. */
  let takenUs = 0;

  function takeTurn(costUs: number): boolean {
    if (costUs > SHORT_US_MAX || takenUs + costUs > TURN_US_MAX) return false;
    if (takenUs === 0) setImmediate(() => (takenUs = 0));
    takenUs += costUs;
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
      if (takeTurn(questions.costUs(kind, about))) return questions.answer(kind, about);
      const question = { kind, about, nowMs: clock() };
      return askReader(askElsewhere, question, asked()) as Promise<AnswerTo<typeof kind> | 'busy'>;
    },
    end() {
      isEnded = true;
      for (const resolve of waiting) resolve('busy');
    },
  };
}
