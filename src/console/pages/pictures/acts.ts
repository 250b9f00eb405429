/** Pictures of many properties at once: which file belongs to which property, and one Save for all of them. */
import { type Told, Wrong } from '../../../domain/wrong.ts';
import type { Acted, ActPorts, ActQuestion } from '../../reading/console-page.ts';
import { IMAGES_MAX } from '../../../domain/property-details.ts';
import { NAME_LENGTH_MAX } from '../../../domain/document/document-limits.ts';
import type { JsonObject } from '../../../domain/document/document-fields.ts';
import { CONTENT_READ_MAX } from '../../../storage/catalogue/content.ts';
import { DEFAULT_LOCALE, ID_LENGTH_MAX, LOCALES, type Locale } from '../../../domain/property.ts';
import { foldPlaceName } from '../../../domain/place-name.ts';
import { suggestAlt } from '../property-form/pictures.ts';
import { readBase, writeDocument } from '../property-form/save.ts';

/** Files, or pictures, of one request of the page. */
export const FILES_MAX = 1_000;
/** Properties of one Save: each is a transaction. */
export const PROPERTIES_MAX = 200;
/** Times that a property is read again when somebody else saves it at the same moment. */
const TRIES_MAX = 3;

// Which property a file belongs to, by the names of its folders and its own: `flat-01/2.jpg`, `flat-01-2.jpg`.

/** Steps of folders that are looked at. */
const FOLDERS_MAX = 8;

/** Names that the file may mean, the likeliest first: its folders from the nearest, then its own name, then that without its number. */
export function propertyNamesOf(path: string): readonly string[] {
  const steps = path.split('/').filter((step) => step !== '');
  const stem = (steps.pop() ?? '').replace(/\.[^.]*$/, '').trim();
  const unnumbered = stem.replace(/[\s_.-]{0,8}\(?\d{1,4}\)?$/, '');
  const found = [...steps.slice(-FOLDERS_MAX).toReversed(), stem, unnumbered];
  return [...new Set(found)].filter((text) => text !== '' && text.length <= NAME_LENGTH_MAX);
}

/** Ids that the file may mean, in that order. */
export function propertyIdsOf(path: string): readonly string[] {
  const ids = propertyNamesOf(path).flatMap((text) => [text, text.toLowerCase(), text.toUpperCase()]);
  return [...new Set(ids)].filter((text) => text.length <= ID_LENGTH_MAX);
}

interface Matched {
  readonly propertyId: string;
  readonly name: string;
  /** Pictures that it has. */
  readonly count: number;
}

/** Answers for each line of `names`, in order: the property that the file belongs to, or null. */
export async function matchPictures(ports: ActPorts, { form }: ActQuestion): Acted<unknown> {
  const locale = languageOf(form);
  const paths = (form.get('names') ?? '').split('\n').map((line) => line.trim());
  if (paths.length > FILES_MAX)
    return { kind: 'refused', problem: new Wrong('filesAtOnce', { max: FILES_MAX }) };
  const candidates = paths.map(propertyIdsOf);
  const there = await findThere(ports, [...new Set(candidates.flat())]);
  const byName = await findByName(
    ports,
    paths.filter((_path, at) => !candidates[at]!.some((id) => there.has(id))),
  );
  const found = new Map<string, Matched>();
  const matches: (Matched | null)[] = [];
  for (const [at, ids] of candidates.entries()) {
    const propertyId = ids.find((id) => there.has(id)) ?? byName.get(paths[at]!);
    if (propertyId !== undefined && !found.has(propertyId) && found.size < PROPERTIES_MAX) {
      const base = await readBase(ports.storage, propertyId);
      if (base !== undefined) found.set(propertyId, matchedOf(propertyId, base.document, locale));
    }
    matches.push(found.get(propertyId ?? '') ?? null);
  }
  return { kind: 'done', view: { matches } };
}

async function findThere({ storage }: ActPorts, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const there = new Set<string>();
  for (let at = 0; at < ids.length; at += CONTENT_READ_MAX)
    for (const { propertyId } of await storage.findContent(ids.slice(at, at + CONTENT_READ_MAX)))
      there.add(propertyId);
  return there;
}

/** By path: the property whose name, folded, is one of the names of the file; none where two have the name. */
async function findByName(
  { findNamed }: ActPorts,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (paths.length === 0) return new Map();
  const asNames = new Map(
    paths.map((path) => [path, propertyNamesOf(path).map((text) => text.replaceAll('_', ' '))]),
  );
  const named = await findNamed([...asNames.values()].flat());
  const found = new Map<string, string>();
  for (const [path, names] of asNames) {
    const ids = names.map((name) => named.get(foldPlaceName(name))).find((one) => one !== undefined);
    if (ids?.length === 1) found.set(path, ids[0]!);
  }
  return found;
}

function matchedOf(propertyId: string, document: JsonObject, locale: Locale): Matched {
  const names = namesOf(document);
  const name = names[locale] ?? LOCALES.map((one) => names[one]).find((text) => text !== undefined);
  return { propertyId, name: name ?? propertyId, count: imagesOf(document).length };
}

function namesOf({ name }: JsonObject): Partial<Record<Locale, string>> {
  if (typeof name !== 'string') return name as Partial<Record<Locale, string>>;
  return Object.fromEntries(LOCALES.map((locale) => [locale, name]));
}

function imagesOf({ images = [] }: JsonObject): readonly JsonObject[] {
  return images as readonly JsonObject[];
}

/** The language of the page: programs, such as its script, ask for JSON, which is in that of the commands. */
function languageOf(form: URLSearchParams): Locale {
  return LOCALES.find((locale) => locale === form.get('language')) ?? DEFAULT_LOCALE;
}

interface NewPicture {
  readonly src: string;
  readonly width: number;
  readonly height: number;
}

export interface PicturesSaved {
  readonly properties: readonly {
    readonly propertyId: string;
    readonly added: number;
    /** Null: saved. */
    readonly reason: Told | null;
  }[];
  readonly locale: Locale;
}

/** Each `picture` is a property id, a path, a width and a height, in the order of the pictures. */
export async function savePictures(ports: ActPorts, { form }: ActQuestion): Acted<PicturesSaved> {
  const lines = form.getAll('picture').map((line) => line.split(' '));
  const byProperty = Map.groupBy(lines, ([propertyId = '']) => propertyId);
  if (lines.length > FILES_MAX || byProperty.size > PROPERTIES_MAX)
    return {
      kind: 'refused',
      problem: new Wrong('picturesAtOnce', { max: FILES_MAX, properties: PROPERTIES_MAX }),
    };
  const properties = [];
  for (const [propertyId, own] of byProperty) {
    const pictures = own.map(([, src = '', width, height]) => ({
      src,
      width: Number(width),
      height: Number(height),
    }));
    const reason = await addToProperty(ports, propertyId, pictures);
    properties.push({
      propertyId,
      added: reason === undefined ? pictures.length : 0,
      reason: reason ?? null,
    });
  }
  return { kind: 'shown', shown: { properties, locale: languageOf(form) } };
}

/** Behind the pictures that it has; undefined, or why not. What others save meanwhile is kept. */
async function addToProperty(
  ports: ActPorts,
  propertyId: string,
  pictures: readonly NewPicture[],
): Promise<Told | undefined> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const base = await readBase(ports.storage, propertyId);
    if (base?.propertyId === undefined)
      return new Wrong('noProperty', { propertyId: JSON.stringify(propertyId) });
    if (base.foreignOwner !== undefined)
      return new Wrong('ofOtherSource', { propertyId: JSON.stringify(propertyId) });
    const images = imagesOf(base.document);
    const there = new Set(images.map(({ src }) => src));
    const added = pictures.filter(({ src }) => !there.has(src));
    if (images.length + added.length > IMAGES_MAX) return new Wrong('picturesMany', { max: IMAGES_MAX });
    const names = namesOf(base.document);
    const described = added.map((picture, index) => {
      const number = images.length + index + 1;
      const alt = Object.fromEntries(LOCALES.map((one) => [one, suggestAlt(names, one, number)]));
      return { ...picture, alt };
    });
    if (described.length === 0) return undefined;
    const written = await writeDocument(ports, base, { ...base.document, images: [...images, ...described] });
    if (written.kind === 'written') return undefined;
    if (written.kind === 'wrong') return written.mistakes[0]!.reason;
  }
  return new Wrong('pictureChanged');
}
