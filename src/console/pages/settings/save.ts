/**
 * The form of the settings of the site. All that was changed is written, or nothing. Nothing typed is lost: a refused
 * form returns as typed, with the errors beside the fields, or with what another person changed meanwhile.
 */
import { type Told, Wrong } from '../../../domain/wrong.ts';
import { formatSiteValue, type SiteSettingChange, type SiteSettingRow } from '../../../storage/site/store.ts';
import { changeSite, type SettingRow, valueOf } from '../../../operator/acts/site-desk.ts';
import { nameBefore } from '../../reading/act-forms.ts';
import {
  type Acted,
  type ActPorts,
  type ActQuestion,
  type PagePreview,
  refused,
} from '../../reading/console-page.ts';
import { sampleReview } from './preview.ts';
import { isSitePart, PART_FIELD, partOf, PATH_OF, placeOf, PREVIEW_BUTTON, type SitePart } from './parts.ts';

/** The fields as texts; a logo is sent again as it is stored. */
export const SITE_FORM_BYTES_MAX = 2 ** 20;
/** More than a logo may have, so that a larger one is told its limit. */
export const LOGO_UPLOAD_BYTES_MAX = 2 ** 20;

export interface SiteMistakeShown {
  readonly name: string;
  readonly reason: Told;
}

/** A setting in the form. */
export interface SiteField {
  readonly row: SettingRow;
  /** As the person typed it, or as it is stored; of a file what `formatSiteValue` says. */
  readonly text: string;
  /** As it is stored. */
  readonly stored: string;
  /** Another person has changed it since the form was shown. */
  readonly isChanged: boolean;
  /** An uploaded file that is not stored yet, to be sent again with the form. */
  readonly kept: string | undefined;
}

export interface SiteForm {
  readonly part: SitePart;
  readonly fields: readonly SiteField[];
  readonly mistakes: readonly SiteMistakeShown[];
  /** The traveller's page with what was typed. */
  readonly preview?: PagePreview;
}

/** The field for removing a file. */
export function removalOf(name: string): string {
  return `remove.${name}`;
}

/** The form of a part as it is stored; those that the environment sets are shown, too. */
export function siteFormOf(
  part: SitePart,
  rows: readonly SettingRow[],
  stored: readonly SiteSettingRow[],
): SiteForm {
  const fields = fieldsOfSite(rows, stored).filter(({ row }) => partOf(row.name) === part);
  return { part, fields, mistakes: [] };
}

function fieldsOfSite(rows: readonly SettingRow[], stored: readonly SiteSettingRow[]): readonly SiteField[] {
  return rows
    .filter(({ isOfSite }) => isOfSite)
    .toSorted((one, other) => placeOf(one.name) - placeOf(other.name))
    .map((row): SiteField => {
      const text = shownText(stored, row.name);
      return { row, text, stored: text, isChanged: false, kept: undefined };
    });
}

function shownText(stored: readonly SiteSettingRow[], name: string): string {
  const value = valueOf(stored, name);
  return value === null ? '' : formatSiteValue(value);
}

export async function saveSettings(ports: ActPorts, question: ActQuestion): Acted<SiteForm> {
  const { site } = ports.acts;
  const { form, isJson } = question;
  const before = await ports.storage.readSiteSettings();
  const rows = site.list(before).filter((row) => row.editable);
  const changes = rows.flatMap(({ name, isFile }) =>
    isFile ? [] : (readChange(form, name, shownText(before, name)) ?? []),
  );
  const wrongFiles: SiteMistakeShown[] = [];
  for (const { name } of rows.filter(({ isFile }) => isFile)) {
    const read = await readFileOf(ports, question, name);
    if (read instanceof Wrong) wrongFiles.push({ name, reason: read });
    else if (read !== undefined) changes.push({ name, value: read });
  }
  const again = (stored: readonly SiteSettingRow[], mistakes: readonly SiteMistakeShown[]) =>
    isJson
      ? refused(undefined, mistakes.map(toMistake))
      : ({
          kind: 'shown',
          isRefused: true,
          shown: typedForm({ site, form, changes, stored, mistakes }),
        } as const);
  if (wrongFiles.length > 0) return again(before, wrongFiles);
  if (form.has(PREVIEW_BUTTON)) {
    const mistakes = site.check(before, changes);
    if (mistakes.length > 0) return again(before, mistakes);
    const preview = {
      review: await sampleReview(ports, question.locale),
      site: [...changes, ...before.filter(({ name }) => !changes.some((change) => change.name === name))],
    };
    return {
      kind: 'shown',
      shown: { ...typedForm({ site, form, changes, stored: before, mistakes }), preview },
    };
  }
  const storage = { ...ports.storage, ...ports.signed };
  const changed = await changeSite({ storage, site }, changes, (stored) => {
    const isChanged = rows.some(({ name }) => isChangedSince(form, stored, name));
    return isChanged ? stored : undefined;
  });
  if (!changed.ok) return refused(changed.problem);
  const { value } = changed;
  if (value.kind === 'obstacle') return isJson ? refused(CHANGED_MEANWHILE) : again(value.obstacle, []);
  if (value.kind === 'mistakes') return again(before, value.mistakes);
  return { kind: 'done', path: PATH_OF[sentPart(form)], query: { did: 'settings-save' }, view: value.rows };
}

const CHANGED_MEANWHILE = new Wrong('settingsChanged');

function toMistake({ name, reason }: SiteMistakeShown) {
  return { field: name, reason };
}

/** A field that was left alone changes nothing; an empty one removes the value. */
function readChange(form: URLSearchParams, name: string, stored: string): SiteSettingChange | undefined {
  const text = form.get(name)?.trim();
  if (text === undefined || text === (form.get(nameBefore(name)) ?? stored)) return undefined;
  return { name, value: text === '' ? null : text };
}

/** Null: remove it. Undefined: leave it as it is. */
async function readFileOf(
  { acts }: ActPorts,
  { form, file }: ActQuestion,
  name: string,
): Promise<string | null | undefined | Wrong> {
  if (file !== undefined) return acts.site.packFile(file);
  if (form.has(removalOf(name))) return null;
  const kept = form.get(name) ?? '';
  // As a file is: a hidden field may hold anything, too.
  return kept === '' ? undefined : acts.site.packFile(bytesOfKept(kept));
}

/** The bytes of a data URL; another text is none of a picture. */
function bytesOfKept(text: string): Uint8Array {
  return Buffer.from(text.slice(text.indexOf(',') + 1), 'base64');
}

function isChangedSince(form: URLSearchParams, stored: readonly SiteSettingRow[], name: string): boolean {
  const before = form.get(nameBefore(name));
  return before !== null && before !== shownText(stored, name);
}

interface Typed {
  readonly site: ActPorts['acts']['site'];
  readonly form: URLSearchParams;
  readonly changes: readonly SiteSettingChange[];
  readonly stored: readonly SiteSettingRow[];
  readonly mistakes: readonly SiteMistakeShown[];
}

function sentPart(form: URLSearchParams): SitePart {
  const part = form.get(PART_FIELD) ?? '';
  return isSitePart(part) ? part : 'site';
}

/** As typed; fields that this person left alone show what is stored by now. Fields of other parts that were sent, too. */
function typedForm({ site, form, changes, stored, mistakes }: Typed): SiteForm {
  const part = sentPart(form);
  const isShown = ({ row: { name } }: SiteField): boolean => partOf(name) === part || form.has(name);
  return {
    part,
    mistakes,
    fields: fieldsOfSite(site.list(stored), stored)
      .filter(isShown)
      .map((field) => {
        const { name, isFile } = field.row;
        const change = changes.find((one) => one.name === name);
        const isChanged = isChangedSince(form, stored, name);
        if (change === undefined) return { ...field, isChanged };
        const { value } = change;
        const kept = isFile && value !== null ? value : undefined;
        return { ...field, isChanged, kept, text: value === null ? '' : formatUnless(isFile, value) };
      }),
  };
}

function formatUnless(isFile: boolean, value: string): string {
  return isFile ? formatSiteValue(value) : value;
}
