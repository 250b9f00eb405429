/** Questions, answers and news between the primary process and one worker, over the line that Node gives them. */

/** The line: both ends of `node:cluster` have it. */
export interface Wire {
  /** `sent` is called when the message is on its way, or when the other end is gone. */
  send(message: Message, sent?: () => void): void;
  onMessage(take: (message: unknown) => void): void;
  onClose(take: () => void): void;
}

/** `stayport` tells our messages from those that others send over the same line. */
export type Message = { readonly stayport: 1 } & (
  | { readonly ask: string; readonly id: number; readonly about: unknown }
  | { readonly answerTo: number; readonly value: unknown }
  | { readonly refusalTo: number; readonly problem: string }
  | { readonly news: string; readonly about: unknown }
);

export interface Channel {
  /** Rejects when the other end refuses or goes away; an end that only is silent is the asker's to judge. */
  ask(question: string, about?: unknown): Promise<unknown>;
  /** From now on answers such questions. An answer that is there at once is sent at once. */
  answer(question: string, give: (about: unknown) => unknown): void;
  tell(news: string, about?: unknown, sent?: () => void): void;
  /** From now on takes such news. */
  hear(news: string, take: (about: unknown) => void): void;
}

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export function openChannel(wire: Wire): Channel {
  const givers = new Map<string, (about: unknown) => unknown>();
  const takers = new Map<string, (about: unknown) => void>();
  const pending = new Map<number, Pending>();
  let lastId = 0;
  let isClosed = false;

  function receive(message: Message): void {
    if ('ask' in message) void giveAnswer(message.id, message.ask, message.about);
    else if ('news' in message) takers.get(message.news)?.(message.about);
    else if ('answerTo' in message) settle(message.answerTo)?.resolve(message.value);
    else settle(message.refusalTo)?.reject(new Error(message.problem));
  }

  function settle(id: number): Pending | undefined {
    const asker = pending.get(id);
    pending.delete(id);
    return asker;
  }

  async function giveAnswer(id: number, question: string, about: unknown): Promise<void> {
    try {
      const give = givers.get(question);
      if (give === undefined) throw new Error(`nobody answers "${question}" yet`);
      const value = give(about);
      wire.send({ stayport: 1, answerTo: id, value: value instanceof Promise ? await value : value });
    } catch (error) {
      wire.send({
        stayport: 1,
        refusalTo: id,
        problem: error instanceof Error ? error.message : String(error),
      });
    }
  }

  wire.onMessage((message) => {
    if (isOurs(message)) receive(message);
  });
  wire.onClose(() => {
    isClosed = true;
    for (const { reject } of pending.values()) reject(new Error('the other process is gone'));
    pending.clear();
  });
  return {
    async ask(question, about) {
      if (isClosed) throw new Error('the other process is gone');
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject });
        wire.send({ stayport: 1, ask: question, id, about });
      });
    },
    answer: (question, give) => void givers.set(question, give),
    hear: (name, take) => void takers.set(name, take),
    tell(name, about, sent) {
      wire.send({ stayport: 1, news: name, about }, sent);
    },
  };
}

function isOurs(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && 'stayport' in message;
}
