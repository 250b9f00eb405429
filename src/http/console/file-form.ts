/** Forms with a file, `multipart/form-data`, whole in memory: bounded in bytes before, and in parts, which cost more. */
import type { ConsoleExchange, ConsoleHook } from './console-exchange.ts';
import { formOf } from './console-exchange.ts';
import { presentRefusal } from './console-answers.ts';

export const FILE_FORM_TYPE = 'multipart/form-data';
/** Fields of a large form: reading as many parts takes a quarter of a second. */
export const FORM_FIELDS_MAX = 6_000;

/** Behind the body. `textBytesMax`: of all fields together, without the file. */
export function fileFormHook(textBytesMax: number): ConsoleHook {
  return async (exchange) => {
    const { 'content-type': type = '' } = exchange.request.headers;
    if (isFileForm(type)) {
      const { buffer, byteOffset, byteLength } = exchange.body;
      const body = Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
      const parts = findParts(body, type);
      if (parts.length > FORM_FIELDS_MAX) return presentRefusal(exchange, 'tooLarge');
      const { file, rest } = cutFile(body, parts);
      if (!(await readParts(exchange, rest, type))) return presentRefusal(exchange, 'form');
      if (file !== undefined) exchange.file = file;
    }
    const form = formOf(exchange);
    if (form.size > FORM_FIELDS_MAX || textBytesOf(form) > textBytesMax) presentRefusal(exchange, 'tooLarge');
  };
}

function isFileForm(type: string): boolean {
  return type.toLowerCase().startsWith(FILE_FORM_TYPE);
}

/** Where the parts begin, each with its delimiter; more than can be read are not looked for. */
function findParts(body: Buffer, type: string): number[] {
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1] ?? '';
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

/** False where it cannot be read as a form. The name that the sender gives a file is not looked at. */
async function readParts(exchange: ConsoleExchange, form: Buffer, type: string): Promise<boolean> {
  const fields = new URLSearchParams();
  try {
    const response = new Response(new Uint8Array(form), { headers: { 'content-type': type } });
    for (const [name, value] of await response.formData())
      if (typeof value === 'string') fields.append(name, value);
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
