/**
 * A supply whose dates are all moved by one number of days, so that its first night is a given one: sample data
 * that was written for a past year can be sold today.
 */
import type { CalendarEntry } from '../../../domain/calendar.ts';
import { type EpochDay, formatLocalDate, parseLocalDate } from '../../../domain/local-date.ts';
import type { Discount, Property, TaxRule } from '../../../domain/property.ts';
import type { SuppliedProperty, Supply, SupplyItem } from '../../../supply/run/supply-item.ts';

/** Reads the supply once to find its first night; `open` then reads it again. */
export async function moveSupply(supply: Supply, firstNight: EpochDay): Promise<Supply> {
  let earliest: EpochDay | undefined;
  for await (const item of supply.open()) {
    if (item.kind !== 'property') continue;
    for (const { from } of item.entries.flat()) earliest = Math.min(earliest ?? from, from);
  }
  const dayCount = earliest === undefined ? 0 : firstNight - earliest;
  return { ...boundMethods(supply), open: () => moveItems(supply.open(), dayCount) };
}

function boundMethods(supply: Supply): Omit<Supply, 'open'> {
  return { progress: () => supply.progress(), close: async () => supply.close() };
}

async function* moveItems(items: AsyncIterable<SupplyItem>, dayCount: number): AsyncGenerator<SupplyItem> {
  for await (const item of items) yield item.kind === 'property' ? moveProperty(item, dayCount) : item;
}

function moveProperty(item: SuppliedProperty, dayCount: number): SuppliedProperty {
  return {
    ...item,
    property: moveDiscounts(moveTaxes(item.property, dayCount), dayCount),
    entries: item.entries.map((entries) => entries.map((entry) => moveEntry(entry, dayCount))),
  };
}

function moveEntry(entry: CalendarEntry, dayCount: number): CalendarEntry {
  return { ...entry, from: entry.from + dayCount, to: entry.to + dayCount };
}

function moveTaxes(property: Property, dayCount: number): Property {
  const taxes = property.taxes.map((rule): TaxRule => ({
    ...rule,
    validFrom: moveDate(rule.validFrom, dayCount),
    validTo: moveDate(rule.validTo, dayCount),
  }));
  return { ...property, taxes };
}

function moveDiscounts(property: Property, dayCount: number): Property {
  const { discounts } = property;
  if (discounts === undefined) return property;
  return { ...property, discounts: discounts.map((discount) => moveDiscount(discount, dayCount)) };
}

function moveDiscount(discount: Discount, dayCount: number): Discount {
  const moved = (['stayFrom', 'stayTo', 'bookFrom', 'bookTo'] as const).flatMap((name) => {
    const date = moveDate(discount[name] ?? null, dayCount);
    return date === null ? [] : [[name, date]];
  });
  return { ...discount, ...Object.fromEntries(moved) };
}

function moveDate(date: string | null, dayCount: number): string | null {
  const day = date === null ? undefined : parseLocalDate(date);
  return day === undefined ? null : formatLocalDate(day + dayCount);
}
