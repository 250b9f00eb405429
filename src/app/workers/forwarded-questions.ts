/** Long questions on their way from a worker to the thread that keeps the reader. */
import {
  type Asked,
  type AskElsewhere,
  type Question,
  withOwnBytes,
} from '../../read-model/catalogue/questions/questions.ts';
import type { Channel } from './channel.ts';

interface Forwarded {
  /** The worker counts its questions. */
  readonly number: number;
  readonly question: Question;
  readonly asker: Asked['asker'];
}

const ASK = 'long question';
const DROP = 'drop long question';

/** The worker's side. */
export function askThrough(channel: Channel): AskElsewhere {
  let number = 0;
  return async (question, { asker, gone }) => {
    const forwarded: Forwarded = { number: ++number, question, asker };
    const drop = (): void => channel.emit(DROP, forwarded.number);
    gone.addEventListener('abort', drop, { once: true });
    try {
      return await channel.ask(ASK, forwarded);
    } finally {
      gone.removeEventListener('abort', drop);
    }
  };
}

/** The other side; returns how to drop what a worker asked that has ended. */
export function forwardQuestions(channel: Channel, ask: AskElsewhere): () => void {
  const waiting = new Map<number, AbortController>();
  channel.hand(ASK, async (about) => {
    const { number, question, asker } = about as Forwarded;
    const gone = new AbortController();
    waiting.set(number, gone);
    try {
      return withOwnBytes(await ask(question, { asker, gone: gone.signal }));
    } finally {
      waiting.delete(number);
    }
  });
  const drop = (number: number): void => waiting.get(number)?.abort('dropped');
  channel.on(DROP, (number) => drop(number as number));
  return () => [...waiting.keys()].forEach(drop);
}
