/** Which day it is in the story that is told: stories of one thread are told one after the other. */
import { DAY_MS, type EpochDay } from '../../src/domain/local-date.ts';
import { NOW_MS, TODAY } from '../kit/catalogue-samples.ts';

let passedMs = 0;

/** How far the clocks of everybody have gone on beyond the time that the story takes. */
export function setPassed(ms: number): void {
  passedMs = ms;
}

export function passed(): number {
  return passedMs;
}

/** The instant that the naive model looks from. */
export function lookingFromMs(): number {
  return NOW_MS + passedMs;
}

/** The stay of all stories, as many days ahead as ever. */
export function usualStay(): { readonly checkIn: EpochDay; readonly checkOut: EpochDay } {
  const today = TODAY + Math.floor(passedMs / DAY_MS);
  return { checkIn: today + 3, checkOut: today + 5 };
}
