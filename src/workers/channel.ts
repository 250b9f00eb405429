/** Questions, answers and news between the thread that started a worker and the worker, over the port of that thread. */

/** One end of the port: the `Worker` itself, or `parentPort` in it. */
export interface Port {
  postMessage(message: Message): void;
  on(event: 'message', take: (message: Message) => void): unknown;
}

type Message =
  | { readonly ask: string; readonly id: number }
  | { readonly answerTo: number; readonly value: unknown }
  | { readonly refusalTo: number; readonly problem: string }
  | { readonly news: string; readonly about: unknown };

export interface Channel {
  /** Rejects when the other end refuses, or was told to be gone; one that only is silent is the asker's to judge. */
  ask(question: string): Promise<unknown>;
  /** From now on answers such questions. */
  answer(question: string, give: () => unknown): void;
  tell(news: string, about?: unknown): void;
  /** From now on takes such news. */
  hear(news: string, take: (about: unknown) => void): void;
  /** The other end is gone: nobody waits for it any longer. */
  close(): void;
}

type Pending = Pick<PromiseWithResolvers<unknown>, 'resolve' | 'reject'>;

export function openChannel(port: Port): Channel {
  const givers = new Map<string, () => unknown>();
  const takers = new Map<string, (about: unknown) => void>();
  const pending = new Map<number, Pending>();
  let lastId = 0;
  let isClosed = false;

  function settle(id: number): Pending | undefined {
    const asker = pending.get(id);
    pending.delete(id);
    return asker;
  }

  async function giveAnswer(id: number, question: string): Promise<void> {
    try {
      const give = givers.get(question);
      if (give === undefined) throw new Error(`nobody answers "${question}" yet`);
      port.postMessage({ answerTo: id, value: await give() });
    } catch (error) {
      port.postMessage({ refusalTo: id, problem: error instanceof Error ? error.message : String(error) });
    }
  }

  port.on('message', (message) => {
    if ('ask' in message) void giveAnswer(message.id, message.ask);
    else if ('news' in message) takers.get(message.news)?.(message.about);
    else if ('answerTo' in message) settle(message.answerTo)?.resolve(message.value);
    else settle(message.refusalTo)?.reject(new Error(message.problem));
  });
  return {
    async ask(question) {
      if (isClosed) throw new Error('the other thread is gone');
      lastId += 1;
      const asker = Promise.withResolvers<unknown>();
      pending.set(lastId, asker);
      port.postMessage({ ask: question, id: lastId });
      return await asker.promise;
    },
    answer: (question, give) => void givers.set(question, give),
    hear: (news, take) => void takers.set(news, take),
    tell: (news, about) => port.postMessage({ news, about }),
    close() {
      isClosed = true;
      for (const { reject } of pending.values()) reject(new Error('the other thread is gone'));
      pending.clear();
    },
  };
}
