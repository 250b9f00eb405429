/**
 * The form of a property: its content, and sending it. It saves the document that an import would, as the source
 * `catalogue`; calendars stay unchanged. Nothing typed is lost: a refused form returns as typed, with the errors beside
 * the fields.
 */
import { Wrong } from '../../../domain/wrong.ts';
import { recordAct } from '../../../access/audit-trail.ts';
import type { JsonObject } from '../../../domain/document/document-fields.ts';
import { documentMark } from '../../../domain/ledger/stored-document.ts';
import type { HandoffReview } from '../../../partner/quotes/check-handoff.ts';
import type { StoredProperty } from '../../../storage/catalogue/store.ts';
import type { LayeredStored } from '../../../storage/supply/store.ts';
import { STANDARD_SOURCE } from '../../../supply/native/catalogue-file.ts';
import { formatPropertyDocument } from '../../../supply/native/format-property-document.ts';
import {
  parsePropertyDocument,
  type ReadDocument,
  type RejectedDocument,
} from '../../../supply/native/property-document.ts';
import { encodeProperty } from '../../../supply/run/encode-property.ts';
import { findForeignSite } from '../../../supply/run/foreign-terms.ts';
import type {
  Acted,
  ActOutcome,
  ActPorts,
  ActQuestion,
  PagePorts,
  PageQuestion,
  UploadedPicture,
} from '../../reading/console-page.ts';
import { pathOf } from '../../reading/paths.ts';
import { PREVIEW_FIELDS, previewReview, readPreviewStay } from './preview.ts';
import {
  compactRows,
  drawFields,
  fieldsOf,
  type FormFields,
  hasMoreItems,
  hasMoreRows,
  readFields,
} from './fields.ts';
import { readJsonText } from '../../../supply/native/json-text.ts';
import { withCodes } from './lists.ts';
import { CONSOLE_FORMS } from '../../reading/console-forms.ts';
import { DAY_MS } from '../../../domain/local-date.ts';
import { addPictures, type Mistake, UPLOAD_FIELD } from './pictures.ts';

/** Bytes of the form: some hundred inventory types with long texts; import larger properties. */
export const PROPERTY_FORM_BYTES_MAX = 2 * 2 ** 20;

/** A field that another person changed while the form was being filled in, as texts. */
export interface Conflict {
  readonly field: string;
  readonly theirs: string;
  /** The form's value now; equal to `theirs` if the person did not change it. */
  readonly yours: string;
}

export interface PropertyForm {
  /** Undefined for a new property. */
  readonly propertyId: string | undefined;
  readonly fields: FormFields;
  /** Mark of the document that the form shows; empty for a new one. */
  readonly mark: string;
  /** That document, JSON: it distinguishes other people's changes from one's own. */
  readonly drawnFrom: string;
  /** The list that gets another row. */
  readonly added: string | undefined;
  /** The field whose button was pressed, if it was one of the fields' own. */
  readonly pressed: string | undefined;
  readonly mistakes: readonly Mistake[];
  readonly conflicts: readonly Conflict[];
  /** The source that owns the document, unless it is the form's own: then the form is read-only. */
  readonly foreignOwner: string | undefined;
  readonly isSaved: boolean;
  /** The property that a new form is a copy of. */
  readonly copyOf?: string;
  /** The property that some values of a new form are taken from. */
  readonly defaultsOf?: string;
  /** Something was typed that is not stored. */
  readonly isUnsaved: boolean;
  /** The preview of the traveller's page; undefined if not requested. */
  readonly preview: HandoffReview | undefined;
}

type Base = Pick<PropertyForm, 'propertyId' | 'mark' | 'foreignOwner'> & {
  readonly document: JsonObject;
  readonly stored: StoredProperty | undefined;
};

const NOTHING: Base = {
  propertyId: undefined,
  mark: '',
  foreignOwner: undefined,
  document: {},
  stored: undefined,
};

/** Beside the pages of properties, not among them: a property may have any id. */
export const NEW_PATH = '/console/new-property';

export function editPath(propertyId: string): string {
  return `${pathOf('properties', propertyId)}/edit`;
}

/** `/console/new-property`, and `/console/properties/ID/edit`. `rows` is the document. */
export async function readPropertyForm({ storage, clock }: PagePorts, { segments, query }: PageQuestion) {
  const base = await readBase(storage, segments['propertyId']);
  if (base === undefined) return undefined;
  if (base === NOTHING) {
    const { document, ...about } = await newDocument(storage, clock(), query.get('from') ?? undefined);
    return { rows: base.document, form: { ...formOf(base, drawFields(document)), ...about } };
  }
  const form = formOf(base, drawFields(base.document));
  const isSaved = query.get('did') === 'property-save';
  return { rows: base.document, form: { ...form, isSaved } };
}

/** How far back the last saved property is looked for. */
const LAST_SAVED_MS = 90 * DAY_MS;
const LAST_SAVED_ENTRIES = 500;
/** Fields that are alike in most properties of one operator. */
const KEPT_FIELDS = ['propertyType', 'currency', 'timezone', 'checkIn', 'checkOut'] as const;

/** A copy of the property `from`; else with some values of the one that was saved last. */
async function newDocument(
  storage: PagePorts['storage'],
  nowMs: number,
  from: string | undefined,
): Promise<Pick<PropertyForm, 'copyOf' | 'defaultsOf' | 'isUnsaved'> & { readonly document: JsonObject }> {
  const copied = from === undefined ? undefined : await readBase(storage, from);
  if (copied?.propertyId !== undefined) {
    const { propertyId: _id, registrationNumber: _number, ...document } = copied.document;
    return { document, copyOf: copied.propertyId, isUnsaved: true };
  }
  const entries = await storage.readAudit(nowMs - LAST_SAVED_MS, LAST_SAVED_ENTRIES);
  const saved = entries.find(({ act }) => act === CONSOLE_FORMS['property-save'].command);
  const last = saved && (await readBase(storage, saved.on));
  if (last?.propertyId === undefined) return { document: NEW_DOCUMENT, isUnsaved: false };
  const kept = KEPT_FIELDS.map((name) => [name, last.document[name]] as const);
  const { country } = last.document['location'] as JsonObject;
  const document = { ...NEW_DOCUMENT, ...Object.fromEntries(kept), location: { country } };
  return { document, defaultsOf: last.propertyId, isUnsaved: false };
}

/** Defaults of a new property; the form shows them. */
const NEW_DOCUMENT: JsonObject = { visibleTo: 'all', quoting: true, inventoryTypes: [{}] };

function formOf({ document, stored: _stored, ...base }: Base, fields: FormFields): PropertyForm {
  return {
    ...base,
    fields,
    drawnFrom: JSON.stringify(document),
    added: undefined,
    pressed: undefined,
    mistakes: [],
    conflicts: [],
    isSaved: false,
    isUnsaved: false,
    preview: undefined,
  };
}

/** Undefined if there is no such property. */
export async function readBase(
  storage: Pick<PagePorts['storage'], 'findLayers'>,
  propertyId: string | undefined,
): Promise<Base | undefined> {
  if (propertyId === undefined) return NOTHING;
  const layered = await storage.findLayers(propertyId);
  return layered === undefined ? undefined : baseOf(layered);
}

function baseOf({ stored, details }: LayeredStored): Base {
  const { property, source } = stored;
  return {
    propertyId: property.propertyId,
    mark: documentMark(property, source),
    stored,
    foreignOwner: source === STANDARD_SOURCE ? undefined : source,
    document: withoutCalendars(formatPropertyDocument(property, [], details)),
  };
}

function withoutCalendars(document: JsonObject): JsonObject {
  const types = document['inventoryTypes'] as readonly JsonObject[];
  return { ...document, inventoryTypes: types.map(({ calendar: _calendar, ...type }) => type) };
}

// Sending the form.

/** The form's buttons other than saving. */
export const FORM_BUTTONS = ['add', 'remove', 'raise'] as const;

export async function saveProperty(
  ports: ActPorts,
  { segments, form, pictures = [] }: ActQuestion,
): Acted<PropertyForm> {
  const base = await readBase(ports.storage, segments['propertyId']);
  if (base === undefined) return undefined;
  const [added, remove, raise] = FORM_BUTTONS.map((name) => form.get(name) ?? undefined);
  const sent = fieldsOf(form);
  const mark = sent.get('mark') ?? base.mark;
  const coded = withCodes(withId(sent, base.propertyId), base.document);
  const fields = compactRows(coded, { remove, raise });
  const typed: PropertyForm = {
    ...formOf(base, fields),
    mark,
    drawnFrom: sent.get('drawnFrom') ?? '{}',
    added,
    pressed: added ?? remove ?? raise ?? (form.has('upload') ? 'images' : undefined),
    isUnsaved: true,
  };
  if (form.has('preview')) return preview(ports, typed, base);
  if (base.foreignOwner !== undefined) return again(formOf(base, drawFields(base.document)));
  if (added !== undefined || remove !== undefined || raise !== undefined) return shown(typed);
  if (form.has('upload') || pictures.length > 0) return upload(typed, pictures);
  if (mark !== base.mark) return again(withConflicts(typed, base));
  return save(ports, typed, base);
}

/** More rows than may ever be stored, but for one that was just added. */
export function hasTooManyRows(form: URLSearchParams): boolean {
  return hasMoreRows(fieldsOf(form));
}

/** The fields that the person typed over the document that the form was drawn from. */
export function typedFields(form: URLSearchParams): FormFields {
  const drawn = form.get('mark') === '' ? NEW_DOCUMENT : readDrawn(form.get('drawnFrom') ?? '');
  const before = drawFields(drawn);
  const now = drawFields(readFields(compactRows(withCodes(fieldsOf(form), drawn)), drawn));
  return new Map([...now].filter(([name, text]) => text !== '' && text !== before.get(name)));
}

function withId(fields: FormFields, propertyId: string | undefined): FormFields {
  return propertyId === undefined ? fields : new Map([...fields, ['propertyId', propertyId]]);
}

async function save(ports: ActPorts, typed: PropertyForm, base: Base): Promise<ActOutcome<PropertyForm>> {
  const written = await writeDocument(ports, base, readFields(typed.fields, base.document));
  if (written.kind === 'wrong') return again({ ...typed, mistakes: written.mistakes });
  const { kind, propertyId } = written;
  if (kind === 'foreign') return again(await loseRace(ports, typed, propertyId));
  return { kind: 'done', path: editPath(propertyId), query: { did: 'property-save' } };
}

export type Written =
  | { readonly kind: 'wrong'; readonly mistakes: readonly Mistake[] }
  /** `foreign`: somebody else changed it after `base` was read. */
  | { readonly kind: 'written' | 'foreign'; readonly propertyId: string };

/** Writes the document as the form does, in place of the one that `base` was read from. */
export async function writeDocument(
  { bookingOrigins, horizonNights, signed, storage }: ActPorts,
  base: Base,
  document: JsonObject,
): Promise<Written> {
  const read = parsePropertyDocument(document);
  const mistakes = findMistakes(document, read, bookingOrigins);
  if (!read.ok || mistakes.length > 0) return { kind: 'wrong', mistakes };
  const { property, entries, keptTypeIds, details } = read;
  const { propertyId } = property;
  const own = { source: STANDARD_SOURCE, horizonNights, keptTypeIds, details };
  const write = { ...encodeProperty(property, entries, own), isOwnOnly: true, replaces: base.mark };
  const [outcome] = await recordAct(
    signed,
    propertyId,
    () => storage.writeProperties([write]),
    ([what]) =>
      what === 'foreign' ? { refused: 'somebody else changed it' } : changesOf(base.document, read),
  );
  return { kind: outcome === 'foreign' ? 'foreign' : 'written', propertyId };
}

/** Another person saved between the read and the write. */
async function loseRace(
  { storage }: ActPorts,
  typed: PropertyForm,
  propertyId: string,
): Promise<PropertyForm> {
  if (typed.propertyId === undefined)
    return {
      ...typed,
      mistakes: [{ field: 'propertyId', reason: new Wrong('idTaken', { id: JSON.stringify(propertyId) }) }],
    };
  const now = await readBase(storage, propertyId);
  return withConflicts(typed, now ?? { ...NOTHING, propertyId });
}

const shown = (form: PropertyForm): ActOutcome<PropertyForm> => ({ kind: 'shown', shown: form });
const again = (form: PropertyForm): ActOutcome<PropertyForm> => ({
  kind: 'shown',
  shown: form,
  isRefused: true,
});

// The preview.

async function preview(ports: ActPorts, typed: PropertyForm, base: Base): Promise<ActOutcome<PropertyForm>> {
  const document = readFields(typed.fields, base.document);
  const read = parsePropertyDocument(document);
  const stay = readPreviewStay(typed.fields);
  const mistakes = findMistakes(document, read, ports.bookingOrigins);
  if (!read.ok || mistakes.length > 0) return again({ ...typed, mistakes });
  if (stay === undefined)
    return again({ ...typed, mistakes: [{ field: PREVIEW_FIELDS.checkIn, reason: WRONG_STAY }] });
  const moment = { nowMs: ports.clock(), horizonNights: ports.horizonNights };
  return shown({ ...typed, preview: await previewReview(read, base.stored, stay, moment) });
}

const WRONG_STAY = new Wrong('notStay');

// Pictures.

/** They are in the folder already; the property has them once the form is saved. */
function upload(typed: PropertyForm, pictures: readonly UploadedPicture[]): ActOutcome<PropertyForm> {
  if (pictures.length === 0)
    return again({ ...typed, mistakes: [{ field: UPLOAD_FIELD, reason: new Wrong('noFile') }] });
  const { fields, mistakes } = addPictures(typed.fields, pictures);
  const form = { ...typed, fields, mistakes };
  return mistakes.length > 0 ? again(form) : shown(form);
}

// Errors in all fields at once.

/** In the order of the reader; the reader of documents knows no booking sites. */
function findMistakes(
  document: JsonObject,
  read: ReadDocument | RejectedDocument,
  bookingOrigins: readonly string[],
): Mistake[] {
  const mistakes = read.ok ? [] : [{ field: read.field, reason: read.reason }, ...read.others];
  const { bookingUrl } = document;
  const isSite = typeof bookingUrl === 'string' && !mistakes.some(({ field }) => field === 'bookingUrl');
  const site = isSite ? findForeignSite({ bookingUrl }, bookingOrigins) : undefined;
  return site === undefined ? mistakes : [...mistakes, site];
}

/** `taxes` of `taxes[0].code`. */
export function fieldNameOf(path: string): string {
  return /^[^.[]*/.exec(path)![0];
}

// Concurrent changes.

/**
 * The form as typed, plus the other person's changes to fields that this person left alone; from now on compared with
 * the stored state.
 */
function withConflicts(typed: PropertyForm, now: Base): PropertyForm {
  const before = groupFields(drawFields(readDrawn(typed.drawnFrom)));
  const theirs = groupFields(drawFields(now.document));
  const yours = groupFields(typed.fields);
  const fields = new Map(typed.fields);
  const conflicts: Conflict[] = [];
  for (const [field, their] of theirs) {
    const was = before.get(field) ?? NO_FIELDS;
    if (isSame(their, was)) continue;
    const own = yours.get(field) ?? was;
    const isUntouched = isSame(own, was);
    if (isUntouched) {
      for (const name of own.keys()) fields.delete(name);
      for (const [name, text] of their) fields.set(name, text);
    }
    conflicts.push({ field, theirs: textOf(their), yours: textOf(isUntouched ? their : own) });
  }
  return { ...typed, fields, mark: now.mark, drawnFrom: JSON.stringify(now.document), conflicts };
}

const NO_FIELDS: FormFields = new Map();

/** If it is not a document, the earlier values are unknown. */
function readDrawn(text: string): JsonObject {
  const json = readJsonText(text);
  if (!json.ok || typeof json.value !== 'object' || json.value === null) return {};
  const document = json.value as JsonObject;
  return hasMoreItems(document) ? {} : document;
}

/** Groups the form's fields by the field of the document that they belong to. */
function groupFields(fields: FormFields): Map<string, FormFields> {
  const groups = Map.groupBy(fields, ([name]) => fieldNameOf(name));
  return new Map([...groups].map(([name, entries]) => [name, new Map(entries)]));
}

function isSame(one: FormFields, other: FormFields): boolean {
  const names = new Set([...one.keys(), ...other.keys()]);
  return [...names].every((name) => (one.get(name) ?? '') === (other.get(name) ?? ''));
}

/** Characters shown of a value. */
const TOLD_LENGTH_MAX = 300;

function textOf(fields: FormFields): string {
  const texts = [...fields].flatMap(([name, text]) =>
    text === '' ? [] : [fields.size === 1 ? text : `${name.slice(fieldNameOf(name).length)}: ${text}`],
  );
  return cut(texts.map((text) => text.replace(/^\./, '')).join('\n'));
}

function cut(text: string): string {
  return text.length > TOLD_LENGTH_MAX
    ? `${text.slice(0, TOLD_LENGTH_MAX).toWellFormed()}…`
    : text.toWellFormed();
}

// The audit trail.

/** Fields whose changes are listed one by one. */
export const CHANGES_TOLD_MAX = 50;

/** The old and new value, field by field. */
function changesOf(before: JsonObject, { property, details }: ReadDocument): JsonObject {
  const was = drawFields(before);
  const is = drawFields(withoutCalendars(formatPropertyDocument(property, [], details)));
  const names = [...new Set([...was.keys(), ...is.keys()])].filter(
    (name) => (was.get(name) ?? '') !== (is.get(name) ?? ''),
  );
  const told = names.slice(0, CHANGES_TOLD_MAX).map((name) => {
    const values = [was.get(name) ?? '', is.get(name) ?? ''].map((text) => cut(text).replaceAll('\0', ''));
    return [name, values] as const;
  });
  return {
    ...Object.fromEntries(told),
    ...(names.length > told.length && { further: names.length - told.length }),
  };
}
