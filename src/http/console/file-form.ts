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
      if (countParts(exchange.body, type) > FORM_FIELDS_MAX) return presentRefusal(exchange, 'tooLarge');
      if (!(await readParts(exchange, type))) return presentRefusal(exchange, 'form');
    }
    const form = formOf(exchange);
    if (form.size > FORM_FIELDS_MAX || textBytesOf(form) > textBytesMax) presentRefusal(exchange, 'tooLarge');
  };
}

function isFileForm(type: string): boolean {
  return type.toLowerCase().startsWith(FILE_FORM_TYPE);
}

function countParts(body: Uint8Array, type: string): number {
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1] ?? '';
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  let count = 0;
  for (let at = bytes.indexOf(`--${boundary}`); at !== -1 && count <= FORM_FIELDS_MAX; count += 1)
    at = bytes.indexOf(`--${boundary}`, at + 1);
  return count;
}

/** False where it cannot be read as a form. The name that the sender gives a file is not looked at. */
async function readParts(exchange: ConsoleExchange, type: string): Promise<boolean> {
  const fields = new URLSearchParams();
  try {
    const parts = await new Response(new Uint8Array(exchange.body), {
      headers: { 'content-type': type },
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
