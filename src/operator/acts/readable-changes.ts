/** Changes of calendars, for people. */
import type { PresentedChange, PresentedChanges } from '../../supply/manual-override/present-changes.ts';

/**
 * By property, then by inventory type:
 *
 *     hotel-ponte
 *       double  2026-12-24 to 2026-12-26  availability 3 -> 0, rate 120.00 -> 210.00
 */
export function formatChanges({ changes, changesLeftOut }: PresentedChanges): string {
  const lines: string[] = [];
  let property: string | undefined;
  for (const change of changes) {
    if (change.propertyId !== property) lines.push(change.propertyId);
    property = change.propertyId;
    lines.push(`  ${change.inventoryTypeId}  ${formatNights(change)}  ${formatChangedFields(change)}`);
  }
  if (changesLeftOut > 0) lines.push(`and ${changesLeftOut} more stretches of nights`);
  return lines.length === 0 ? 'No night changes for partners.' : lines.join('\n');
}

export function formatNights({ dateFrom, dateTo }: Pick<PresentedChange, 'dateFrom' | 'dateTo'>): string {
  return dateFrom === dateTo ? dateFrom : `${dateFrom} to ${dateTo}`;
}

function formatChangedFields({ before, after }: PresentedChange): string {
  return Object.keys(after)
    .map((field) => `${field} ${formatChangedValue(before[field])} -> ${formatChangedValue(after[field])}`)
    .join(', ');
}

function formatChangedValue(value: unknown): string {
  if (value === null || value === undefined) return 'not set';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
