/** Mappings as people write them: on the command line, or as a row of a file. */
import { connectionOf, findReservedReason, isSourceName, SOURCE_FORM } from '../../domain/layers.ts';
import { ID_PATTERN } from '../../domain/property.ts';
import type { SupplyMapping } from '../../storage/supply/store.ts';
import { notGiven } from '../../domain/document/document-fields.ts';
import { Wrong } from '../../domain/wrong.ts';
import { EXTERNAL_KEY_LENGTH_MAX } from '../messages/message-limits.ts';

export interface WrittenMapping {
  readonly source: string;
  readonly external: string;
  readonly property: string;
  readonly type: string;
}

export type ReadMapping =
  | { readonly ok: true; readonly mapping: SupplyMapping }
  | { readonly ok: false; readonly field: keyof WrittenMapping; readonly reason: Wrong };

export function readMapping({ source, external, property, type }: WrittenMapping): ReadMapping {
  // Rooms of a connection are mapped too; who stores the mapping asks `makeRoomCheck`.
  const reserved = connectionOf(source) === undefined ? findReservedReason(source) : undefined;
  if (reserved !== undefined)
    return { ok: false, field: 'source', reason: new Wrong('reserved', { why: reserved }) };
  if (!isSourceName(source)) {
    return { ok: false, field: 'source', reason: notGiven(SOURCE_FORM, source) };
  }
  if (!isText(external, EXTERNAL_KEY_LENGTH_MAX)) {
    return refuse('external', new Wrong('keyLength', { max: EXTERNAL_KEY_LENGTH_MAX }), external);
  }
  if (!ID_PATTERN.test(property)) return refuse('property', new Wrong('notPropertyId'), property);
  if (!ID_PATTERN.test(type)) return refuse('type', new Wrong('notTypeId'), type);
  return {
    ok: true,
    mapping: { source, externalKey: external, propertyId: property, inventoryTypeId: type },
  };
}

function isText(text: string, lengthMax: number): boolean {
  const isLong = text.length > lengthMax;
  return text.trim() !== '' && !isLong && text.isWellFormed() && !text.includes('\0');
}

function refuse(field: keyof WrittenMapping, wrong: Wrong, text: string): ReadMapping {
  return { ok: false, field, reason: notGiven(wrong, text) };
}
