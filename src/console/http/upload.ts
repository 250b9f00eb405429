/** A file that a form sends, written to the disk as it comes; and the files that the same page gives out. */
import { mayAct } from '../../access/console-sessions.ts';
import { encodingName, sourceName } from '../../operator/acts/values.ts';
import {
  type ExportFormat,
  FILE_BYTES_MAX,
  type ImportKind,
  type ImportState,
} from '../reading/import-state.ts';
import { importPath } from '../pages/import/read.ts';
import { CONSOLE_FORMS } from '../reading/console-forms.ts';
import { Wrong } from '../../domain/wrong.ts';
import type { Encoding } from '../../supply/sheet/encodings.ts';
import { STANDARD_SOURCE } from '../../supply/native/catalogue-file.ts';
import { spreadsheetTemplate } from '../../supply/spreadsheet/write-catalogue.ts';
import { refusedImportPage } from '../pages/import/page.ts';
import { IMPORT_MS_MAX, readBodyChunks, type Reading } from '../../http/listener/body-chunks.ts';
import { sendContinue } from '../../http/listener/request-body.ts';
import { asksForJson } from '../../http/pages/page-handler.ts';
import * as answers from './console-answers.ts';
import { type ConsoleDeps, type ConsoleExchange, type ConsoleHook, queryOf } from './console-exchange.ts';
import { findRightsRefusal } from './form-gates.ts';
import { boundaryOf, FIELDS_BYTES_MAX, FormBroken, readSentForm, type SentForm } from './multipart.ts';

/** The file, and what the form says beside it. */
const BODY_BYTES_MAX = FILE_BYTES_MAX + 4 * FIELDS_BYTES_MAX;
const TOO_LARGE = new Wrong('fileLarge', { max: FILE_BYTES_MAX / 2 ** 20 });
const TOO_SLOW = new Wrong('fileSlow');
const NO_FILE = new Wrong('noFileChosen');

class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge';
}

export interface UploadLimits {
  /** Shorter in tests. */
  readonly sendingMsMax?: number;
}

/** Behind the session and the page that the form comes from. Role first, token before the first byte of the file. */
export function uploadHook(deps: ConsoleDeps, kind: ImportKind, limits: UploadLimits = {}): ConsoleHook {
  const { role } = CONSOLE_FORMS[`import-${kind}`];
  const { imports } = deps.ports;
  return async (exchange) => {
    const { request, response } = exchange;
    const session = exchange.session!;
    let fields: ReadonlyMap<string, string> = new Map();
    const refuse = (problem: Wrong, headers?: readonly string[]): void =>
      answers.presentActRefused(exchange, deps.ports.clock(), {
        problem,
        draw: (view) => refusedImportPage(view, kind, Object.fromEntries(fields), problem),
        ...(headers && { headers }),
      });
    if (!mayAct(session.role, role)) return answers.presentRefusal(exchange, 'role');
    const boundary = boundaryOf(request.headers['content-type']);
    if (boundary === undefined) return answers.presentRefusal(exchange, 'form');
    if (Number(request.headers['content-length'] ?? 0) > BODY_BYTES_MAX) return refuse(TOO_LARGE);
    const obstacle = await imports.findObstacle(session.name);
    if (obstacle !== undefined) return refuse(obstacle);
    sendContinue(request);
    const reading: Reading = { isTooLarge: false, isOverBudget: false };
    const { sendingMsMax = IMPORT_MS_MAX } = limits;
    const chunks = readBodyChunks(
      exchange,
      { bodyLimitBytes: BODY_BYTES_MAX, silenceMsMax: deps.requestTimeoutMs, sendingMsMax },
      reading,
    );
    try {
      const form = await readSentForm(chunks, boundary);
      fields = form.fields;
      const refused = await findRightsRefusal(deps, session, form.fields.get('form') ?? '', role);
      if (refused !== undefined) return answers.presentRefusal(exchange, refused);
      if (form.file === undefined) return refuse(NO_FILE);
      const source = sourceName.parse(form.fields.get('source')?.trim() || STANDARD_SOURCE);
      if (source instanceof Wrong) return refuse(source);
      const encoding = readEncodingField(form.fields);
      if (encoding instanceof Wrong) return refuse(encoding);
      const sent = sentFile(form, { kind, source, encodingNamed: encoding });
      const taken = await imports.take({ ...sent, person: session.name });
      if (!taken.ok) return refuse(taken.problem);
      if (asksForJson(request.headers.accept)) answers.presentJson(exchange, { importId: taken.value });
      else answers.goTo(exchange, importPath(taken.value));
    } catch (error) {
      if (error instanceof FormBroken) answers.presentRefusal(exchange, 'form');
      else if (error instanceof FileTooLarge || reading.isTooLarge) refuse(TOO_LARGE);
      else if (reading.isBrokenOff === true) refuse(TOO_SLOW, ['Connection', 'close']);
      else throw error;
    } finally {
      // Otherwise it goes on to listen for what nobody reads.
      if (!response.destroyed) await chunks.return();
    }
  };
}

/** Null: it is found out. */
function readEncodingField(fields: ReadonlyMap<string, string>): Encoding | null | Wrong {
  const label = fields.get('encoding')?.trim() ?? '';
  return label === '' ? null : encodingName.parse(label);
}

function sentFile(
  { fields, file }: SentForm,
  wanted: Pick<ImportState, 'kind' | 'source' | 'encodingNamed'>,
) {
  return {
    ...wanted,
    fileName: file!.name,
    replace: wanted.kind === 'catalogue' && fields.get('replace') === 'yes',
    sheetNamed: fields.get('sheet')?.trim() || null,
    content: withinLimit(file!.content),
  };
}

async function* withinLimit(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > FILE_BYTES_MAX) throw new FileTooLarge('the file is too large');
    yield chunk;
  }
}

const CSV_TYPE = 'text/csv; charset=utf-8';
const TYPES: Readonly<Record<'csv' | 'ndjson', string>> = { csv: CSV_TYPE, ndjson: 'application/x-ndjson' };

/** By the parameter that links for spreadsheet programs of countries with decimal commas have. */
function wantsSemicolons(exchange: ConsoleExchange): boolean {
  return queryOf(exchange).get('separator') === 'semicolon';
}

const attachment = (name: string): readonly string[] => [
  'Content-Disposition',
  `attachment; filename="${name}"`,
];

export function templateHook(): ConsoleHook {
  return (exchange) =>
    answers.present(exchange, {
      mediaType: CSV_TYPE,
      body: spreadsheetTemplate({ separator: wantsSemicolons(exchange) ? ';' : ',' }),
      headers: attachment('properties.csv'),
    });
}

/** Everything of a source, so not for everybody: one at a time, and it reads the whole catalogue. */
export function exportHook({ ports, requestTimeoutMs }: ConsoleDeps, format: 'csv' | 'ndjson'): ConsoleHook {
  return async (exchange: ConsoleExchange) => {
    if (!mayAct(exchange.session!.role, CONSOLE_FORMS['import-catalogue'].role))
      return answers.presentRefusal(exchange, 'role');
    const asked = queryOf(exchange).get('source') ?? '';
    const source = sourceName.parse(asked.trim() || STANDARD_SOURCE);
    if (source instanceof Wrong) return answers.presentRefusal(exchange, 'notFound');
    const wanted: ExportFormat = format === 'csv' && wantsSemicolons(exchange) ? 'semicolons' : format;
    const pieces = ports.imports.exportCatalogue(wanted, source)[Symbol.asyncIterator]();
    // Refused before a status is sent.
    const first = await pieces.next();
    await exchange.response.answerInPieces(
      {
        status: 200,
        mediaType: TYPES[format],
        cacheControl: 'no-store',
        headers: [...answers.DOWNLOAD_HEADERS, ...attachment(`${source}.${format}`)],
      },
      joined(first, pieces),
      requestTimeoutMs,
    );
  };
}

async function* joined<T>(
  first: IteratorResult<T>,
  rest: AsyncIterator<T>,
): AsyncGenerator<T, void, undefined> {
  try {
    for (let next = first; next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
