/** `/console/pictures`: pictures of many properties. */
import type { PagePorts, PageQuestion } from '../../reading/console-page.ts';
import { textFor } from '../../../domain/property.ts';
import { STANDARD_SOURCE } from '../../../supply/native/catalogue-file.ts';

export const PICTURES_PATH = '/console/pictures';
/** Properties that are offered by name where files are given by hand; the id of another one can be typed. */
export const PROPERTIES_LISTED_MAX = 500;

export async function readPictures({ storage }: PagePorts, { locale }: PageQuestion) {
  const listed = await storage.listProperties('', PROPERTIES_LISTED_MAX, STANDARD_SOURCE);
  const rows = listed.map(({ property: { propertyId, name } }) => ({
    propertyId,
    name: textFor(name, locale),
  }));
  return { rows };
}
