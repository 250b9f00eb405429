/** Forms with a file, `multipart/form-data`, whole in memory: bounded in bytes before, and in parts, which cost more. */
import { hasMorePairs } from '../../contract/reading/sent-pairs.ts';
import { type ConsoleExchange, type ConsoleHook, FORM_FIELDS_MAX, formOf } from './console-exchange.ts';
import { presentRefusal } from './console-answers.ts';
import { boundaryOf } from './multipart.ts';

export const FILE_FORM_TYPE = 'multipart/form-data';
/** Behind the body. `textBytesMax`: of all fields together, without the file. */
export function fileFormHook(textBytesMax: number): ConsoleHook {
  return async (exchange) => {
    const { 'content-type': type = '' } = exchange.request.headers;
    const { buffer, byteOffset, byteLength } = exchange.body;
    const body = Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
    if (isFileForm(type)) {
      const boundary = boundaryOf(type);
      if (boundary === undefined) return presentRefusal(exchange, 'form');
      const parts = findParts(body, boundary);
      if (parts.length > FORM_FIELDS_MAX) return presentRefusal(exchange, 'tooLarge');
      const { file, rest } = cutFile(body, parts);
      if (!(await readParts(exchange, rest, boundary))) return presentRefusal(exchange, 'form');
      if (file !== undefined) exchange.file = file;
    } else if (hasMorePairs(body, FORM_FIELDS_MAX)) return presentRefusal(exchange, 'tooLarge');
    if (textBytesOf(formOf(exchange)) > textBytesMax) presentRefusal(exchange, 'tooLarge');
  };
}

function isFileForm(type: string): boolean {
  return type.toLowerCase().startsWith(FILE_FORM_TYPE);
}

/** Where the parts begin, each with its delimiter; more than can be read are not looked for. */
function findParts(body: Buffer, boundary: string): number[] {
  const found: number[] = [];
  for (let at = body.indexOf(`--${boundary}`); at !== -1 && found.length <= FORM_FIELDS_MAX;) {
    found.push(at);
    at = body.indexOf(`--${boundary}`, at + 1);
  }
  return found;
}

/** A part's head, with its delimiter. */
const HEAD_BYTES_MAX = 4_096;
const LINE_END = '\r\n';

/**
 * The content of the first file that has any, and the form without it. Reading a file of 30 MB with the fields would copy
 * it four times, 0.15 s in which partners wait.
 */
function cutFile(
  body: Buffer<ArrayBuffer>,
  parts: readonly number[],
): { readonly file?: Buffer<ArrayBuffer>; readonly rest: Buffer } {
  for (const [index, at] of parts.entries()) {
    const end = (parts[index + 1] ?? 0) - LINE_END.length;
    const head = body.toString('latin1', at, at + HEAD_BYTES_MAX).split(LINE_END.repeat(2), 1)[0]!;
    const start = at + head.length + 2 * LINE_END.length;
    if (end <= start || !/^content-disposition:.*;\s*filename/im.test(head)) continue;
    return {
      file: body.subarray(start, end),
      rest: Buffer.concat([body.subarray(0, start), body.subarray(end)]),
    };
  }
  return { rest: body };
}

/**
 * False where it cannot be read as a form. The parser is told the boundary that was counted: of two that a header may
 * name it could take the other. The name that the sender gives a file is not looked at.
 */
async function readParts(exchange: ConsoleExchange, form: Buffer, boundary: string): Promise<boolean> {
  const fields = new URLSearchParams();
  try {
    const parts = await new Response(new Uint8Array(form), {
      headers: { 'content-type': `${FILE_FORM_TYPE}; boundary="${boundary}"` },
    }).formData();
    for (const [name, value] of parts) if (typeof value === 'string') fields.append(name, value);
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
  exchange.form = fields;
  return true;
}

function textBytesOf(form: URLSearchParams): number {
  let length = 0;
  for (const [name, value] of form) length += Buffer.byteLength(name) + Buffer.byteLength(value);
  return length;
}
