/**
 * Orders between the benchmark and the processes that it starts: one message in, one message back.
 */
import type { ChildProcess } from 'node:child_process';

/** `bench` tells these messages from others that go over the same line, as those of the service's own workers do. */
interface Order {
  readonly bench: 1;
  readonly id: number;
  readonly order: string;
  readonly input: unknown;
}

interface Answer {
  readonly bench: 1;
  readonly id: number;
  readonly output?: unknown;
  readonly error?: string;
}

export type OrderHandlers = Readonly<Record<string, (input: never) => unknown>>;

/**
 * Obeys the orders of the process that started this one, for as long as that one lives; then `onOrphaned` runs,
 * because nobody else will end this process.
 */
export function obeyOrders(handlers: OrderHandlers, onOrphaned: () => void = () => process.exit(0)): void {
  process.on('message', (message) => {
    if (isOurs<Order>(message)) void obey(handlers, message);
  });
  process.on('disconnect', onOrphaned);
}

async function obey(handlers: OrderHandlers, { id, order, input }: Order): Promise<void> {
  try {
    const handler = handlers[order];
    if (handler === undefined) throw new Error(`unknown order ${order}`);
    reply({ bench: 1, id, output: await handler(input as never) });
  } catch (error) {
    reply({ bench: 1, id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

function reply(answer: Answer): void {
  process.send?.(answer);
}

export type Ask = <T>(order: string, input?: unknown) => Promise<T>;

/** The other side: asks a child, and rejects everything open when it ends. */
export function openChannel(child: ChildProcess, name: string): Ask {
  const open = new Map<number, { resolve: (output: unknown) => void; reject: (error: Error) => void }>();
  let nextId = 1;
  child.on('message', (message) => {
    if (!isOurs<Answer>(message)) return;
    const { id, output, error } = message;
    const waiting = open.get(id);
    open.delete(id);
    if (error === undefined) waiting?.resolve(output);
    else waiting?.reject(new Error(`${name}: ${error}`));
  });
  child.on('exit', (code, signal) => {
    for (const { reject } of open.values()) reject(new Error(`${name} ended with ${signal ?? code}`));
    open.clear();
  });
  return <T>(order: string, input?: unknown) =>
    new Promise<T>((resolve, reject) => {
      const id = nextId++;
      open.set(id, { resolve: resolve as (output: unknown) => void, reject });
      child.send({ bench: 1, id, order, input } satisfies Order, (error) => {
        if (error !== null) reject(error);
      });
    });
}

function isOurs<T extends Order | Answer>(message: unknown): message is T {
  return typeof message === 'object' && message !== null && 'bench' in message;
}
