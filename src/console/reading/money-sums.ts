/** Amounts by currency, added up exactly. */
import { formatMoney, getMoney } from '../../domain/money.ts';

type Amounts = Readonly<Record<string, string>>;

/** `{"EUR":"1234.00"}` of several such, by currency. */
export function sumMoney(rows: readonly Amounts[]): Amounts {
  const sums = new Map<string, bigint>();
  for (const [currency, amount] of rows.flatMap((row) => Object.entries(row)))
    sums.set(currency, (sums.get(currency) ?? 0n) + getMoney(amount));
  const sorted = [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(sorted.map(([currency, sum]) => [currency, formatMoney(sum)]));
}
