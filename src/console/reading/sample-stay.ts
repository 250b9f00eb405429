/** A stay that a partner can ask about: for calls that are ready to be pasted. */
import { formatLocalDate, localToday } from '../../domain/local-date.ts';
import { DEFAULT_LOCALE, isVisibleTo, textFor } from '../../domain/property.ts';
import { decideStored } from '../../domain/quote-decision.ts';
import type { StoredProperty } from '../../storage/catalogue/store.ts';
import type { ActPorts, ActQuestion } from './console-page.ts';
import { figuresOfProperty } from './property-table.ts';

export interface SampleStay {
  readonly propertyId: string;
  readonly city: string;
  readonly checkIn: string;
  readonly checkOut: string;
  readonly guests: number;
}

/** Properties, by id, that are looked at. */
const SAMPLED_MAX = 50;
const GUESTS = 2;
/** Lengths that are tried, in this order: a type may have a minimum stay. */
const LENGTHS = [2, 1, 3, 4, 5, 6, 7];

/** A stay that gets a quote where one is soon found, else any; undefined where the partner sees no property. */
export async function findSampleStay(
  { storage, clock, horizonNights }: ActPorts,
  { segments }: ActQuestion,
): Promise<SampleStay | undefined> {
  const moment = { nowMs: clock(), horizonNights };
  let fallback: SampleStay | undefined;
  for (const { property } of await storage.listProperties('', SAMPLED_MAX)) {
    if (!isVisibleTo(property, segments['partnerId'] ?? '')) continue;
    const stored = await storage.findProperty(property.propertyId);
    if (stored === undefined) continue;
    const { stay, isQuoted } = stayAt(stored, moment);
    if (isQuoted) return stay;
    fallback ??= stay;
  }
  return fallback;
}

function stayAt(stored: StoredProperty, moment: { readonly nowMs: number; readonly horizonNights: number }) {
  const { property } = stored;
  const guests = Math.min(GUESTS, Math.max(...property.inventoryTypes.map(({ guestsMax }) => guestsMax)));
  const { nextNight } = figuresOfProperty(stored, moment);
  const checkIn = nextNight ?? localToday(property.timezone, moment.nowMs) + 1;
  const quoted = LENGTHS.find((nights) => {
    const asked = { checkIn, checkOut: checkIn + nights, guests };
    return decideStored(stored, asked, moment).decision.outcome === 'priced';
  });
  const stay = {
    propertyId: property.propertyId,
    city: textFor(property.location.city, DEFAULT_LOCALE),
    checkIn: formatLocalDate(checkIn),
    checkOut: formatLocalDate(checkIn + (quoted ?? LENGTHS[0]!)),
    guests,
  };
  return { stay, isQuoted: nextNight !== null && quoted !== undefined };
}
