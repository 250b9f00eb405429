/** The parameters that operations share or own (SPEC 4). */
import { Type, type TSchema } from 'typebox';
import {
  CITY_LENGTH_MAX,
  GUESTS_DEFAULT,
  PAGE_DEFAULT,
  PAGE_SIZE_DEFAULT,
  PAGE_SIZE_MAX,
  STAY_NIGHTS_MAX,
} from '../limits.ts';
import { country, guests, LOCALE_DEFAULT, localDate, locale, propertyId } from './scalars.ts';

export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly schema: TSchema;
  /** Blanks around the text are dropped before it is judged. */
  readonly trimmed?: true;
}

export const propertyIdParameter: Parameter = {
  name: 'propertyId',
  required: true,
  schema: propertyId({ examples: ['hotel-ponte'] }),
};

export const cityParameter: Parameter = {
  name: 'city',
  required: true,
  trimmed: true,
  schema: Type.String({
    minLength: 1,
    maxLength: CITY_LENGTH_MAX,
    description:
      'Name of the city in any language of the catalogue; case, diacritics and repeated blanks do not matter. ' +
      'Blanks around it are dropped before its length is counted; control characters are refused.',
    examples: ['Venezia'],
  }),
};

export const countryParameter: Parameter = {
  name: 'country',
  required: false,
  schema: country({ examples: ['IT'] }),
};

export const guestsParameter: Parameter = {
  name: 'guests',
  required: false,
  schema: guests({
    default: GUESTS_DEFAULT,
    description: 'Travellers that one inventory type must host.',
    examples: [2],
  }),
};

export const pageParameter: Parameter = {
  name: 'page',
  required: false,
  schema: Type.Integer({ minimum: 1, default: PAGE_DEFAULT, description: 'Number of the page, from 1 on.' }),
};

export const pageSizeParameter: Parameter = {
  name: 'pageSize',
  required: false,
  schema: Type.Integer({
    minimum: 1,
    maximum: PAGE_SIZE_MAX,
    default: PAGE_SIZE_DEFAULT,
    description: 'Properties on one page.',
  }),
};

export const localeParameter: Parameter = {
  name: 'locale',
  required: false,
  schema: locale({
    default: LOCALE_DEFAULT,
    description: 'Language of names and descriptions.',
    examples: ['en-GB'],
  }),
};

/** Both dates of a stay, required or not. */
export function stayParameters(required: boolean): readonly Parameter[] {
  return [
    {
      name: 'checkIn',
      required,
      schema: localDate({ description: 'First night.', examples: ['2026-12-01'] }),
    },
    {
      name: 'checkOut',
      required,
      schema: localDate({
        description: `Day of departure, not an occupied night: after checkIn, at most ${STAY_NIGHTS_MAX} nights later.`,
        examples: ['2026-12-04'],
      }),
    },
  ];
}
