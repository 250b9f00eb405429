/** The travellers of a stay, as assistants tell them: guests, or adults and the ages of children. */
import { UsageError } from '../../sdk/src/index.ts';
import { extraSchemaOf } from './schemas.ts';

export interface PartyInput {
  readonly guests?: number;
  readonly adults?: number;
  /** Ages in whole years. */
  readonly children?: number[];
}

/** Guests as all operations count them, and the ages that those of prices take. */
export interface Travellers {
  readonly guests?: number;
  readonly childAges?: number[];
}

type Schema = Readonly<Record<string, unknown>>;

const { childAges } = extraSchemaOf('PricedStayRequest')['properties'] as Record<string, Schema>;

export const PARTY_FIELDS = {
  adults: { type: 'integer', minimum: 1, description: 'Adults: with children, in place of guests.' },
  children: {
    ...childAges,
    description:
      'With adults, in place of guests: the age of each child in whole years at check-in, such as [4, 9]. ' +
      'Children can cost less, sleep in a cot, or owe no city tax; without ages each counts as an adult.',
  },
};

/** Fields of a tool that has `guests`, with who travels as an assistant tells it. */
export function withParty(properties: Schema): Record<string, unknown> {
  const { childAges: _ages, ...others } = properties;
  return { ...others, ...PARTY_FIELDS };
}

/** An answer about a stay that may have ages. */
export function withAges(answer: Schema): Record<string, unknown> {
  const properties = answer['properties'] as Record<string, Schema>;
  const stay = properties['stay']!;
  const fields = { ...(stay['properties'] as object), childAges };
  return { ...answer, properties: { ...properties, stay: { ...stay, properties: fields } } };
}

/** Throws a `UsageError` where it is told twice, or half. */
export function travellersOf({ guests, adults, children = [] }: PartyInput): Travellers {
  if (guests !== undefined && (adults !== undefined || children.length > 0))
    throw new UsageError('INVALID_ARGUMENT', 'guests: give either guests, or adults and children', 'guests');
  if (adults === undefined && children.length > 0)
    throw new UsageError('INVALID_ARGUMENT', 'adults: how many travel with the children?', 'adults');
  if (adults === undefined) return guests === undefined ? {} : { guests };
  if (children.length === 0) return { guests: adults };
  return { guests: adults + children.length, childAges: children.toSorted((one, other) => one - other) };
}

/** Such as "2 adults, 2 children (4, 9)". */
export function sayParty({
  guests,
  childAges: ages = [],
}: Required<Pick<Travellers, 'guests'>> & Travellers): string {
  if (ages.length === 0) return `${guests} guests`;
  const adults = guests - ages.length;
  return `${adults} adult${adults === 1 ? '' : 's'}, ${ages.length} child${ages.length === 1 ? '' : 'ren'} (${ages.join(', ')})`;
}

/** The arguments of a tool without the fields of the party, and with what they come to. */
export function settleParty<Input extends PartyInput>(
  input: Input,
): Omit<Input, keyof PartyInput> & Travellers {
  const { guests: _guests, adults: _adults, children: _children, ...others } = input;
  return { ...others, ...travellersOf(input) };
}
