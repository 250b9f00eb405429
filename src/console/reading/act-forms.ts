/**
 * A form for each act of the operator: its fields, reading what was sent, and running it, all from its row in `operator/acts/`.
 * The form refuses whatever the command refuses, in the same words.
 */
import { recordAct } from '../../access/audit-trail.ts';
import type { AnyAct, Input } from '../../operator/acts/act.ts';
import type { Outcome } from '../../domain/outcome.ts';
import { inEnglish, optionOf, Wrong, type WrongValue } from '../../domain/wrong.ts';
import type { Kind } from '../../domain/document/grammar.ts';
import type { AuditedState } from '../../storage/portable-sql/program.ts';
import {
  type Acted,
  type ActOutcome,
  type ActPorts,
  type ActQuestion,
  type Mistake,
  refused,
} from './console-page.ts';
import { CONSOLE_FORMS, type ConsoleActName, formIdOf, type FormOfAct } from './console-forms.ts';
import { withPoint } from '../../supply/sheet/written-values.ts';
import type { SampleStay } from './sample-stay.ts';

type Values = Readonly<Record<string, unknown>>;

/** A field of the form of an act. */
export interface FormField {
  /** Name in the form: `expires` of `--expires <instant>`, `credentialId` of `<credential-id>`. */
  readonly name: string;
  /** Name in the act's input. */
  readonly key: string;
  readonly presence: Input<unknown>['presence'];
  readonly kind: Kind;
  readonly choices: readonly string[] | undefined;
}

/** The name of the hidden field with the value that the page showed before it was changed. */
export function nameBefore(field: string): string {
  return `was.${field}`;
}

/** The field for typing the name of what will be lost. */
export const TYPED_FIELD = 'typed';
/** The field of the second step, which confirms the form; the first step only shows the change. */
export const SURE_FIELD = 'sure';

/** In the order of the help. */
export function fieldsOf(row: AnyAct): readonly FormField[] {
  return Object.entries(row.input).map(([key, { usage, presence, value }]) => ({
    name: fieldName(usage),
    key,
    presence,
    kind: value?.kind ?? 'flag',
    choices: value?.schema['enum'] as readonly string[] | undefined,
  }));
}

/** Fields that a person fills in. */
export function askedFields({ row, given = [] }: FormOfAct): readonly FormField[] {
  return row === undefined ? [] : fieldsOf(row).filter(({ key }) => !given.includes(key));
}

/** The fields of the form as texts, as far as the record has them under the same keys. */
export function fieldTexts(form: FormOfAct, record: object): Readonly<Record<string, string>> {
  const texts = askedFields(form).flatMap(({ name, key }) => {
    const value = (record as Values)[key];
    if (value === undefined) return [];
    return [[name, Array.isArray(value) ? value.join('\n') : `${(value as string | number | null) ?? ''}`]];
  });
  return Object.fromEntries(texts) as Readonly<Record<string, string>>;
}

/** `expires` of `--expires <instant>`. */
export function fieldName(usage: string): string {
  const word = /^--([\w-]+)/.exec(usage)?.[1] ?? /[\w-]+/.exec(usage)![0];
  return word.replaceAll(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
}

/** The text sent for this field; several values or lines are on separate lines. */
export function sentText(form: URLSearchParams, field: string): string {
  return form.getAll(field).join('\n').replaceAll('\r\n', '\n');
}

/**
 * Omits fields that the person left unchanged, so that two people who change different fields undo nothing of each
 * other.
 */
export function readForm(row: AnyAct, { segments, form }: Pick<ActQuestion, 'segments' | 'form'>) {
  const mistakes: Mistake[] = [];
  const input: Record<string, unknown> = {};
  for (const field of fieldsOf(row)) {
    const { name, key } = field;
    const ofPath = segments[key];
    const text = ofPath ?? sentText(form, name);
    const isSent = ofPath !== undefined || form.has(name);
    if (isSent && sentText(form, nameBefore(name)) === text && form.has(nameBefore(name))) continue;
    const read = readField(row.input[key]!, text, isSent);
    if (read instanceof Wrong) mistakes.push({ field: name, reason: read });
    else input[key] = read;
  }
  return { input: input as Values, mistakes };
}

const EMPTY = new Wrong('empty');
const NO_TEXT = new Wrong('notText');

function readField({ presence, value, fallback }: Input<unknown>, text: string, isSent: boolean): unknown {
  if (text.includes('\0') || !text.isWellFormed()) return NO_TEXT;
  if (value === undefined) return isSent && text !== '' ? true : undefined;
  if (presence === 'repeated') return isSent ? readLines(value, text) : undefined;
  const given = text.trim();
  // As in sheets: a form is read in both languages of the console.
  if (given !== '') return value.parse(value.kind === 'decimal' ? withPoint(given) : given);
  return presence === 'required' ? EMPTY : fallback;
}

function readLines(value: NonNullable<Input<unknown>['value']>, text: string): unknown {
  const lines = text.split('\n').map((line) => line.trim());
  const read = lines.filter((line) => line !== '').map((line) => value.parse(line));
  return read.find((one) => one instanceof Wrong) ?? read;
}

/** A form as it was sent, and why it is refused: its page shows it again. */
export interface RefusedForm {
  readonly act: ConsoleActName;
  /** The path of its page. */
  readonly path: string;
  readonly form: URLSearchParams;
  /** Inputs that come from the path. */
  readonly segments: Readonly<Record<string, string>>;
  readonly problem: Wrong | undefined;
  readonly mistakes?: readonly Mistake[] | undefined;
}

/** The result of an act, for the page that shows it. */
export interface ActShown {
  readonly view: unknown;
  /** The notes that the command prints beside its answer. */
  readonly notes: readonly string[];
  readonly failed: Wrong | undefined;
  /** The fields to send again after a preview, which wrote nothing. */
  readonly sent: Readonly<Record<string, string>> | undefined;
  readonly publicUrl: string;
  /** A stay for sample requests. */
  readonly sample: SampleStay | undefined;
}

export interface ActFormOptions {
  /** False: the subject of the act does not exist. */
  readonly exists?: (ports: ActPorts, question: ActQuestion) => Promise<boolean>;
  /** The current values by field, if the form shows them for changing. */
  readonly current?: (ports: ActPorts, question: ActQuestion) => Promise<Readonly<Record<string, string>>>;
  /** Names of what will be lost: the person has to type one of them. */
  readonly typed?: (ports: ActPorts, question: ActQuestion) => Promise<readonly string[]>;
  /** The first step is a dry run. */
  readonly isPreviewed?: boolean;
  /** The answer has its own page, always or where this says so. */
  readonly isShown?: boolean | ((view: never) => boolean);
  /** Its notes lead on along the command line. */
  readonly isWithoutNotes?: boolean;
  readonly sample?: (ports: ActPorts, question: ActQuestion) => Promise<SampleStay | undefined>;
  /** The next page, from the root; default: the page of the form. */
  readonly leadsTo?: (view: never) => string;
}

/** Runs the act of a form as its command does, with the same entry in the audit trail. */
export function runForm(name: ConsoleActName, options: ActFormOptions = {}) {
  const { row, next }: FormOfAct = CONSOLE_FORMS[name];
  return async (ports: ActPorts, question: ActQuestion): Acted<ActShown> => {
    if (row === undefined || (await options.exists?.(ports, question)) === false) return undefined;
    const read = readForm(row, question);
    const mistakes = [...read.mistakes, ...(await checkState(ports, question, options))];
    if (mistakes.length > 0) return refused(undefined, mistakes);
    const isPreview = options.isPreviewed === true && !question.form.has(SURE_FIELD);
    const input = isPreview ? { ...read.input, dryRun: true } : read.input;
    const misuse = row.check?.(input);
    if (misuse !== undefined) return refuseAct(row, misuse);
    const notes: string[] = [];
    const requestKey = CONSOLE_FORMS_ONCE.has(name) ? requestKeyOf(name, question) : undefined;
    const note = (line: string): void => {
      if (options.isWithoutNotes !== true) notes.push(line);
    };
    const acts = { ...ports.acts, requestKey, note };
    const outcome = await runRow(row, { ...ports, acts }, input);
    if (!outcome.ok) return refuseAct(row, outcome.problem);
    const { value: view, failed } = outcome;
    const sent = isPreview ? Object.fromEntries(question.form) : undefined;
    const { isShown = false } = options;
    const isAsked = typeof isShown === 'boolean' ? isShown : isShown(view as never);
    const isPage = isAsked || isPreview || notes.length > 0 || failed !== undefined;
    if (isPage) {
      const { publicUrl } = ports.acts;
      const sample = await options.sample?.(ports, question);
      return { kind: 'shown', shown: { view, notes, failed, sent, publicUrl, sample } };
    }
    const path = options.leadsTo?.(view as never);
    const made = typeof next === 'object' && { [next.field]: String((view as Values)[next.field]) };
    return { kind: 'done', query: { did: name, ...made }, view, ...(path !== undefined && { path }) };
  };
}

const CONSOLE_FORMS_ONCE: ReadonlySet<string> = new Set(
  Object.entries<FormOfAct>(CONSOLE_FORMS).flatMap(([name, { isOnce }]) => (isOnce === true ? [name] : [])),
);

/** One page has a form for each subject, all with the same id. */
function requestKeyOf(name: string, { segments, form }: ActQuestion): string | undefined {
  const formId = formIdOf(form);
  const subject = { ...segments, credentialId: form.get('credentialId') };
  return formId === undefined ? undefined : `${formId} ${name} ${JSON.stringify(subject)}`;
}

/** In the audit trail as the command has it; a dry run is not. */
async function runRow(
  row: AnyAct,
  { acts, signed }: Pick<ActPorts, 'acts' | 'signed'>,
  input: Values,
): Promise<Outcome<unknown>> {
  const { audit } = row;
  if (typeof audit === 'string') return row.run({ ...acts, storage: { ...acts.storage, ...signed } }, input);
  if (input['dryRun'] === true) return row.run(acts, input);
  return recordAct(
    signed,
    storable(audit(input)),
    (tell) => row.run({ ...acts, tell }, input),
    recordedOutcome,
  );
}

function recordedOutcome(outcome: Outcome<unknown>): AuditedState {
  if (!outcome.ok) return { refused: inEnglish(outcome.problem) };
  const { outcome: came, changed } = (outcome.value ?? {}) as Readonly<Record<string, AuditedState>>;
  if (came !== undefined) return { outcome: came };
  return changed === undefined ? 'done' : { changed };
}

/** Characters: longer than any id with two dates. */
const SUBJECT_LENGTH_MAX = 400;

/** Any typed text, in a form that every database can store. */
function storable(text: string): string {
  return text.slice(0, SUBJECT_LENGTH_MAX).toWellFormed().replaceAll('\0', '');
}

/** A reason that is about an option belongs to its field. */
function refuseAct(row: AnyAct, problem: Wrong): ActOutcome<never> {
  const option = optionOf(problem);
  const field = option === undefined ? undefined : fieldName(`--${option}`);
  const isField = fieldsOf(row).some(({ name }) => name === field);
  return field !== undefined && isField ? refused(undefined, [{ field, reason: problem }]) : refused(problem);
}

function oneOf([first = '', ...others]: readonly string[]): WrongValue {
  return others.reduce<WrongValue>((one, other) => new Wrong('oneOrOther', { one, other }), first);
}

/** Values that were changed meanwhile, and a typed name that does not match. */
async function checkState(
  ports: ActPorts,
  question: ActQuestion,
  options: ActFormOptions,
): Promise<Mistake[]> {
  const { form } = question;
  const mistakes: Mistake[] = [];
  for (const [field, now] of Object.entries((await options.current?.(ports, question)) ?? {})) {
    if (!form.has(field) || !form.has(nameBefore(field))) continue;
    const before = sentText(form, nameBefore(field));
    const text = sentText(form, field);
    if (text !== before && before !== now && text !== now) mistakes.push({ field, now });
  }
  const names = await options.typed?.(ports, question);
  const typed = (form.get(TYPED_FIELD) ?? '').trim();
  if (names !== undefined && !names.includes(typed))
    mistakes.push({
      field: TYPED_FIELD,
      reason: new Wrong('notTyped', { names: oneOf(names.map((one) => JSON.stringify(one))) }),
    });
  return mistakes;
}
