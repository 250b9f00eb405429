/** Travellers in words: adults, and children with their ages. */
import { countAdults, type Party, type TaxPayers } from '../../domain/child-ages.ts';
import { parseMoney } from '../../domain/money.ts';
import type { View } from './frame.ts';

/** `2 adults, 2 children (4 and 9)`; without ages `4 guests`. */
export function sayParty(view: View, party: Party): string {
  const { messages } = view;
  const { guests, childAges } = party;
  if (childAges === undefined) return messages.guests(guests);
  return `${messages.adults(countAdults(party))}, ${sayChildren(view, childAges)}`;
}

/** `2 adults × €3.50, 1 child (12) at €1.75, 1 free`; amounts that depend on the price are left out. */
export function sayPayers(
  view: View,
  payers: readonly TaxPayers[],
  writeAmount: (amount: string) => string,
): string {
  const { messages } = view;
  const parts = payers.map(({ count, childAges, amount }) => {
    const isAdults = childAges.length === 0;
    if (amount !== null && parseMoney(amount) === 0n) return messages.taxFree(count);
    const who = isAdults ? messages.adults(count) : sayChildren(view, childAges);
    if (amount === null) return who;
    return isAdults ? `${who} × ${writeAmount(amount)}` : messages.taxOf(who, writeAmount(amount));
  });
  return parts.join(', ');
}

function sayChildren({ messages, formats }: View, ages: readonly number[]): string {
  return `${messages.children(ages.length)} (${formats.list(ages.map(messages.age))})`;
}
