/** The nights of an account's rooms, asked for in pieces, each room whole or not at all. */
import { type CalendarEntry, mergeEntries } from '../../domain/calendar.ts';
import { type Told, Wrong } from '../../domain/wrong.ts';
import type { Account, Room, UnpricedNights } from './kinds/connection-kind.ts';
import type { NightRange } from './account-jobs.ts';

/** Nights of one question: providers answer a year at least. */
const PIECE_NIGHTS = 366;

export type RoomCalendar =
  | {
      /** Ascending ranges without overlap, over all nights asked for; a night that was not mentioned has no unit. */
      readonly entries: readonly CalendarEntry[];
      /** Whether the answer mentioned any night. */
      readonly isEmpty: boolean;
      readonly unpriced: readonly UnpricedNights[];
    }
  | { readonly failure: Told };

/** Rejects as `Account` does. */
export async function readCalendars(
  account: Account,
  rooms: readonly Room[],
  { from, until }: NightRange,
): Promise<ReadonlyMap<string, RoomCalendar>> {
  const nights = new Map<string, CalendarEntry[]>(rooms.map(({ room }) => [room, []]));
  const unpriced = new Map<string, UnpricedNights[]>();
  const failures = new Map<string, Told>();
  for (let begin = from; begin < until; begin += PIECE_NIGHTS) {
    const range = { from: begin, until: Math.min(until, begin + PIECE_NIGHTS) };
    const piece = await account.readNights(rooms, range);
    for (const { room } of rooms) {
      const read = piece.get(room);
      if (read === undefined) failures.set(room, new Wrong('roomMissing'));
      else if ('failure' in read) failures.set(room, read.failure);
      else {
        nights
          .get(room)!
          .push(...read.nights.filter((night) => night.from >= range.from && night.to < range.until));
        unpriced.set(room, addUnpriced(unpriced.get(room) ?? [], read.unpriced));
      }
    }
  }
  return new Map(
    rooms.map(({ room }): [string, RoomCalendar] => {
      const failure = failures.get(room);
      if (failure !== undefined) return [room, { failure }];
      const said = nights.get(room)!;
      const unsaid: CalendarEntry = { from, to: until - 1, set: { availability: 0 } };
      const entries = mergeEntries([unsaid, ...said]);
      return [room, { entries, isEmpty: said.length === 0, unpriced: unpriced.get(room) ?? [] }];
    }),
  );
}

/** Each reason once. */
function addUnpriced(sums: readonly UnpricedNights[], more: readonly UnpricedNights[]): UnpricedNights[] {
  const all = [...sums];
  for (const one of more) {
    const place = all.findIndex(({ reason, isUsed }) => reason === one.reason && isUsed === one.isUsed);
    if (place === -1) all.push(one);
    else all[place] = { ...one, nights: all[place]!.nights + one.nights };
  }
  return all;
}
