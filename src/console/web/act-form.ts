/** The form of an act: its fields, which derive from the act's row, the errors in them, and the outcome. */
import { reasonAlone } from './reason-text.ts';
import {
  askedFields,
  type ActShown,
  fieldName,
  type FormField,
  nameBefore,
  sentText,
} from '../reading/act-forms.ts';
import { type RefusedForm, SURE_FIELD, TYPED_FIELD } from '../reading/act-forms.ts';
import type { Mistake } from '../reading/console-page.ts';
import {
  CONSOLE_FORMS,
  type ConsoleActName,
  FORM_ID_FIELD,
  type FormOfAct,
} from '../reading/console-forms.ts';
import { NAME_LENGTH_MAX, withQuery } from '../reading/paths.ts';
import { parseLocalDate } from '../../domain/local-date.ts';
import { breakable, type Content, type Html, html } from '../../http/html/html.ts';
import * as elements from './elements.ts';
import type { ActFormParts, PageView } from './elements.ts';
import type { MainAct, PageParts, TypedText } from './frame.ts';

type Texts = Readonly<Record<string, string>>;

export interface FilledParts extends Omit<ActFormParts, 'inputs' | 'isTall'> {
  /** Values of the fields that a person fills in, by name; several values are on separate lines. */
  readonly values?: Texts;
  /** For a form that changes stored values: those at the time when the page was made. */
  readonly before?: Texts;
  /** Values with their names, if the page knows them. */
  readonly choices?: Readonly<Record<string, readonly (readonly [value: string, text: string])[]>>;
  /** Stands above the choices of a field, by its name. */
  readonly above?: Readonly<Record<string, Content>>;
  /** Distinguishes forms of the same act on one page. */
  readonly key?: string;
  readonly mistakes?: readonly Mistake[];
  /** On one line, without hints: for a cell of a table. */
  readonly isShort?: boolean;
  /** Inputs that come from the path. */
  readonly ofPath?: readonly string[];
  /** Its first field has the focus when the page opens. */
  readonly hasFocus?: boolean;
  /** Fields of the page's own, before those of the act. */
  readonly own?: Content;
}

/**
 * The form of an act on the page at `path`; nothing for roles that may not use it. The form that was sent and is refused
 * has what was typed, and what is wrong.
 */
export function filledForm(
  view: PageView,
  act: ConsoleActName,
  path: string,
  given: FilledParts = {},
): Html | '' {
  const refused = findRefused(view, act, path, given);
  const parts = refused === undefined ? given : asTyped(act, given, refused);
  const {
    values = {},
    before = {},
    choices,
    above,
    key,
    mistakes = [],
    ofPath = [],
    fields = {},
    isShort = false,
    hasFocus = false,
    own,
    ...rest
  } = parts;
  const shown = shownFields(act, { ofPath, fields });
  const hidden = Object.entries(before).map(([name, text]) => [nameBefore(name), text] as const);
  const about = { act, values, choices, above, key, mistakes };
  const first = mistakes.find(({ field }) => shown.some(({ name }) => name === field))?.field;
  const focused = first ?? (hasFocus && refused === undefined ? shown[0]?.name : undefined);
  const inputs = shown.map((field) =>
    isShort
      ? shortField(view, field, { ...about, hasFocus: field.name === focused })
      : fieldOf(view, field, { ...about, hasFocus: field.name === focused }),
  );
  return elements.actForm(view, act, path, {
    ...rest,
    fields: { ...fields, ...Object.fromEntries(hidden) },
    inputs: [refused && refusalNote(view, refused, { shown, key }), own, inputs],
    isTall: !isShort,
  });
}

/** Fields that a person fills in, of those of the act. */
function shownFields(act: ConsoleActName, { ofPath = [], fields = {} }: FilledParts): readonly FormField[] {
  const asked = askedFields(CONSOLE_FORMS[act]).filter(
    (field) => !ofPath.includes(field.key) && !(field.name in fields),
  );
  return isTyped(act) ? [...asked, typedField()] : asked;
}

/** The refused form, if it is this one: hidden fields distinguish those of the same act on a page. */
function findRefused(
  { refused }: PageView,
  act: ConsoleActName,
  path: string,
  { fields = {}, orElse }: FilledParts,
): RefusedForm | undefined {
  if (refused === undefined || refused.path !== path) return undefined;
  if (refused.act !== act && refused.act !== orElse) return undefined;
  const isSame = Object.entries(fields).every(([name, value]) => refused.form.get(name) === value);
  return isSame ? refused : undefined;
}

/** The parts with what was typed. A value that somebody else changed meanwhile becomes the one to compare with. */
function asTyped(act: ConsoleActName, parts: FilledParts, refused: RefusedForm): FilledParts {
  const { form, mistakes = [] } = refused;
  const names = shownFields(act, parts).map(({ name }) => name);
  const meanwhile = new Map(mistakes.flatMap(({ field, now }) => (now === undefined ? [] : [[field, now]])));
  const before = names
    .filter((name) => form.has(nameBefore(name)))
    .map((name) => [name, meanwhile.get(name) ?? sentText(form, nameBefore(name))] as const);
  const formId = form.get(FORM_ID_FIELD);
  return {
    ...parts,
    fields: { ...parts.fields, ...(formId !== null && { [FORM_ID_FIELD]: formId }) },
    values: Object.fromEntries(names.map((name) => [name, sentText(form, name)])),
    before: Object.fromEntries(before),
    mistakes,
  };
}

/** Marks the refused form of a page. Typed text has its quotes escaped in HTML, so it never matches. */
export const REFUSAL_MARK = /<div\s[^<>]*\sdata-refused[\s>]/;

/** Why the form is refused, with a link to each field that is wrong. */
function refusalNote(
  view: PageView,
  { act, problem, mistakes = [] }: RefusedForm,
  { shown, key }: { readonly shown: readonly FormField[]; readonly key: string | undefined },
): Html {
  const { forms } = view.messages;
  const isShown = ({ field }: Mistake): boolean => shown.some(({ name }) => name === field);
  const links = mistakes
    .filter(isShown)
    .map(
      (mistake) =>
        html`<li>
          <a href="#${idOf(act, key, mistake.field)}">${labelOf(view, mistake.field, act)}</a>:
          ${reasonText(view, mistake)}
        </li> `,
    );
  const others = mistakes.filter((mistake) => !isShown(mistake));
  const focus = links.length === 0 && html` tabindex="-1" autofocus`;
  return html`<div class="bad" role="alert" data-refused${focus}>
    ${problem !== undefined && html`<p data-reason>${withLabels(view, reasonAlone(view, problem))}</p>`}
    ${others.map((mistake) => html`<p>${labelOf(view, mistake.field)}: ${reasonText(view, mistake)}</p>`)}
    ${
      links.length > 0 &&
      html`<p>${forms.mistakes}</p>
        <ul>
          ${links}
        </ul>`
    }
  </div>`;
}

/** The part of a page's address that opens one of its folded forms. */
export const OPENED_FORM = 'form';

/** The same form, folded under a line that opens it. */
export function foldedForm(
  view: PageView,
  act: ConsoleActName,
  path: string,
  parts: FilledParts = {},
): Content {
  const hasFocus = view.opened === act && parts.key === undefined;
  const isOpen = hasFocus || findRefused(view, act, path, parts) !== undefined;
  const form = filledForm(view, act, path, { ...parts, hasFocus });
  return (
    form !== '' &&
    html`<details ${isOpen && html`open`}>
      <summary>${view.messages.acts[act]}</summary>
      ${form}
    </details>`
  );
}

/** The main act of the page at `path`, whose folded form it opens; undefined for roles that may not use it. */
export function formAct(view: PageView, act: ConsoleActName, path: string): MainAct | undefined {
  if (!elements.mayUse(view, act)) return undefined;
  return { path: withQuery(path, { [OPENED_FORM]: act }), text: view.messages.acts[act] };
}

/** The main act of a page that shows it: leads to the part `id`; undefined for roles that may not use it. */
export function inPageAct(
  view: PageView,
  act: ConsoleActName,
  id: string,
  text: string,
): MainAct | undefined {
  if (!elements.mayUse(view, act)) return undefined;
  return { path: `#${id}`, text, isInPage: true };
}

function isTyped(act: ConsoleActName): boolean {
  return act === 'property-withdraw';
}

function typedField(): FormField {
  return { name: TYPED_FIELD, key: '', presence: 'required', kind: 'text', choices: undefined };
}

function shortField(
  view: PageView,
  { name }: FormField,
  { act, values, key, mistakes = [], hasFocus }: FieldParts,
): Html {
  const isWrong = mistakes.some(({ field }) => field === name);
  const value = values[name] ?? '';
  return html`<label
    >${labelOf(view, name)}
    <input
      id="${idOf(act, key, name)}"
      name="${name}"
      value="${value}"
      size="4"
      ${isWrong && html`aria-invalid="true"`}
      ${hasFocus && html`autofocus`}
  /></label> `;
}

interface FieldParts {
  readonly act: ConsoleActName;
  readonly values: Texts;
  readonly choices: FilledParts['choices'] | undefined;
  readonly above: FilledParts['above'] | undefined;
  readonly key: string | undefined;
  readonly mistakes: readonly Mistake[] | undefined;
  readonly hasFocus: boolean;
}

function idOf(act: string, key: string | undefined, name: string): string {
  return [act, key, name].filter((part) => part !== undefined).join('-');
}

/** With its label above, its hint below and its error beside it. */
function fieldOf(
  view: PageView,
  field: FormField,
  { act, values, choices, above, key, mistakes = [], hasFocus }: FieldParts,
): Html {
  const { name } = field;
  const id = idOf(act, key, name);
  const hint = hintOf(view, act, name);
  const wrong = mistakes.filter((mistake) => mistake.field === name);
  const described = [hint !== undefined && `${id}-hint`, wrong.length > 0 && `${id}-wrong`]
    .filter(Boolean)
    .join(' ');
  const aria = html`${described !== '' && html` aria-describedby="${described}"`}${wrong.length > 0 && html` aria-invalid="true"`}`;
  const focus = hasFocus && html` autofocus`;
  const offered = choices?.[name] ?? field.choices?.map((value) => [value, value] as const);
  const input = {
    id,
    name,
    text: values[name] ?? '',
    aria,
    focus,
    isRequired: field.presence === 'required',
  };
  const label = labelOf(view, name, act);
  const below = html`${hint !== undefined && html`<small id="${id}-hint">${hint}</small>`}
  ${wrong.map((mistake) => html`<p class="wrong" id="${id}-wrong">${reasonText(view, mistake)}</p>`)}`;
  if (field.presence === 'repeated' && offered !== undefined)
    return html`<fieldset class="field" id="${id}" ${aria}>
      <legend>${label}</legend>
      ${above?.[name]} ${checkboxes(input, offered)} ${below}
    </fieldset> `;
  const control = offered === undefined ? inputOf(field, input) : selectOf(field, input, offered);
  return html`<div class="field"><label for="${id}">${label}</label> ${control} ${below}</div> `;
}

interface InputParts {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly aria: Html;
  /** The attribute of the field that has the focus when the page opens. */
  readonly focus: Content;
  readonly isRequired: boolean;
}

type Choices = readonly (readonly [value: string, text: string])[];

function checkboxes({ name, text, focus }: InputParts, choices: Choices): Content {
  const chosen = text.split('\n');
  return choices.map(
    ([value, said], index) =>
      html`<label
        ><input
          type="checkbox"
          name="${name}"
          value="${value}"
          ${chosen.includes(value) && html`checked`}
          ${index === 0 && focus}
        />
        ${breakable(said)}</label
      > `,
  );
}

function selectOf(
  { presence }: FormField,
  { id, name, text, aria, focus }: InputParts,
  choices: Choices,
): Html {
  const known =
    choices.some(([value]) => value === text) || text === '' ? choices : [[text, text] as const, ...choices];
  const all =
    presence === 'required' || known.some(([value]) => value === '') ? known : [['', '–'] as const, ...known];
  return html`<select id="${id}" name="${name}" ${aria} ${focus}>
    ${all.map(([value, said]) => html`<option value="${value}" ${value === text && html`selected`}>${said}</option>`)}
  </select>`;
}

/** A date that the browser could not show in a date field is shown as typed, so it is not lost. */
function inputOf(field: FormField, { id, name, text, aria: own, focus, isRequired }: InputParts): Html {
  const aria = html`${own}${focus}`;
  const required = isRequired && html`required`;
  if (field.presence === 'repeated')
    return html`<textarea id="${id}" name="${name}" rows="3" ${aria}>${'\n'}${text}</textarea>`;
  if (field.kind === 'flag')
    return html`<input
      type="checkbox"
      id="${id}"
      name="${name}"
      value="yes"
      ${text !== '' && html`checked`}
      ${aria}
    />`;
  const isDate = field.kind === 'date' && (text === '' || parseLocalDate(text) !== undefined);
  const kind = isDate ? html`type="date"` : html`${field.kind === 'whole' && html`inputmode="numeric"`}`;
  return html`<input id="${id}" name="${name}" value="${text}" ${kind} ${required} ${aria} />`;
}

function labelOf({ messages }: PageView, name: string, act = ''): string {
  const labels: Texts = messages.labels;
  return labels[`${act}.${name}`] ?? labels[name] ?? (messages.words as Texts)[name] ?? name;
}

function hintOf({ messages }: PageView, act: string, name: string): string | undefined {
  const hints: Texts = messages.hints;
  return hints[`${act}.${name}`] ?? hints[name];
}

function reasonText(view: PageView, { reason, now = '' }: Mistake): Html {
  if (reason === undefined) return html`${view.messages.forms.meanwhile(now.replaceAll('\n', ', '))}`;
  return html`<span data-reason>${withLabels(view, reasonAlone(view, reason))}</span>`;
}

/** A sentence of the command, in which options are named as the fields of the form are. */
export function withLabels(view: PageView, sentence: string): string {
  return sentence.replaceAll(
    OPTION,
    (_all, option: string) => `“${labelOf(view, fieldName(`--${option}`))}”`,
  );
}

const OPTION = /(?<![\w-])'?--([a-z][a-z-]{0,40})'?/g;

/** The refused form alone, for a page that does not have it any more. */
export function refusedForm(view: PageView, refused: RefusedForm): Content {
  const { act, path, form, segments } = refused;
  const { given = [] }: FormOfAct = CONSOLE_FORMS[act];
  const ofPath = [...Object.keys(segments), ...given];
  const names = new Set(shownFields(act, { ofPath }).map(({ name }) => name));
  const hidden = fieldNames(form).filter(
    (name) => !names.has(name) && name !== 'form' && !name.startsWith('was.'),
  );
  const fields = Object.fromEntries(hidden.map((name) => [name, sentText(form, name)]));
  return (
    filledForm(view, act, path, { fields, ofPath }) ||
    refusalNote(view, refused, { shown: [], key: undefined })
  );
}

/** Fields that say what the page showed, or which button was pressed. */
const UNTYPED = /^(?:was\..*|form|formId|part|sure|mark|drawnFrom)$/;

/** The fields that a person typed into the form of an act: hidden fields, and those that are as they were, are not typed. */
export function typedInAct(view: PageView, form: URLSearchParams): readonly TypedText[] {
  return fieldNames(form).flatMap((name) => {
    const text = sentText(form, name);
    const isUntyped = UNTYPED.test(name) || text === '' || text === form.get(nameBefore(name));
    return isUntyped ? [] : [{ label: labelOf(view, name), text }];
  });
}

function fieldNames(form: URLSearchParams): readonly string[] {
  return [...new Set(form.keys())];
}

/**
 * The answer that the command gives under `--json`, with its notes. After a dry run also the button that performs it.
 */
export function actShownPage(act: ConsoleActName) {
  return (view: PageView, { view: answer, notes, failed, sent }: ActShown, back: string): PageParts => {
    const { forms, acts } = view.messages;
    const { form: _token, ...fields } = sent ?? {};
    const sure = { fields: { ...fields, [SURE_FIELD]: 'yes' }, button: forms.doIt, look: 'danger' } as const;
    return {
      title: acts[act],
      act: undefined,
      main: [
        sent !== undefined && html`<p class="warn">${forms.preview}</p>`,
        failed !== undefined &&
          html`<p class="bad" data-reason>${withLabels(view, reasonAlone(view, failed))}</p>`,
        notes.map((note) => html`<p class="warn" lang="en">${withLabels(view, note)}</p>`),
        sent === undefined && html`<h2>${forms.outcome}</h2>`,
        answerList(answer),
        sent !== undefined && elements.actForm(view, act, back, sure),
        elements.backLink(view, back),
      ],
    };
  };
}

/** Fields of JSON keep their names in every language. */
function answerList(answer: unknown): Content {
  if (typeof answer !== 'object' || answer === null) return false;
  const rows = Object.entries(answer).map(
    ([name, value]) =>
      html`<dt><code>${name}</code></dt>
        <dd>${breakable(typeof value === 'string' ? value : JSON.stringify(value))}</dd> `,
  );
  return html`<dl>${rows}</dl>`;
}

/** After these acts, the page itself reports the result and offers to undo it. */
const SAID_BY_THE_PAGE = new Set(['close', 'open', 'nights-save']);

/** The note above a page that a form returned to. */
export function didNote(view: PageView, query: URLSearchParams, act: MainAct | undefined): Content {
  const { messages } = view;
  const did = query.get('did') ?? '';
  if (!Object.hasOwn(CONSOLE_FORMS, did) || SAID_BY_THE_PAGE.has(did)) return false;
  const said = messages.forms.did(messages.acts[did as ConsoleActName]);
  return html`<div class="good" tabindex="-1" autofocus role="status">
    <p>${said} ${elements.onToSetup(view)}</p>
    ${nextButton(view, did as ConsoleActName, { query, act })}
  </div>`;
}

interface DonePage {
  readonly query: URLSearchParams;
  readonly act: MainAct | undefined;
}

/** The next step of a person, with what was made. */
function nextButton(view: PageView, did: ConsoleActName, { query, act }: DonePage): Content {
  const { next }: FormOfAct = CONSOLE_FORMS[did];
  if (next === 'mainAct') return act && elements.linkButton(view, act.path, act.text, 'act');
  const made = next && query.get(next.field);
  if (next === undefined || !made) return false;
  const fields = { [next.field]: elements.cutText(made, NAME_LENGTH_MAX) };
  return elements.actForm(view, next.act as ConsoleActName, next.path, { fields });
}
