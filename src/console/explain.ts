/** A stay of one property, rule by rule: what `quote explain` prints. */
import { parseLocalDate } from '../domain/local-date.ts';
import { STAY_GUESTS_MAX, STAY_NIGHTS_MAX } from '../domain/stay-limits.ts';
import { explainQuote } from '../quotes/explain-quote.ts';
import type { PagePorts, PageQuestion, ShownBy } from './console-page.ts';

export type ExplainShown = ShownBy<typeof readExplanation>;

/** `{propertyId}?checkIn=&checkOut=&guests=`; `rows` is null where the stay can't be read: the page asks. */
export async function readExplanation(ports: PagePorts, { segments, query, locale }: PageQuestion) {
  const { propertyId = '' } = segments;
  const stay = readStay(query);
  if (stay === undefined) return (await ports.storage.findLayers(propertyId)) && { rows: null, propertyId };
  const rows = await explainQuote(ports, { propertyId, ...stay, locale });
  return rows && { rows, propertyId };
}

/** Undefined unless it is a stay that a partner could ask for. */
function readStay(query: URLSearchParams) {
  const checkIn = parseLocalDate(query.get('checkIn') ?? '');
  const checkOut = parseLocalDate(query.get('checkOut') ?? '');
  const guests = Number(query.get('guests') ?? Number.NaN);
  if (checkIn === undefined || checkOut === undefined || !Number.isInteger(guests)) return undefined;
  const isWithin = (count: number, max: number): boolean => count >= 1 && count <= max;
  const isStay = isWithin(checkOut - checkIn, STAY_NIGHTS_MAX) && isWithin(guests, STAY_GUESTS_MAX);
  return isStay ? { checkIn, checkOut, guests } : undefined;
}
