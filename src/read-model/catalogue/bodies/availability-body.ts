/**
 * The body of PartnerAvailability (SPEC 4.3), from the bits of one property's rows.
 */
import type { StayRequest } from '../../../domain/eligibility.ts';
import { formatLocalDate, type EpochDay } from '../../../domain/local-date.ts';
import { LINE_WORDS_MAX } from '../index/bit-lines.ts';
import { keepEligible, selectSlot, type StayLines } from '../index/block-search.ts';
import type { Block } from '../index/block.ts';
import { openLine } from '../index/open-nights.ts';
import { asByteText, type ByteText } from './byte-text.ts';

export interface AvailabilityQuery extends StayRequest {
  readonly propertyId: string;
  readonly partnerId: string;
}

/**
 * Most requests need the same few hundred days, but any date is valid, so the cache is bounded: days that differ by a
 * multiple of this share a place. A power of two.
 */
const DAY_TEXTS_MAX = 4_096;
const dayTexts: (DayText | undefined)[] = new Array<undefined>(DAY_TEXTS_MAX).fill(undefined);

// Scratch: the rows of one block; answering is synchronous.
const rows = new Int32Array(LINE_WORDS_MAX);

/** JSON, all ASCII. Nights outside `offered` are not available, whatever the index says. */
export function buildAvailabilityBody(
  block: Block,
  slot: number,
  query: AvailabilityQuery,
  stay: StayLines,
  offered: { readonly first: EpochDay; readonly end: EpochDay },
): ByteText {
  const { propertyId, checkIn, checkOut, guests } = query;
  const selected = selectSlot(block, slot, query, rows);
  const { from, until } = selected;
  const holdsAll = block.holdsNights(query);
  let days = '';
  for (let night = checkIn; night < checkOut; night++) {
    const isOffered =
      night >= offered.first &&
      night < offered.end &&
      (holdsAll || block.holdsNights({ checkIn: night, checkOut: night }));
    const available = isOffered && isAnyOpen(block, stay.nights[night - checkIn]!, from, until);
    if (night !== checkIn) days += ',';
    days += available ? dayTextOf(night).open : dayTextOf(night).closed;
  }
  let available = false;
  if (checkIn >= offered.first && checkOut <= offered.end) {
    keepEligible(block, stay, () => checkIn - offered.first, selected);
    available = isAnySet(from, until);
  }
  // Ids and timezone names are plain ASCII without quotes: nothing to escape.
  return asByteText(
    `{"propertyId":"${propertyId}","stay":{"checkIn":"${dayTextOf(checkIn).date}",` +
      `"checkOut":"${dayTextOf(checkOut).date}","nights":${stay.nightCount},"guests":${guests},` +
      `"timezone":"${block.timezone(slot)}"},"available":${available},"days":[${days}]}`,
  );
}

/** A day as JSON. */
interface DayText {
  readonly day: EpochDay;
  readonly date: string;
  readonly open: string;
  readonly closed: string;
}

function dayTextOf(day: EpochDay): DayText {
  const place = day & (DAY_TEXTS_MAX - 1);
  const known = dayTexts[place];
  if (known?.day === day) return known;
  const date = formatLocalDate(day);
  const text = {
    day,
    date,
    open: `{"date":"${date}","available":true}`,
    closed: `{"date":"${date}","available":false}`,
  };
  dayTexts[place] = text;
  return text;
}

function isAnyOpen(block: Block, line: number, from: number, until: number): boolean {
  const { words, wordsPerLine } = block.lines.open;
  const base = openLine(line) * wordsPerLine;
  for (let word = from; word < until; word++) {
    if ((rows[word]! & words[base + word]!) !== 0) return true;
  }
  return false;
}

function isAnySet(from: number, until: number): boolean {
  for (let word = from; word < until; word++) if (rows[word] !== 0) return true;
  return false;
}
