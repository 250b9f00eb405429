/** A long line of `POST /supply/v1/import`, read as far as it can be apart from everything else. */
import { readTextLine } from '../native/catalogue-file.ts';
import { encodeProperty } from '../run/encode-property.ts';
import { findForeignPrice } from '../run/foreign-price.ts';
import type { EncodedProperty, RejectedItem } from '../run/supply-item.ts';

export interface ImportLineOptions {
  /** As rejections name it. */
  readonly file: string;
  /** Of the line, counted from 1. */
  readonly number: number;
  readonly text: string;
  readonly source: string;
  readonly horizonNights: number;
}

/** Never throws, whatever the line says. */
export function readImportLine({
  source,
  horizonNights,
  file,
  ...line
}: ImportLineOptions): EncodedProperty | RejectedItem {
  const item = readTextLine(file, line);
  if (item.kind === 'rejected') return item;
  const { property, entries, keptTypeIds, details, bytes } = item;
  const refused = findForeignPrice(property, entries, source);
  if (refused !== undefined) {
    const propertyIds = [property.propertyId];
    return { kind: 'rejected', file, line: line.number, ...refused, isProperty: true, propertyIds };
  }
  const write = encodeProperty(property, entries, { source, horizonNights, keptTypeIds, details });
  return { kind: 'encoded', file, line: line.number, bytes, write };
}
