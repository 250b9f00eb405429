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
    const { body } = exchange;
    if (isFileForm(type)) {
      const boundary = boundaryOf(type);
      if (boundary === undefined) return presentRefusal(exchange, 'form');
      if (countParts(body, boundary) > FORM_FIELDS_MAX) return presentRefusal(exchange, 'tooLarge');
      if (!(await readParts(exchange, boundary))) return presentRefusal(exchange, 'form');
    } else if (hasMorePairs(body, FORM_FIELDS_MAX)) return presentRefusal(exchange, 'tooLarge');
    if (textBytesOf(formOf(exchange)) > textBytesMax) presentRefusal(exchange, 'tooLarge');
  };
}

function isFileForm(type: string): boolean {
  return type.toLowerCase().startsWith(FILE_FORM_TYPE);
}

function countParts(body: Uint8Array, boundary: string): number {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  let count = 0;
  for (let at = bytes.indexOf(`--${boundary}`); at !== -1 && count <= FORM_FIELDS_MAX; count += 1)
    at = bytes.indexOf(`--${boundary}`, at + 1);
  return count;
}

/**
 * False where it cannot be read as a form. The parser is told the boundary that was counted: of two that a header may
 * name it could take the other. The name that the sender gives a file is not looked at.
 */
async function readParts(exchange: ConsoleExchange, boundary: string): Promise<boolean> {
  const fields = new URLSearchParams();
  try {
    const parts = await new Response(new Uint8Array(exchange.body), {
      headers: { 'content-type': `${FILE_FORM_TYPE}; boundary="${boundary}"` },
    }).formData();
    for (const [name, value] of parts) {
      if (typeof value === 'string') fields.append(name, value);
      else if (value.size > 0) exchange.file ??= new Uint8Array(await value.arrayBuffer());
    }
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
