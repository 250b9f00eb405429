/** `/console/audit`: who changed what, day by day, in sentences. */
import { pageRow } from '../../web/page-row.ts';
import type { AuditRow } from '../../../access/audit-trail.ts';
import { AUDIT_PATH, type AuditFilter, type AuditShown, readAudit } from './read.ts';
import { NAME_LENGTH_MAX } from '../../reading/paths.ts';
import { breakable, type Content, type Html, html } from '../../../http/html/html.ts';
import * as elements from '../../web/elements.ts';
import { linkTo, named, type PageView } from '../../web/elements.ts';
import { askAct, type PageParts } from '../../web/frame.ts';
import { IMPORT_TEXTS } from '../import/messages.ts';
import { AUDIT_TEXTS } from './messages.ts';

const AGES = ['24h', '7d', '30d'] as const;
/** More people, or acts, than this are typed instead of chosen. */
const CHOICES_MAX = 100;
type Asked = Readonly<Partial<Record<AuditFilter, string>>>;
type Subject = NonNullable<AuditShown['subjects']>[number];

export function auditPage(view: PageView, shown: AuditShown): PageParts {
  const { rows, unread, asked = {}, people = [], acts = [], subjects = [], nextPath } = shown;
  const { bar, frame } = view.messages;
  const isFiltered = Object.keys(asked).length > 0;
  const entries = rows.map((row, index) => ({ row, subject: subjects[index]! }));
  const days = Map.groupBy(entries, ({ row }) => row.at.slice(0, 'YYYY-MM-DD'.length));
  const main = html`<details${isFiltered && ' open'}>
      <summary>${AUDIT_TEXTS[view.locale].filter}</summary>
      ${filterForm(view, asked, people, acts)}
    </details>
    ${elements.unreadNote(view, unread)}
    ${isFiltered && html`<p>${linkTo(view, AUDIT_PATH, frame.all)}</p>`}
    ${rows.length === 0 && html`<p>${frame.none}</p>`}
    ${[...days].map(([day, own]) => dayOf(view, day, own))} ${elements.nextLink(view, nextPath)}`;
  const act = askAct(AUDIT_TEXTS[view.locale].filter);
  return { title: bar.audit, act, command: elements.shellCommand('audit', { since: asked.since }), main };
}

function filterForm(view: PageView, asked: Asked, people: readonly string[], acts: readonly string[]): Html {
  const texts = AUDIT_TEXTS[view.locale];
  const chosen = (name: 'person' | 'act', all: string, values: readonly (readonly [string, string])[]) =>
    values.length > CHOICES_MAX
      ? elements.field(view, name, { value: asked[name], maxlength: NAME_LENGTH_MAX })
      : elements.choice(view, name, name, [['', all], ...values], asked[name]);
  const ages = AGES.map((age) => [age, texts.ages[age]] as const);
  return elements.askForm(view, AUDIT_PATH, [
    chosen(
      'person',
      texts.anybody,
      people.map((one) => [one, nameOf(view, one)] as const),
    ),
    chosen(
      'act',
      texts.anything,
      acts.map((one) => [one, one] as const),
    ),
    elements.field(view, 'on', { value: asked.on, maxlength: NAME_LENGTH_MAX }),
    elements.choice(view, 'since', 'since', ages, asked.since ?? '7d'),
  ]);
}

function dayOf(
  view: PageView,
  day: string,
  entries: readonly Readonly<{ row: AuditRow; subject: Subject }>[],
): Html {
  return html`<section>
    <h2>${elements.dateElement(view, day)}</h2>
    <ol class="trail">
      ${entries.map(({ row, subject }) => entryOf(view, row, subject))}
    </ol>
  </section> `;
}

/** `14:02 Ada closed Casa Verde, Family room, Thu 24 Dec 2026 – Sat 26 Dec 2026`, and what changed from what to what. */
function entryOf(view: PageView, row: AuditRow, subject: Subject): Html {
  const texts = AUDIT_TEXTS[view.locale];
  const { person, role, act, to, at } = row;
  const did: Readonly<Record<string, string>> = texts.did;
  const hasFailed = to === 'failed';
  const changed = changesOf(view, row);
  const who = html`<b title="${role ?? ''}">${named(nameOf(view, person))}</b>`;
  return html`<li data-act="${act}" ${hasFailed && html`class="bad"`}>
    ${elements.clockTime(view, at)} ${who} ${did[act] ?? act} ${subjectText(view, subject)}
    ${hasFailed && html`<b class="refusal">✕ ${texts.failed}</b>`}
    ${changed !== '' && html`<small><bdi>${breakable(elements.cutText(changed, CHANGES_LENGTH_MAX))}</bdi></small>`}
  </li> `;
}

/** People's own names as they are. */
function nameOf({ locale }: PageView, person: string): string {
  const { people } = AUDIT_TEXTS[locale];
  return Object.hasOwn(people, person) ? people[person as keyof typeof people] : person;
}

function subjectText(view: PageView, { path, text, name, nights }: Subject): Content {
  const object = name === undefined ? breakable(text) : named(name);
  const dates = nights !== undefined && name !== undefined && `, ${elements.nightsText(view, nights)}`;
  return html`${path === undefined ? object : linkTo(view, path, object)}${dates}`;
}

/** A partner may have a hundred origins; the command prints them all. */
const CHANGES_LENGTH_MAX = 200;

/** `double 2026-12-24 to 2026-12-26 ` before a field, which the sentence says already if there is no other. */
const STRETCH = /^\S+ \d{4}-\d\d-\d\d(?: to \d{4}-\d\d-\d\d)? /;
/** Said by "closed" and "opened". */
const CLOSING = / stopSell$/;

/** `rate 120.00 → 150.00, units none → 1` */
function changesOf(view: PageView, { act, from, to }: AuditRow): string {
  const { begun } = AUDIT_TEXTS[view.locale];
  if (to === null) return begun;
  if (typeof to !== 'object') return to === 'done' || to === 'failed' ? '' : to;
  const before = leavesOf(typeof from === 'object' && from !== null ? from : {});
  const after = leavesOf(to);
  const isImport = act.startsWith('import ');
  const names = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) =>
      (isImport ? name !== 'seconds' : name !== 'changed') &&
      !CLOSING.test(name) &&
      // A field without a value says nothing of something new.
      (before.has(name) || !isNothing(after.get(name))),
  );
  const isAlone = new Set(names.map((name) => STRETCH.exec(name)?.[0])).size === 1;
  return names
    .map((name) => {
      const [old, now] = [before.get(name), after.get(name)].map((value) => valueText(view, value));
      const isFirst = !before.has(name) || old === now;
      return `${fieldName(view, isImport, isAlone ? name.replace(STRETCH, '') : name)} ${isFirst ? now : `${old} → ${now}`}`;
    })
    .join(', ');
}

/** `double 2026-12-24 to 2026-12-26 rate` of an object within an object. */
function leavesOf(state: object): ReadonlyMap<string, unknown> {
  return new Map(
    Object.entries(state).flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value).map(([inner, one]) => [`${name} ${inner}`, one] as const)
        : [[name, value] as const],
    ),
  );
}

/** The last word is the field, where the reader's language has a name for it. */
function fieldName(view: PageView, isImport: boolean, name: string): string {
  const [field = '', ...place] = name.split(' ').toReversed();
  const { counts } = IMPORT_TEXTS[view.locale];
  const isCount = isImport && Object.hasOwn(counts, field);
  const head = isCount ? counts[field as keyof typeof counts] : elements.findHead(view, field);
  const text = head?.toLowerCase() ?? field;
  return [...place.toReversed(), text].join(' ');
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

function valueText({ messages, locale }: PageView, value: unknown): string {
  const { nothing } = AUDIT_TEXTS[locale];
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? messages.words.yes : messages.words.no;
  if (isNothing(value)) return nothing;
  return Array.isArray(value) ? value.join(' ') : JSON.stringify(value);
}

export const AUDIT_PAGE = pageRow('audit', AUDIT_PATH, readAudit, auditPage);
