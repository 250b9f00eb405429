/** A PNG that somebody sends as a logo: decoded and encoded again, as every uploaded picture is. */
import { Wrong } from '../../../domain/wrong.ts';
import type { RemakePng } from '../../settings/site-desk.ts';
import { createMakePicture } from './picture-process.ts';
import { explainRefusal } from './uploaded-pictures.ts';

const make = createMakePicture();

/** Where the machine lacks the library that decodes, the bytes as they came: their kind and length are checked. */
export const remakeLogo: RemakePng = async (bytes) => {
  const made = await make(bytes);
  if ('refused' in made) return made.refused === 'unavailable' ? bytes : explainRefusal(made);
  return made.extension === 'png' ? made.sizes[0]!.bytes : new Wrong('logoTooLarge');
};
