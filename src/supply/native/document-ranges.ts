/** Two optional fields of a document that bound something; both bounds are included. */
import { parseLocalDate } from '../../domain/local-date.ts';
import { type Fields, shown } from './document-fields.ts';

/** Whole numbers from `least` to `most`; those that the document has. The second must not be below the first. */
export function readNumberRange<Name extends string>(
  fields: Fields,
  [lowName, highName]: readonly [Name, Name],
  { least, most }: { readonly least: number; readonly most: number },
): Partial<Record<Name, number>> {
  const range: Partial<Record<Name, number>> = {};
  for (const name of [lowName, highName])
    if (!fields.isNull(name)) range[name] = fields.integer(name, least, most);
  const { [lowName]: low, [highName]: high } = range;
  if (low !== undefined && high !== undefined && high < low)
    fields.report(highName, `must not be below ${lowName} (${low})`);
  return range;
}

/** LocalDates as they were written; those that the document has. The second must not be before the first. */
export function readDateRange<Name extends string>(
  fields: Fields,
  [fromName, toName]: readonly [Name, Name],
): Partial<Record<Name, string>> {
  const range: Partial<Record<Name, string>> = {};
  for (const name of [fromName, toName]) {
    if (fields.isNull(name)) continue;
    const value = fields.value(name);
    if (typeof value === 'string' && parseLocalDate(value) !== undefined) range[name] = value;
    else fields.report(name, `must be a real date written YYYY-MM-DD, not ${shown(value)}`);
  }
  const { [fromName]: from, [toName]: to } = range;
  if (from !== undefined && to !== undefined && to < from)
    fields.report(toName, `must not be before ${fromName} (${from}), both are included`);
  return range;
}
