/** Pictures in the form of a property: their limits, and what becomes of those that were uploaded. */
import { type Told, Wrong } from '../../../domain/wrong.ts';
import type { UploadedPicture } from '../../reading/console-page.ts';
import { IMAGES_MAX } from '../../../domain/property-details.ts';
import { LOCALES, type Locale } from '../../../domain/property.ts';
import { said } from '../../web/messages/said.ts';
import { type FormFields, rowPath, rowsIn } from './fields.ts';

/** One picture: more than cameras and phones make. The one that is served is far smaller. */
export const UPLOAD_BYTES_MAX = 30_000_000;
/** Takes one picture of the script of a page, beside its form. */
export const UPLOAD_PATH = '/console/pictures/picture-upload';
/** The place of the field for files. */
export const UPLOAD_FIELD = 'images.upload';

/** A mistake in a field of the form. */
export interface Mistake {
  readonly field: string;
  /** In English. */
  readonly reason: Told;
  /** The file that was not taken. */
  readonly about?: string;
}

/** The suggested text of a picture; `{name}` is that of the property, `{number}` that of the picture. */
export const SUGGESTED = {
  named: said('{name}, picture {number}', '{name}, foto {number}'),
  unnamed: said('Picture {number}', 'Foto {number}'),
} as const;

/** `names`: of the property, by language; that of another language stands in. */
export function suggestAlt(
  names: Readonly<Partial<Record<Locale, string>>>,
  locale: Locale,
  number: number,
): string {
  const own = [locale, ...LOCALES].map((one) => (names[one] ?? '').trim()).find((name) => name !== '');
  const text = SUGGESTED[own === undefined ? 'unnamed' : 'named'][locale];
  // A name may hold what `replace` would take for a pattern.
  return text.replace('{name}', () => own ?? '').replace('{number}', () => String(number));
}

/** Whether the text is still the suggested one, of whatever number. */
export function isSuggested(
  names: Readonly<Partial<Record<Locale, string>>>,
  locale: Locale,
  text: string,
): boolean {
  const number = /(\d{1,3})$/.exec(text)?.[1];
  return number !== undefined && text === suggestAlt(names, locale, Number(number));
}

/** The names of the property as the form has them. */
export function namesIn(fields: FormFields): Partial<Record<Locale, string>> {
  return Object.fromEntries(LOCALES.map((locale) => [locale, fields.get(`name.${locale}`) ?? '']));
}

/** The form with a row for each stored picture; the property has them once the form is saved. */
export function addPictures(
  fields: FormFields,
  pictures: readonly UploadedPicture[],
): { readonly fields: FormFields; readonly mistakes: readonly Mistake[] } {
  const added = new Map(fields);
  const mistakes: Mistake[] = [];
  const names = namesIn(fields);
  const there = new Set([...fields].filter(([name]) => name.endsWith('].src')).map(([, src]) => src));
  let count = rowsIn(fields, 'images').length;
  const refuse = (name: string, reason: Wrong): void => {
    mistakes.push({ field: UPLOAD_FIELD, about: name, reason });
  };
  for (const picture of pictures) {
    if (!picture.ok) refuse(picture.name, picture.reason);
    else if (there.has(picture.src)) refuse(picture.name, new Wrong('pictureThere'));
    else if (count >= IMAGES_MAX) refuse(picture.name, new Wrong('picturesMany', { max: IMAGES_MAX }));
    else {
      const { src, width, height } = picture;
      const row = rowPath('images', count);
      count += 1;
      there.add(src);
      for (const [name, value] of Object.entries({ src, width, height }))
        added.set(`${row}.${name}`, String(value));
      for (const locale of LOCALES) added.set(`${row}.alt.${locale}`, suggestAlt(names, locale, count));
    }
  }
  return { fields: added, mistakes };
}
