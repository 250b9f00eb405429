/**
 * Forms with pictures, `multipart/form-data`, read while they arrive: each picture is stored before the next one is
 * read, so that a form with many of them costs the memory of one.
 */
import { mayAct, type Role } from '../../access/console-sessions.ts';
import { hasMorePairs } from '../../contract/reading/sent-pairs.ts';
import { wantedLocale } from '../../http/pages/page-answer.ts';
import { GrowingBody, mediaTypeHook, sendContinue } from '../../http/listener/request-body.ts';
import { readBodyChunks, type Reading } from '../../http/listener/body-chunks.ts';
import {
  presentIssues,
  presentProblem,
  UNAVAILABLE_RETRY_SECONDS,
} from '../../http/answers/present-problem.ts';
import type { FileFormLimits, UploadedPicture } from '../reading/console-page.ts';
import { UPLOAD_BYTES_MAX } from '../pages/property-form/pictures.ts';
import { sayWrong, Wrong } from '../../domain/wrong.ts';
import { presentJson, presentRefusal } from './console-answers.ts';
import {
  type ConsoleDeps,
  type ConsoleExchange,
  type ConsoleHook,
  FORM_FIELDS_MAX,
  formOf,
} from './console-exchange.ts';
import { findRightsRefusal, FORM_TYPE, ownPageHook, textBodyHook } from './form-gates.ts';
import { type ArrivingFile, boundaryOf, drop, FormBroken, FormTooLarge, readFilesForm } from './multipart.ts';

const FILE_FORM_TYPE = 'multipart/form-data';

/** Pictures that are worked on at a time: of all people in this process, and of one person. Others are sent again later. */
export const UPLOADS_AT_ONCE_MAX = 6;
export const UPLOADS_AT_ONCE_OF_PERSON_MAX = 2;
/** Bytes of pictures that have not arrived whole, as many as of pictures that are worked on. */
const ARRIVING_BYTES_MAX = UPLOADS_AT_ONCE_MAX * UPLOAD_BYTES_MAX;
const ARRIVING_BYTES_OF_PERSON_MAX = UPLOADS_AT_ONCE_OF_PERSON_MAX * UPLOAD_BYTES_MAX;

/**
 * Who sends pictures at this moment. A turn begins with the last byte of a picture; before that, only the bytes that
 * have arrived count, so that slow senders are in nobody's way.
 */
export class UploadTurns {
  readonly #counts = new Map<string, number>();
  readonly #arriving = new Map<string, number>();
  #count = 0;
  #arrivingBytes = 0;

  /**
   * False: too much is arriving, and nothing is held. Nobody holds more than is left for all others: of 180 MB two
   * people who stall hold 60 each, a third one 30, and the next one may send 15, so that there is always room.
   */
  hold(person: string, bytes: number): boolean {
    const own = (this.#arriving.get(person) ?? 0) + bytes;
    const all = this.#arrivingBytes + bytes;
    if (own > Math.min(ARRIVING_BYTES_OF_PERSON_MAX, ARRIVING_BYTES_MAX - all)) return false;
    this.#arriving.set(person, own);
    this.#arrivingBytes = all;
    return true;
  }

  release(person: string, bytes: number): void {
    const own = (this.#arriving.get(person) ?? 0) - bytes;
    this.#arrivingBytes -= bytes;
    if (own <= 0) this.#arriving.delete(person);
    else this.#arriving.set(person, own);
  }

  /** False: too many at once. */
  begin(person: string): boolean {
    const own = this.#counts.get(person) ?? 0;
    if (this.#count >= UPLOADS_AT_ONCE_MAX || own >= UPLOADS_AT_ONCE_OF_PERSON_MAX) return false;
    this.#count += 1;
    this.#counts.set(person, own + 1);
    return true;
  }

  end(person: string): void {
    const own = this.#counts.get(person)! - 1;
    this.#count -= 1;
    if (own === 0) this.#counts.delete(person);
    else this.#counts.set(person, own);
  }
}

interface FileFormParts {
  readonly limits: FileFormLimits;
  readonly role: Role;
  readonly turns: UploadTurns;
}

/** A form of ours that may be large, and may send pictures, with its body. */
export function largeFormHooks(deps: ConsoleDeps, parts: FileFormParts): readonly ConsoleHook[] {
  // Escapes are as long as the texts at most.
  const textBody = textBodyHook(deps, 2 * parts.limits.textBytesMax, 'tooLarge');
  const fileForm = fileFormHook(deps, parts);
  return [
    ownPageHook(deps),
    mediaTypeHook([FORM_TYPE, FILE_FORM_TYPE]),
    (exchange) => (isFileForm(exchange.request.headers['content-type']) ? fileForm : textBody)(exchange),
    formSizeHook(parts.limits),
  ];
}

/** Reads the body of a form with files into `form` and `pictures`. */
export function fileFormHook(deps: ConsoleDeps, parts: FileFormParts): ConsoleHook {
  return async (exchange) => {
    const { request, response } = exchange;
    const boundary = boundaryOf(request.headers['content-type']);
    if (boundary === undefined) return presentRefusal(exchange, 'form');
    sendContinue(request);
    const { textBytesMax, filesMax, actFileBytesMax } = parts.limits;
    const fieldsBytesMax = 2 * textBytesMax;
    // Beyond it nobody reads a refusal.
    const bodyLimitBytes = fieldsBytesMax + (filesMax + 1) * (actFileBytesMax ?? UPLOAD_BYTES_MAX);
    const reading: Reading = { isTooLarge: false, isOverBudget: false };
    const chunks = readBodyChunks(exchange, { bodyLimitBytes, silenceMsMax: deps.requestTimeoutMs }, reading);
    const pictures: UploadedPicture[] = [];
    try {
      exchange.form = await readFilesForm(
        chunks,
        boundary,
        { fieldsBytesMax, partsMax: FORM_FIELDS_MAX },
        async (file, before) => {
          if (actFileBytesMax !== undefined) {
            const sent = await collect(file.content, actFileBytesMax, formBytesOf(request));
            if (sent.bytes === undefined) throw new FormTooLarge();
            exchange.file = sent.bytes;
            return;
          }
          const taken = await takePicture(deps, parts, exchange, { file, before, count: pictures.length });
          if (taken !== undefined) pictures.push(taken);
        },
      );
      exchange.pictures = pictures;
    } catch (error) {
      if (error instanceof FormTooLarge || reading.isTooLarge) presentRefusal(exchange, 'tooLarge');
      else if (error instanceof FormBroken) presentRefusal(exchange, 'form');
      else if (reading.isBrokenOff === true) presentIssues(response, [TOO_SLOW], ['Connection', 'close']);
      else throw error;
    } finally {
      // Otherwise it goes on to listen for what nobody reads.
      if (!response.destroyed) await chunks.return();
    }
  };
}

const TOO_SLOW = {
  field: 'request',
  code: 'OUT_OF_RANGE',
  detail: 'The request took too long to arrive.',
} as const;

function isFileForm(type = ''): boolean {
  return type.toLowerCase().startsWith(FILE_FORM_TYPE);
}

interface Arriving {
  readonly file: ArrivingFile;
  /** The fields before it. */
  readonly before: URLSearchParams;
  /** Pictures before it. */
  readonly count: number;
}

/** A phone or a drive in the cloud sends such a file where it has not loaded it yet. */
const EMPTY_PICTURE = new Wrong('pictureEmpty');

/** Reads the file to its end, whatever comes of it. Undefined: it was sent by somebody who may not. */
async function takePicture(
  deps: ConsoleDeps,
  { limits: { filesMax }, role, turns }: FileFormParts,
  { session, request }: ConsoleExchange,
  { file: { name, content }, before, count }: Arriving,
): Promise<UploadedPicture | undefined> {
  const isRightful =
    session !== undefined &&
    mayAct(session.role, role) &&
    (await findRightsRefusal(deps, session, before.get('form') ?? '', role)) === undefined;
  const refuse = (reason: Wrong, isLater = false): UploadedPicture => ({ ok: false, name, reason, isLater });
  if (!isRightful) {
    await drop(content);
    return undefined;
  }
  if (count >= filesMax) {
    await drop(content);
    return refuse(new Wrong('picturesOfForm', { max: filesMax }));
  }
  const { name: person } = session;
  const later = (): UploadedPicture => refuse(new Wrong('picturesBusy'), true);
  let heldBytes = 0;
  const hold = (length: number): boolean => {
    const isHeld = turns.hold(person, length);
    if (isHeld) heldBytes += length;
    return isHeld;
  };
  try {
    const { bytes, sentBytes, isHeld } = await collect(content, UPLOAD_BYTES_MAX, formBytesOf(request), hold);
    if (!isHeld) return later();
    if (bytes === undefined)
      return refuse(new Wrong('pictureBytes', { max: UPLOAD_BYTES_MAX / 1e6, count: sentBytes }));
    if (sentBytes === 0) return refuse(EMPTY_PICTURE);
    if (!turns.begin(person)) return later();
    try {
      return { ...(await deps.ports.storePicture(bytes)), name };
    } finally {
      turns.end(person);
    }
  } finally {
    turns.release(person, heldBytes);
  }
}

/**
 * The bytes, in memory of their own, unless there are too many, or `hold` refuses some. A file is at most as long as its whole form, and as it
 * may be: with that length known, its memory is taken once, and what was too small is not left for the garbage collector.
 */
async function collect(
  content: AsyncIterable<Buffer>,
  bytesMax: number,
  formBytes: number,
  hold: (length: number) => boolean = () => true,
) {
  const body = new GrowingBody(Math.min(formBytes, bytesMax));
  let sentBytes = 0;
  let isHeld = true;
  for await (const chunk of content) {
    sentBytes += chunk.length;
    if (sentBytes > bytesMax || !isHeld) continue;
    isHeld = hold(chunk.length);
    if (isHeld) body.append(chunk);
  }
  return { bytes: sentBytes > bytesMax || !isHeld ? undefined : body.ownBytes(), sentBytes, isHeld };
}

/** As announced; 0 where it was not. */
function formBytesOf({ headers }: ConsoleExchange['request']): number {
  return Number(headers['content-length'] ?? 0);
}

/** Behind the body of a large form, of whatever type. */
function formSizeHook({ textBytesMax, hasTooMany }: FileFormLimits): ConsoleHook {
  return (exchange) => {
    const { body, form } = exchange;
    if (form === undefined && hasMorePairs(body, FORM_FIELDS_MAX))
      return presentRefusal(exchange, 'tooLarge');
    const sent = formOf(exchange);
    if (textBytesOf(sent) > textBytesMax || hasTooMany?.(sent) === true) presentRefusal(exchange, 'tooLarge');
  };
}

function textBytesOf(form: URLSearchParams): number {
  let length = 0;
  for (const [name, value] of form) length += Buffer.byteLength(name) + Buffer.byteLength(value);
  return length;
}

/** Answers a program, such as the script of a page, with the one picture that it sent. */
export function uploadedHook(): ConsoleHook {
  return (exchange) => {
    const [picture] = exchange.pictures ?? [];
    if (picture === undefined) return presentRefusal(exchange, 'form');
    if (picture.ok) return presentJson(exchange, picture);
    const text = sayWrong(picture.reason, wantedLocale(exchange.request.headers['accept-language']));
    if (picture.isLater === true)
      presentProblem(exchange.response, 'OPERATOR_API_UNAVAILABLE', {
        detail: text,
        headers: ['Retry-After', String(UNAVAILABLE_RETRY_SECONDS)],
      });
    else presentProblem(exchange.response, 'CONSOLE_ACT_REFUSED', { detail: text });
  };
}
