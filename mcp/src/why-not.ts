/** Why a stay can't be had, and which stays can instead, where the token may see prices. */
import {
  type CallOptions,
  type ExplainedStayPrice,
  type InsteadStay,
  isStayportError,
  type StayReason,
  type Stayport,
} from '../../sdk/src/index.ts';
import { extraSchemaOf, meaningsOf } from './schemas.ts';
import { whereAllowed } from './tools/with-scope.ts';

export interface AskedStay {
  readonly checkIn: string;
  readonly checkOut: string;
  readonly guests: number;
  readonly childAges?: number[];
}

export type WhyNot = Pick<ExplainedStayPrice, 'reasons' | 'instead' | 'currency'>;

/** Fields of an answer that has no stay. */
export const WHY_NOT_FIELDS = {
  reasons: {
    anyOf: [{ type: 'array', items: extraSchemaOf('StayReason') }, { type: 'null' }],
    description:
      'Why the stay is not possible. Absent: not known to this token. Null: the operator does not tell.',
  },
  instead: {
    type: 'array',
    items: extraSchemaOf('InsteadStay'),
    description:
      'Stays of this property that are possible, the nearest first. Absent: not known to this token.',
  },
} as const;

/** Undefined where the token may not ask, the stay has become possible, or there is no answer: all that is optional. */
export async function whyNot(
  client: Stayport,
  propertyId: string,
  asked: AskedStay,
  limits: CallOptions,
): Promise<WhyNot | undefined> {
  const item = await askPrices(client, propertyId, asked, limits);
  return item === undefined || item.code === null ? undefined : item;
}

/** Undefined where the token may not ask, or there is no answer. */
export async function askPrices(
  client: Stayport,
  propertyId: string,
  { checkIn, checkOut, guests, childAges }: AskedStay,
  limits: CallOptions,
): Promise<ExplainedStayPrice | undefined> {
  const ages = childAges === undefined ? {} : { childAges };
  const stay = { checkIn, checkOut, guests, ...ages };
  const request = { propertyIds: [propertyId], stay, why: true as const };
  try {
    const answered = await whereAllowed(client, 'prices', () => client.prices.forProperties(request, limits));
    return answered?.data.items[0];
  } catch (error) {
    if (isStayportError(error)) return undefined;
    throw error;
  }
}

/** The part for the structured result. */
export function fieldsOf(found: WhyNot | undefined): Partial<Pick<WhyNot, 'reasons' | 'instead'>> {
  return found === undefined ? {} : { reasons: found.reasons, instead: found.instead };
}

/** A line for the reasons, and one for the stays; none without them. */
export function linesOfWhy(found: WhyNot | undefined): string[] {
  const { reasons, instead = [], currency } = found ?? {};
  const why = (reasons ?? []).map(sayReason).join(' ');
  const stays = instead.map((stay) => sayStay(stay, currency ?? null)).join('; ');
  return [...(why === '' ? [] : [`Why: ${why}`]), ...(stays === '' ? [] : [`Possible instead: ${stays}`])];
}

function sayStay({ checkIn, checkOut, nights, total }: InsteadStay, currency: string | null): string {
  const price = total === null ? '' : `, ${total}${currency === null ? '' : ` ${currency}`}`;
  return `${checkIn} to ${checkOut} (${nights} nights${price})`;
}

const DATES_MAX = 10;
const MEANINGS = meaningsOf('StayReason');

/** What its code means, with its own values. A code of a later release keeps its own form. */
function sayReason(reason: StayReason): string {
  const { code, ...members } = reason;
  const meaning = MEANINGS.get(code);
  if (meaning === undefined) return `${code} ${JSON.stringify(members)}.`;
  return `${code}: ${meaning.replaceAll(/`(\w+)`/g, (_, name: string) => sayValue((members as Record<string, unknown>)[name]))}`;
}

function sayValue(value: unknown): string {
  if (!Array.isArray(value)) return String(value);
  if (value.length === 0) return 'none';
  const more = value.length > DATES_MAX ? ` and ${value.length - DATES_MAX} more` : '';
  return value.slice(0, DATES_MAX).join(', ') + more;
}
