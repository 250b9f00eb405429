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

/** Most pages fit; a longer one gets memory of its own. */
const PAGE_BYTES = 64 * 1024;
/** Longer memory is not kept for the next page. */
const SPARE_BYTES_MAX = 1024 * 1024;

let spare: Buffer | undefined;

/**
 * Gives the memory of a body back, which must be of `buildListBody` and needed by nobody any more: the next page is
 * written where this one stood, into memory that the processor still has at hand. Fresh memory for every page costs
 * three times as much to fill (`docs/performance.md`). Bodies that are not given back are the garbage collector's.
 */
export function giveBackListBody({ buffer }: Uint8Array): void {
  if (buffer.byteLength <= SPARE_BYTES_MAX) spare = Buffer.from(buffer);
}

function takeBytes(length: number): Buffer {
  const taken =
    spare !== undefined && spare.length >= length
      ? spare
      : Buffer.allocUnsafeSlow(Math.max(length, PAGE_BYTES));
  if (taken === spare) spare = undefined;
  return taken.subarray(0, length);
}
