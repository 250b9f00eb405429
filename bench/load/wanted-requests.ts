/**
 * The requests that measure an operation: those whose answers are what the operation is about, with these answers.
 */
import type { CityDatabase } from '../catalogue/city-database.ts';
import { seedRandom } from '../measure/random.ts';
import { SEED } from '../seed.ts';
import {
  type Draw,
  drawAvailability,
  drawProperty,
  drawQuote,
  drawRequests,
  drawSearch,
  drawTotals,
} from './city-requests.ts';
import { type RecordedAnswer, recordAnswers, type RequestParts } from './recorded-answer.ts';

const PAGE_ITEMS = 20;
const DRAWN_AT_ONCE = 500;
const DRAWS_MAX = 40;

export type OperationName = 'search' | 'property' | 'availability' | 'quote' | 'totals';

export interface MeasuredOperation {
  readonly name: OperationName;
  readonly draw: Draw;
  readonly isWanted: (answer: RecordedAnswer) => boolean;
  readonly requestCount: number;
}

export const MEASURED_OPERATIONS: readonly MeasuredOperation[] = [
  { name: 'search', draw: drawSearch, isWanted: isFullPage, requestCount: 2000 },
  { name: 'property', draw: drawProperty, isWanted: isSuccess, requestCount: 2000 },
  { name: 'availability', draw: drawAvailability, isWanted: isSuccess, requestCount: 2000 },
  { name: 'quote', draw: drawQuote, isWanted: isSuccess, requestCount: 1000 },
  { name: 'totals', draw: drawTotals, isWanted: isFullPage, requestCount: 1000 },
];

export interface WantedRequests {
  readonly requests: readonly RequestParts[];
  /** One per request. */
  readonly answers: readonly RecordedAnswer[];
}

/** Draws and asks until there are enough. */
export async function recordWanted(
  city: CityDatabase,
  { name, draw, isWanted, requestCount }: MeasuredOperation,
  port: number,
): Promise<WantedRequests> {
  const random = seedRandom(SEED);
  const requests: RequestParts[] = [];
  const answers: RecordedAnswer[] = [];
  for (let draws = 0; draws < DRAWS_MAX && requests.length < requestCount; draws++) {
    const drawn = drawRequests(random, city, draw, DRAWN_AT_ONCE);
    for (const [index, answer] of (await recordAnswers(port, drawn)).entries()) {
      if (!isWanted(answer)) continue;
      requests.push(drawn[index]!);
      answers.push(answer);
    }
  }
  if (requests.length === 0) throw new Error(`no request for ${name} was answered as wanted`);
  return { requests, answers };
}

function isSuccess({ status }: RecordedAnswer): boolean {
  return status === 200 || status === 201;
}

function isFullPage(answer: RecordedAnswer): boolean {
  if (!isSuccess(answer)) return false;
  const { items } = JSON.parse(Buffer.from(answer.body).toString('utf8')) as { items: readonly unknown[] };
  return items.length === PAGE_ITEMS;
}
