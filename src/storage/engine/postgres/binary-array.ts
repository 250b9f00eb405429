/**
 * PostgreSQL arrays in its binary form, as one parameter of a statement.
 *
 * Measured, 500 properties to a statement: `unnest` of such arrays takes half the time of COPY into a temporary
 * table, and a sixth where rows exist already, because the planner knows nothing of a table just filled. As text,
 * each byte of a calendar would travel as two or four characters.
 */
const OID_BYTEA = 17;
const OID_INT4 = 23;
const OID_INT8 = 20;
const OID_TEXT = 25;
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;

/** For a parameter of type `text[]`; bytes are text in UTF-8. */
export function textArray(texts: readonly (string | Uint8Array | null)[]): Buffer {
  return encodeArray(
    OID_TEXT,
    texts.map((text) => (typeof text === 'string' ? Buffer.from(text) : text)),
  );
}

/** For a parameter of type `bytea[]`. */
export function bytesArray(values: readonly (Uint8Array | null)[]): Buffer {
  return encodeArray(OID_BYTEA, values);
}

/** For a parameter of type `int[]`. */
export function intArray(values: readonly number[]): Buffer {
  return encodeArray(
    OID_INT4,
    values.map((value) => {
      const bytes = Buffer.allocUnsafe(4);
      bytes.writeInt32BE(value);
      return bytes;
    }),
  );
}

/** For a parameter of type `bigint[]`. */
export function bigintArray(values: readonly (number | null)[]): Buffer {
  return encodeArray(
    OID_INT8,
    values.map((value) => {
      if (value === null) return null;
      const bytes = Buffer.allocUnsafe(8);
      bytes.writeBigInt64BE(BigInt(value));
      return bytes;
    }),
  );
}

/** Dimensions, whether there are nulls, element type; length and lower bound of the one dimension; then the elements. */
function encodeArray(elementOid: number, elements: readonly (Uint8Array | null)[]): Buffer {
  const size = elements.reduce(
    (sum, element) => sum + LENGTH_BYTES + (element?.byteLength ?? 0),
    HEADER_BYTES,
  );
  const array = Buffer.allocUnsafe(size);
  array.writeInt32BE(1, 0);
  array.writeInt32BE(elements.includes(null) ? 1 : 0, 4);
  array.writeInt32BE(elementOid, 8);
  array.writeInt32BE(elements.length, 12);
  array.writeInt32BE(1, 16);
  let offset = HEADER_BYTES;
  for (const element of elements) {
    offset = array.writeInt32BE(element === null ? -1 : element.byteLength, offset);
    if (element === null) continue;
    array.set(element, offset);
    offset += element.byteLength;
  }
  return array;
}
