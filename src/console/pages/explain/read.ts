/** A trial quote of a stay, rule by rule. */
import { parseTypedAges } from '../../../domain/child-ages.ts';
import { parseLocalDate } from '../../../domain/local-date.ts';
import { STAY_GUESTS_MAX, STAY_NIGHTS_MAX } from '../../../domain/stay-limits.ts';
import { explainQuote } from '../../../partner/quotes/explain-quote.ts';
import type { PagePorts, PageQuestion, ShownBy } from '../../reading/console-page.ts';
import { presentRow } from '../properties/read.ts';

export type ExplainShown = ShownBy<typeof readExplanation>;

/**
 * As `quote explain`: `{propertyId}?checkIn=&checkOut=&guests=&childAges=`. `rows` is null if the stay can't be read: the page
 * then shows the form.
 */
export async function readExplanation(ports: PagePorts, { segments, query, locale }: PageQuestion) {
  const { propertyId = '' } = segments;
  const stored = await ports.storage.findProperty(propertyId);
  if (stored === undefined) return undefined;
  const stay = readStay(query);
  const rows = stay === undefined ? null : await explainQuote(ports, { propertyId, ...stay, locale });
  return rows === undefined ? undefined : { ...presentRow(stored, locale), rows };
}

/** Undefined unless it is a stay that a partner could ask for. */
function readStay(query: URLSearchParams) {
  const checkIn = parseLocalDate(query.get('checkIn') ?? '');
  const checkOut = parseLocalDate(query.get('checkOut') ?? '');
  const guests = Number(query.get('guests') ?? Number.NaN);
  if (checkIn === undefined || checkOut === undefined || !Number.isInteger(guests)) return undefined;
  const isWithin = (count: number, max: number): boolean => count >= 1 && count <= max;
  const isStay = isWithin(checkOut - checkIn, STAY_NIGHTS_MAX) && isWithin(guests, STAY_GUESTS_MAX);
  if (!isStay) return undefined;
  const typed = query.get('childAges')?.trim() ?? '';
  if (typed === '') return { checkIn, checkOut, guests };
  const childAges = parseTypedAges(typed, guests);
  return childAges && { checkIn, checkOut, guests, childAges };
}
