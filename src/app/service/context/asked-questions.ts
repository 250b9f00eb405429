/**
 * Questions of partners that may take long: a serving thread answers those that are short, one in each turn of its event
 * loop, and has the machine's reader thread answer all others.
 */
import type { Questions } from '../../../read-model/catalogue/answer-questions.ts';
import type { AnswerTo, Ask, Asked, AskElsewhere, Question } from '../../../read-model/catalogue/questions.ts';
import type { Clock } from '../../../runtime/clock.ts';

/** Other requests of the thread wait for so long, in microseconds, about. */
export const SHORT_US_MAX = 500;

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
  const ended = Promise.withResolvers<'busy'>();
  let isEnded = false;
  let isTurnTaken = false;

  function takeTurn(): boolean {
    if (isTurnTaken) return false;
    isTurnTaken = true;
    setImmediate(() => (isTurnTaken = false));
    return true;
  }

  const askReader = (question: Question, asked: Asked): Promise<unknown> => {
    return isEnded ? ended.promise : Promise.race([askElsewhere!(question, asked), ended.promise]);
  };
  return {
    ask: (kind, about, asked) => {
      if (askElsewhere === undefined) return questions.answer(kind, about);
      if (questions.costUs(kind, about) <= SHORT_US_MAX && takeTurn()) return questions.answer(kind, about);
      return askReader({ kind, about, nowMs: clock() }, asked()) as Promise<AnswerTo<typeof kind> | 'busy'>;
    },
    end() {
      isEnded = true;
      ended.resolve('busy');
    },
  };
}
