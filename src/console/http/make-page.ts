/** Makes a page of the console, from the question to the bytes to send, on the thread that makes pages. */
import { gzipSync } from 'node:zlib';
import type { RefusedForm } from '../reading/act-forms.ts';
import type { ActOutcome, PagePorts, PageQuestion } from '../reading/console-page.ts';
import type { ConsoleActName } from '../reading/console-forms.ts';
import { didNote, OPENED_FORM, REFUSAL_MARK, refusedForm, typedInAct } from '../web/act-form.ts';
import { onToSetup, type PageReader, type PageView, viewOf } from '../web/elements.ts';
import { formatPage, type ReturnedForm, returnedFormPage, type PageParts } from '../web/frame.ts';
import { html } from '../../http/html/html.ts';
import { JSON_TYPE } from '../../http/answers/answer-headers.ts';
import { HTML_TYPE } from '../../http/pages/page-answer.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import type { ConsolePage } from '../web/page-row.ts';
import { CONSOLE_PAGES, FORM_ROUTES } from './console-routes.ts';

/** The form in which threads exchange it. */
export interface RenderRequest extends PageReader, Omit<PageQuestion, 'query' | 'person'> {
  /** Its `data-page`. */
  readonly page: string;
  readonly query: string;
  readonly takesGzip: boolean;
}

/** A page of what a form came to; threads exchange it, too. */
export interface DrawRequest extends PageReader {
  readonly takesGzip: boolean;
  readonly drawn: Drawn;
}

export type Drawn =
  /** An outcome that its form has a page for; `path` is that of the form's row, `before` leads back. */
  | {
      readonly outcome: {
        readonly path: string;
        readonly act: ConsoleActName;
        readonly shown: unknown;
        readonly before: string;
      };
    }
  /** The form again on its page, as it was typed, with what is wrong; `formPath` is that of the form's row. */
  | {
      readonly refused: {
        readonly formPath: string;
        readonly sent: SentFields;
        readonly outcome: RefusedAct;
      };
    }
  /** The form again, for want of a session, of a young sign-in, or of its token. */
  | { readonly kept: ReturnedForm };

interface SentFields extends Pick<RefusedForm, 'act' | 'path' | 'segments'> {
  readonly fields: readonly (readonly [name: string, value: string])[];
}

type RefusedAct = Extract<ActOutcome, { readonly kind: 'refused' }>;

export interface RenderedPage {
  readonly mediaType: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: readonly string[];
  /** Undefined in the answer to a program. */
  readonly leadsToSetup?: boolean;
}

const FORMS = new Map(FORM_ROUTES.map((row) => [row.path, row]));
const PAGE_OF_FORM: ReadonlyMap<string, ConsolePage> = new Map(
  CONSOLE_PAGES.flatMap((page) => page.forms.map(({ act }) => [`${page.path}/${act}`, page] as const)),
);
const PAGES = new Map<string, ConsolePage>(CONSOLE_PAGES.map((row) => [row.page, row]));

/** Undefined: the subject of the page does not exist. */
export async function makePage(
  ports: PagePorts,
  order: RenderRequest | DrawRequest,
): Promise<RenderedPage | undefined> {
  return 'drawn' in order ? drawPage(ports, order) : readPage(ports, order);
}

async function drawPage(ports: PagePorts, order: DrawRequest): Promise<RenderedPage> {
  const { drawn } = order;
  const view = viewOf(order);
  if ('outcome' in drawn) {
    const { path, act, shown, before } = drawn.outcome;
    const parts = FORMS.get(path)!.render!(view, shown, before);
    const main = [parts.main, html`<p>${onToSetup(view)}</p>`];
    return packPage(order, HTML_TYPE, formatPage(view, act, path, { ...parts, main }));
  }
  if ('refused' in drawn) return packPage(order, HTML_TYPE, await refusedPage(ports, view, drawn.refused));
  const parts = drawReturnedForm(view, drawn.kept);
  return packPage(order, HTML_TYPE, formatPage(view, 'refused', '', parts));
}

/** The page of the form, with the form as it was sent. */
async function refusedPage(
  ports: PagePorts,
  reading: PageView,
  { formPath, sent, outcome }: Extract<Drawn, { refused: unknown }>['refused'],
): Promise<string> {
  const { fields, ...about } = sent;
  const { problem, mistakes } = outcome;
  const view = { ...reading, refused: { ...about, form: paramsOf(fields), problem, mistakes } };
  const row = PAGE_OF_FORM.get(formPath)!;
  const { locale, person } = view;
  const question = { segments: sent.segments, query: new URLSearchParams(), isJson: false, locale, person };
  const shown = await readIfThere(ports, row, question);
  const parts = shown && row.render(view, shown, question);
  const main = html`${parts?.main}`;
  if (parts !== undefined && REFUSAL_MARK.test(main.text)) return formatPage(view, row.page, row.path, parts);
  // The page has the form no longer, or never had it for this reader.
  const { refused, acts } = view.messages;
  const alone = [html`<h2>${acts[sent.act]}</h2>`, refusedForm(view, view.refused), main];
  return formatPage(view, 'refused', row.path, { title: refused.act, act: undefined, ...parts, main: alone });
}

/** Undefined as well while the database is away: the form comes back without its page. */
async function readIfThere(ports: PagePorts, row: ConsolePage, question: PageQuestion) {
  try {
    return await row.read(ports, question);
  } catch (error) {
    if (error instanceof StorageUnavailable) return undefined;
    throw error;
  }
}

function drawReturnedForm(view: PageView, kept: ReturnedForm): PageParts {
  const act = kept.asked.slice(kept.asked.lastIndexOf('/') + 1);
  const row = CONSOLE_PAGES.flatMap(({ forms }) => forms).find((form) => form.act === act);
  const typedOf = row?.typedOf ?? typedInAct;
  return returnedFormPage(view, kept, typedOf(view, paramsOf(kept.fields)));
}

function paramsOf(fields: SentFields['fields']): URLSearchParams {
  const params = new URLSearchParams();
  for (const [name, value] of fields) params.append(name, value);
  return params;
}

async function readPage(ports: PagePorts, order: RenderRequest): Promise<RenderedPage | undefined> {
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
  const opened = question.query.get(OPENED_FORM) ?? undefined;
  const view = { ...viewOf({ ...order, leadsToSetup: await leadsToSetup(ports) }), opened };
  const parts = row.render(view, shown, question);
  const main = [didNote(view, question.query, parts.act), parts.main];
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
  order: Pick<RenderRequest, 'takesGzip'>,
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
