/** Makes a page of the console, from the question to the bytes to send, on the thread that makes pages. */
import { gzipSync } from 'node:zlib';
import type { PagePorts, PageQuestion } from '../console/console-page.ts';
import { didNote } from '../web/act-form.ts';
import { type PageReader, viewOf } from '../web/elements.ts';
import { formatPage } from '../web/frame.ts';
import { JSON_TYPE } from '../../http/answers/answer-headers.ts';
import { HTML_TYPE } from '../../http/pages/page-answer.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import { CONSOLE_PAGES, type ConsolePage } from './console-routes.ts';

/** The form in which threads exchange it. */
export interface RenderRequest extends PageReader, Omit<PageQuestion, 'query' | 'person'> {
  /** Its `data-page`. */
  readonly page: string;
  readonly query: string;
  readonly takesGzip: boolean;
}

export interface RenderedPage {
  readonly mediaType: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: readonly string[];
  /** Undefined in the answer to a program. */
  readonly leadsToSetup?: boolean;
}

const PAGES = new Map<string, ConsolePage>(CONSOLE_PAGES.map((row) => [row.page, row]));

/** Undefined: the subject of the page does not exist. */
export async function makePage(ports: PagePorts, order: RenderRequest): Promise<RenderedPage | undefined> {
  const { page, isJson } = order;
  const row = PAGES.get(page)!;
  const question = { ...order, query: new URLSearchParams(order.query) };
  const shown = await row.read(ports, question);
  if (shown === undefined) return undefined;
  if (isJson) {
    const { nextPath } = shown;
    // Points programs to the rows after those of this answer (RFC 8288).
    const link = nextPath === undefined ? [] : ['Link', `<${order.root}${nextPath.slice(1)}>; rel="next"`];
    return packPage(order, JSON_TYPE, JSON.stringify(shown.rows), link);
  }
  const view = viewOf({ ...order, leadsToSetup: await leadsToSetup(ports) });
  const parts = row.render(view, shown, question);
  const main = [didNote(view, question.query), parts.main];
  const made = packPage(order, HTML_TYPE, formatPage(view, page, row.path, { ...parts, main }));
  return { ...made, leadsToSetup: view.leadsToSetup };
}

/** A page that needs no database is not refused for its bar. */
async function leadsToSetup({ isSetUp }: PagePorts): Promise<boolean> {
  try {
    return !(await isSetUp.get());
  } catch (error) {
    if (error instanceof StorageUnavailable) return false;
    throw error;
  }
}

/** Below this length, compression costs more than it saves. */
const PACKED_FROM_LENGTH = 8_192;
/** Higher levels take longer and save a tenth at most: a heat map is thousands of similar cells. */
const PACKING = { level: 4 };

/**
 * Compression is safe: a foreign page cannot request this one to measure its length, as the cookie is
 * `SameSite=Strict`.
 */
function packPage(
  order: RenderRequest,
  mediaType: string,
  text: string,
  headers: string[] = [],
): RenderedPage {
  if (text.length < PACKED_FROM_LENGTH || !order.takesGzip)
    return { mediaType, body: new TextEncoder().encode(text), headers };
  // A copy, because a small buffer shares its memory with others and could not be transferred.
  const body = new Uint8Array(gzipSync(text, PACKING));
  return { mediaType, body, headers: [...headers, 'Content-Encoding', 'gzip'] };
}
