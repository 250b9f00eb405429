/** The database as one process reaches it: call by call on SQLite, statement by statement on PostgreSQL. */
import { concernStores } from '../../src/storage/concerns/concerns.ts';
import { latestOf } from '../../src/storage/engine/migrations.ts';
import { SQLITE_SCHEMA } from '../../src/storage/engine/sqlite/migrate.ts';
import type { Author, Program, SignableRunner, Step, Write } from '../../src/storage/portable-sql/program.ts';
import { holdNewFields } from '../../src/storage/new-fields.ts';
import { sign, signed } from '../../src/storage/portable-sql/signed.ts';
import type { Storage } from '../../src/storage/storage.ts';
import type { Process } from './scheduler.ts';
import { ask, type Network, reachWhole } from './truth.ts';

/** What PostgreSQL's own files do stays one statement or one transaction there; so it is done at one moment. */
export function reach(network: Network, process: Process): Storage {
  const whole = reachWhole(network, process);
  const reached =
    network.engine === 'SQLite' ? whole : { ...whole, ...concernStores(makeRunner(network, process)) };
  return holdNewFields(reached, process.wallMs);
}

function makeRunner(network: Network, process: Process, author?: Author): SignableRunner {
  const { postgres } = network.truth;
  const askFor = (call: () => unknown): Promise<unknown> =>
    ask(network, process, { name: 'read', args: [], call });
  const read = <T>(program: Program<T>): Promise<T> =>
    runSteps(program, (step) => askFor(() => postgres.read(step)));
  return {
    read,
    follow: read,
    async write<Args extends readonly unknown[], T>(
      write: Write<string, Args, T>,
      ...args: Args
    ): Promise<T> {
      const transaction = postgres.begin(process);
      const program = signed(write.program(...args), author && sign(author, process.wallMs));
      try {
        const { result, isCommitted } = await runSteps(program, (step) =>
          askFor(() => transaction.execute(step)),
        );
        const end = (): T => {
          transaction.end(isCommitted);
          return result;
        };
        await ask(network, process, { name: isCommitted ? write.name : 'read', args, call: end });
        return result;
      } finally {
        // Its connection is lost, or the client gave up; after an end it has no meaning.
        transaction.break();
      }
    },
    daysAtOnce: Infinity,
    knows: latestOf(SQLITE_SCHEMA),
    asAuthor: (signer) => makeRunner(network, process, signer),
  };
}

/** Each statement is answered by `answer`; notes that nobody signed are dropped. */
export async function runSteps<T>(program: Program<T>, answer: (step: Step) => Promise<unknown>): Promise<T> {
  let step = program.next();
  while (step.done !== true) {
    const { value } = step;
    step = program.next(value.kind === 'note' ? undefined : await answer(value));
  }
  return step.value;
}
