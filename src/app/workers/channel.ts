/** Questions, answers and events between a worker and the thread that started it. */
import type { Transferable } from 'node:worker_threads';
import { type Answer, answerCall, type Call, OpenCalls, type Reply } from '../../runtime/job-thread.ts';

/** One end of the port: the `Worker` itself, or `parentPort` in it. */
export interface Port {
  postMessage(message: Message, transfer?: readonly Transferable[]): void;
  on(event: 'message', take: (message: Message) => void): unknown;
}

interface Question {
  readonly question: string;
  readonly about: unknown;
}

type Message = Call<Question> | Reply | { readonly event: string; readonly about: unknown };

export interface Channel {
  /** Rejects when the other end refuses or has ended; the caller sets its own time limit. */
  ask(question: string, about?: unknown): Promise<unknown>;
  /** Answers such questions from now on. */
  answer(question: string, give: (about: unknown) => unknown): void;
  /** The same, with memory that goes to the other end. */
  hand(question: string, give: (about: unknown) => Answer | Promise<Answer>): void;
  emit(event: string, about?: unknown): void;
  /** Takes such events from now on. */
  on(event: string, take: (about: unknown) => void): void;
  /** The other end has ended: rejects waiting calls. */
  close(): void;
}

export function openChannel(port: Port): Channel {
  const givers = new Map<string, (about: unknown) => Answer | Promise<Answer>>();
  const takers = new Map<string, (about: unknown) => void>();
  const calls = new OpenCalls();
  let isClosed = false;

  function answer({ question, about }: Question): Answer | Promise<Answer> {
    const give = givers.get(question);
    if (give === undefined) throw new Error(`there is no handler for "${question}" yet`);
    return give(about);
  }

  port.on('message', (message) => {
    if ('call' in message) void answerCall(port, message, { answer });
    else if ('event' in message) takers.get(message.event)?.(message.about);
    else calls.settle(message);
  });
  return {
    async ask(question, about) {
      if (isClosed) throw new Error('the other thread has ended');
      return await calls.open({ question, about }, (call) => port.postMessage(call));
    },
    answer: (question, give) => void givers.set(question, async (about) => ({ result: await give(about) })),
    hand: (question, give) => void givers.set(question, give),
    on: (event, take) => void takers.set(event, take),
    emit: (event, about) => port.postMessage({ event, about }),
    close() {
      isClosed = true;
      calls.rejectAll(new Error('the other thread has ended'));
    },
  };
}
