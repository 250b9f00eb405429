/** Figures as Inside Airbnb writes them. */

/** An optional sign or code of whatever currency, thousands with commas or without, at most two decimals. */
const PRICE = /^[^\d.,\s-]{0,4}\s?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?$/;
/** Ten digits, as an amount in a property document. */
const PRICE_UNITS_MAX = 9_999_999_999;
const WHOLE = /^\d+(?:\.0*)?$/;

/** Minor units of `$1,234.00`; null for none and for zero, which means none; undefined for what is not a price. */
export function parsePrice(text: string): number | null | undefined {
  if (text === '') return null;
  const match = PRICE.exec(text);
  if (match === null) return undefined;
  const units = Number(match[1]!.replaceAll(',', ''));
  if (units > PRICE_UNITS_MAX) return undefined;
  const minorUnits = units * 100 + Number((match[2] ?? '').padEnd(2, '0'));
  return minorUnits === 0 ? null : minorUnits;
}

/** `3` or `3.0`; null for none and for zero, which restricts nothing; undefined for anything else. */
export function parseNightCount(text: string): number | null | undefined {
  if (text === '') return null;
  const nights = WHOLE.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(nights)) return undefined;
  return nights === 0 ? null : nights;
}
