/**
 * A request as our listeners receive it. What every request is judged by is read in one pass over its header lines;
 * node's `headers`, an object made of all of them when it is first asked for, is left to the few who need more.
 */
import { IncomingMessage } from 'node:http';

export class ListenerRequest extends IncomingMessage {
  host: string | undefined = undefined;
  authorization: string | undefined = undefined;
  origin: string | undefined = undefined;
  contentType: string | undefined = undefined;
  /** Asks to go on in another protocol. */
  isUpgrade = false;
  /** Announces a body that is not empty. */
  hasBody = false;
  /** The first header that may come once and came twice; a proxy in front may have judged by another one than we. */
  repeatedHeader: string | undefined = undefined;
}

const READ_NAMES = [
  'host',
  'origin',
  'upgrade',
  'content-type',
  'authorization',
  'content-length',
  'transfer-encoding',
];
const READ_LENGTHS: ReadonlySet<number> = new Set(READ_NAMES.map((name) => name.length));

/** To be called once, when the request has come. */
export function readHeaders(request: ListenerRequest): void {
  const { rawHeaders } = request;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (READ_LENGTHS.has(name.length)) readHeader(request, name.toLowerCase(), rawHeaders[index + 1]!);
  }
}

function readHeader(request: ListenerRequest, name: string, value: string): void {
  switch (name) {
    case 'host':
      if (request.host === undefined) request.host = value;
      else request.repeatedHeader ??= name;
      break;
    case 'authorization':
      if (request.authorization === undefined) request.authorization = value;
      else request.repeatedHeader ??= name;
      break;
    case 'origin':
      if (request.origin === undefined) request.origin = value;
      else request.repeatedHeader ??= name;
      break;
    case 'content-type':
      if (request.contentType === undefined) request.contentType = value;
      else request.repeatedHeader ??= name;
      break;
    case 'upgrade':
      request.isUpgrade = true;
      break;
    case 'content-length':
      if (Number(value) > 0) request.hasBody = true;
      break;
    case 'transfer-encoding':
      request.hasBody = true;
      break;
  }
}
