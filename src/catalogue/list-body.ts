/**
 * The body of PartnerPropertyList, put together from ready bytes: a page is a copy, not a stringify.
 */
import type { Block } from './block.ts';
import type { PartRange } from './property-record.ts';

export interface PageItem {
  readonly block: Block;
  readonly body: PartRange;
}

const HEAD = '{"items":[';
const COMMA = 0x2c;

/** The JSON bytes of a page (SPEC 2, PartnerPropertyList). */
export function buildListBody(
  items: readonly PageItem[],
  page: number,
  pageSize: number,
  total: number,
): Uint8Array {
  const hasMore = page * pageSize < total;
  const tail = `],"pagination":{"page":${page},"pageSize":${pageSize},"total":${total},"hasMore":${hasMore}}}`;
  let length = HEAD.length + tail.length + Math.max(0, items.length - 1);
  for (const { body } of items) length += body.end - body.start;
  const bytes = Buffer.allocUnsafe(length);
  let position = bytes.write(HEAD, 0, 'latin1');
  for (let index = 0; index < items.length; index++) {
    const { block, body } = items[index]!;
    if (index > 0) bytes[position++] = COMMA;
    position += block.slab.bytes.copy(bytes, position, body.start, body.end);
  }
  bytes.write(tail, position, 'latin1');
  return bytes;
}
