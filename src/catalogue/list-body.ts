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
  const bytes = takeBytes(length);
  let position = bytes.write(HEAD, 0, 'latin1');
  for (let index = 0; index < items.length; index++) {
    const { block, body } = items[index]!;
    if (index > 0) bytes[position++] = COMMA;
    position += block.slab.bytes.copy(bytes, position, body.start, body.end);
  }
  bytes.write(tail, position, 'latin1');
  return bytes;
}

/**
 * Bodies are cut from chunks of this size: one allocation for some twenty pages, where one each would keep the garbage
 * collector busy (`docs/performance.md`). A chunk lives until the last of its bodies is sent.
 */
const CHUNK_BYTES = 512 * 1024;

let chunk = Buffer.alloc(0);
let chunkUsed = 0;

function takeBytes(length: number): Buffer {
  if (length > CHUNK_BYTES) return Buffer.allocUnsafeSlow(length);
  if (chunkUsed + length > chunk.length) {
    chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    chunkUsed = 0;
  }
  chunkUsed += length;
  return chunk.subarray(chunkUsed - length, chunkUsed);
}
