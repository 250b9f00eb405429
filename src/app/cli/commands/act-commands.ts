/** Commands of acts: arguments, options, help and output all come from the acts' rows. */
import { inEnglish, Wrong } from '../../../domain/wrong.ts';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Argument, type Command, Option } from 'commander';
import type { TellChange } from '../../../access/audit-trail.ts';
import type { ActPorts, AnyAct, Input } from '../../../operator/acts/act.ts';
import { done, type Outcome, refuse } from '../../../domain/outcome.ts';
import { randomMessageIds } from '../../../storage/supply/message-id.ts';
import type { Storage } from '../../../storage/storage.ts';
import { makeSiteDesk, type RemakePng } from '../../settings/site-desk.ts';
import { example } from '../terminal/example.ts';
import { CommandFailure, unwrap } from '../terminal/failure.ts';
import { collect, typed } from '../terminal/option-values.ts';
import { formatFields, formatTable } from '../terminal/readable.ts';
import { type Session, settingsInForce } from '../terminal/session.ts';

type Fields = Parameters<typeof formatFields>[0];
type InputValues = Readonly<Record<string, unknown>>;

/** The act of each command made here, and how to read its input. */
const madeOf = new WeakMap<Command, { readonly row: AnyAct; readonly read: () => InputValues }>();

/** Adds the acts as subcommands, in the order of the help. */
export function addActs(rows: readonly AnyAct[]): (command: Command, session: Session) => void {
  return (command, session) => {
    for (const row of rows) {
      const words = row.name.split(' ').slice(1);
      const name = words.pop()!;
      configureAct(row)(findWithin(command, words).command(name).description(row.about), session);
    }
  };
}

/** `console passkeys end` is a subcommand of `console passkeys`, whose row comes first. */
function findWithin(command: Command, words: readonly string[]): Command {
  return words.reduce((parent, word) => parent.commands.find((own) => own.name() === word)!, command);
}

/** Configures a command that already has its description. */
export function configureAct(row: AnyAct): (command: Command, session: Session) => void {
  return (command, session) => {
    const readers = Object.entries(row.input).map(
      ([name, input]) => [name, addInput(command, input)] as const,
    );
    const read = (): InputValues => Object.fromEntries(readers.map(([name, own]) => [name, own()]));
    madeOf.set(command, { row, read });
    command.addHelpText('after', example(...row.examples)).action(async () => {
      const input = read();
      const misuse = row.check?.(input);
      if (misuse !== undefined) command.error(inEnglish(misuse));
      const run = async (storage: Storage, tell: TellChange): Promise<Outcome<unknown>> =>
        row.run({ ...(await portsOf(session, storage)), tell }, input);
      const outcome = await session.withStorage(run);
      const view = unwrap(outcome);
      session.answer(row.document?.(view) ?? view, () => formatView(row, view, input));
      if (outcome.ok && outcome.failed !== undefined) throw new CommandFailure(inEnglish(outcome.failed));
    });
  };
}

/** For a command that is an act: its entry in the audit trail, from its input as typed. */
export function auditOf(command: Command): 'reads' | 'signed' | (() => string) | undefined {
  const made = madeOf.get(command);
  if (made === undefined) return undefined;
  const { audit } = made.row;
  return typeof audit === 'string' ? audit : () => audit(made.read());
}

/** Stands for null, of which commander makes an empty text. */
const CLEARED = Symbol('cleared');

/** Returns the reader of the input, for use once the command is parsed. */
function addInput(
  command: Command,
  { presence, usage, about, value, fallback }: Input<unknown>,
): () => unknown {
  if (!usage.startsWith('-')) {
    const index = command.registeredArguments.length;
    command.addArgument(new Argument(usage, about));
    return () => command.processedArgs[index];
  }
  const option = new Option(usage, about);
  const parse = value && typed(value, option.long);
  if (parse !== undefined && presence === 'repeated') option.argParser(collect(parse));
  else if (parse !== undefined) option.argParser((text) => parse(text) ?? CLEARED);
  if (fallback !== undefined) option.default(fallback);
  command.addOption(option.makeOptionMandatory(presence === 'required'));
  return () => {
    const given: unknown = command.opts()[option.attributeName()];
    // Without its `--no-` a flag is on, as commander has it.
    if (option.negate) return given === false ? true : undefined;
    return given === CLEARED ? null : given;
  };
}

function formatView({ print }: AnyAct, view: unknown, input: InputValues): string {
  if (typeof print === 'function') return print(view, input);
  if (print === 'fields') return formatFields({ ...(view as Fields) });
  if ('below' in print) return `${formatFields({ ...(view as Fields) })}\n\n${print.below}`;
  const rows = view as readonly Fields[];
  const cells = print.cells as ((row: Fields) => Fields) | undefined;
  return formatTable(print.columns, cells === undefined ? rows : rows.map(cells), print.empty);
}

/** Most commands do not need it. */
const remakeLogo: RemakePng = async (bytes) =>
  (await import('../../service/pictures/remade-logo.ts')).remakeLogo(bytes);

/** Longer than any key. */
const SECRET_BYTES_MAX = 16 * 1024;

async function readSecret(file: string | undefined): Promise<Outcome<string>> {
  try {
    const bytes = file === undefined || file === '-' ? await readAll(process.stdin) : await readFile(file);
    return bytes.length > SECRET_BYTES_MAX ? refuse(new Wrong('secretLong')) : done(bytes.toString('utf8'));
  } catch (error) {
    const wrong = new Wrong('fileUnreadable', {
      code: (error as NodeJS.ErrnoException).code ?? String(error),
    });
    return refuse(new Wrong('ofFile', { file: file ?? '-', wrong }));
  }
}

async function readAll(input: AsyncIterable<Buffer | string>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of input) {
    chunks.push(Buffer.from(chunk));
    sizeBytes += chunks.at(-1)!.length;
    if (sizeBytes > SECRET_BYTES_MAX) break;
  }
  return Buffer.concat(chunks);
}

/** The ports that acts use in a command. */
export async function portsOf(session: Session, storage: Storage): Promise<ActPorts> {
  const settings = await settingsInForce(session, storage);
  const { clock, random } = session;
  return {
    ...settings,
    storage,
    clock,
    random,
    site: makeSiteDesk(session.settings(), remakeLogo),
    tell: () => undefined,
    note: (line) => session.note(line),
    holder: randomUUID(),
    newMessageId: randomMessageIds(random),
    fetching: { allowsPrivate: settings.icalAllowPrivate },
    inTurn: (_, work) => work(),
    readSecret,
  };
}
