/** A stay of one property, rule by rule: what `quote explain` prints. */
import { type EpochDay, parseLocalDate } from '../domain/local-date.ts';
import { STAY_GUESTS_MAX, STAY_NIGHTS_MAX } from '../domain/stay-limits.ts';
import type { PageQuestion } from './console-page.ts';
import { type ExplainDeps, explainQuote, type QuoteExplanation } from '../quotes/explain-quote.ts';

export interface ExplainShown {
  /** Null where the question can't be read: the page asks. */
  readonly rows: QuoteExplanation | null;
  readonly propertyId: string;
}

interface AskedStay {
  readonly checkIn: EpochDay;
  readonly checkOut: EpochDay;
  readonly guests: number;
}

/** `{propertyId}?checkIn=&checkOut=&guests=`; undefined when the property is unknown. */
export async function readExplanation(
  deps: ExplainDeps,
  { segments, query, locale }: PageQuestion,
): Promise<ExplainShown | undefined> {
  const { propertyId = '' } = segments;
  const stay = readStay(query);
  if (stay === undefined) {
    const layered = await deps.storage.findLayers(propertyId);
    return layered && { rows: null, propertyId };
  }
  const rows = await explainQuote(deps, { propertyId, ...stay, locale });
  return rows && { rows, propertyId };
}

/** Undefined unless it is a stay that a partner could ask for. */
function readStay(query: URLSearchParams): AskedStay | undefined {
  const checkIn = parseLocalDate(query.get('checkIn') ?? '');
  const checkOut = parseLocalDate(query.get('checkOut') ?? '');
  const guests = Number(query.get('guests') ?? Number.NaN);
  if (checkIn === undefined || checkOut === undefined) return undefined;
  const nightCount = checkOut - checkIn;
  const isStay = nightCount >= 1 && nightCount <= STAY_NIGHTS_MAX;
  return isStay && Number.isInteger(guests) && guests >= 1 && guests <= STAY_GUESTS_MAX
    ? { checkIn, checkOut, guests }
    : undefined;
}
