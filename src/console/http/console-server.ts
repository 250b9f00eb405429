/**
 * The console on the operator listener. Checks in this order: the host, the path, the session, and for forms the page
 * that they come from, their token, the role and the age of the sign-in.
 */
import { sayAlone } from '../../domain/wrong.ts';
import type { IncomingMessage } from 'node:http';
import type { ActOutcome, ActPorts, ActQuestion, PageQuestion } from '../reading/console-page.ts';
import type { OperatorPages } from '../../operator/listener/operator-server.ts';
import { UPLOAD_PATH } from '../pages/property-form/pictures.ts';
import { IMPORT_PATH } from '../pages/import/read.ts';
import { CONSOLE_FORMS, withoutSecrets } from '../reading/console-forms.ts';
import { withQuery } from '../reading/paths.ts';
import { buildRouter } from '../../contract/reading/router.ts';
import { decodePathSegment } from '../../contract/reading/validation.ts';
import { DEFAULT_LOCALE } from '../../domain/property.ts';
import { SMALLER_WIDTHS, smallerPathOf } from '../../domain/property-details.ts';
import { CONSOLE_ASSETS } from '../web/assets.ts';
import { presentProblem } from '../../http/answers/present-problem.ts';
import { NO_BODY } from '../../http/listener/exchange.ts';
import { runHooks, withinDeadline } from '../../http/listener/listener.ts';
import { rawPathOf } from '../../http/listener/request-head.ts';
import { asksForJson, pageHandler, takesGzip } from '../../http/pages/page-handler.ts';
import { type Picture, sendPicture } from '../../http/pages/pictures.ts';
import { wantedLocale } from '../../http/pages/page-answer.ts';
import * as answers from './console-answers.ts';
import { presentRefusal } from './console-answers.ts';
import {
  type ConsoleDeps,
  type ConsoleExchange,
  type ConsoleHook,
  formOf,
  queryOf,
} from './console-exchange.ts';
import * as routes from './console-routes.ts';
import { LOOK_PATH, lookHook } from './look-route.ts';
import { largeFormHooks, uploadedHook, UploadTurns } from './file-form.ts';
import { FIELDS_BYTES_MAX } from './multipart.ts';
import { PAGE_LIMITS, PICTURE_LIMITS, requestLimitHook } from './request-limits.ts';
import type { ConsolePage } from '../web/page-row.ts';
import type { FormRoute } from './console-routes.ts';
import { formHooks, hostHook, ownPageHook, rightsHook } from './form-gates.ts';
import * as passkeys from './passkeys.ts';
import { endSessionHook } from './people.ts';
import { PICTURE_PATH, presentPreview } from './preview.ts';
import {
  cookieOf,
  sessionHook,
  signInHook,
  signInPageHook,
  signOutHook,
  wrongBeforeHook,
} from './sessions.ts';
import { exportHook, templateHook, uploadHook } from './upload.ts';

const FORM_ID_BYTES = 32;
/** In logs and metrics. */
const OPERATION = 'console';
const CONSOLE_PATH = '/console';

function isConsolePath(path: string): boolean {
  return path === CONSOLE_PATH || path.startsWith(`${CONSOLE_PATH}/`);
}

/** Routes for uploaded and downloaded files. The upload reads its own body. */
function importRoutes(deps: ConsoleDeps, first: readonly ConsoleHook[]) {
  return [
    ...(['catalogue', 'rates'] as const).map((kind) =>
      post(`${IMPORT_PATH}/import-${kind}`, ...first, ownPageHook(deps), uploadHook(deps, kind)),
    ),
    ...(['csv', 'ndjson'] as const).map((format) =>
      get(`${IMPORT_PATH}/export.${format}`, ...first, exportHook(deps, format)),
    ),
    get(`${IMPORT_PATH}/template.csv`, ...first, templateHook()),
  ];
}

/** Forms of the pages. */
function formRoutes(deps: ConsoleDeps, limit: ConsoleHook, turns: UploadTurns) {
  const form = formHooks(deps);
  return routes.FORM_ROUTES.map((row) => {
    const { role } = CONSOLE_FORMS[row.act];
    const { largest: limits } = row;
    const body = limits === undefined ? form : largeFormHooks(deps, { limits, role, turns });
    return post(
      row.path,
      limit,
      sessionHook(deps, true),
      ...body,
      rightsHook(deps, role),
      actHook(deps, row),
    );
  });
}

/** One picture, sent by the script of a page, beside the form that will name it. */
function uploadHooks(deps: ConsoleDeps, turns: UploadTurns): readonly ConsoleHook[] {
  const { role } = CONSOLE_FORMS['property-save'];
  const limits = { textBytesMax: FIELDS_BYTES_MAX, filesMax: 1 };
  return [...largeFormHooks(deps, { limits, role, turns }), rightsHook(deps, role), uploadedHook()];
}

/** Answers every path of the console. */
export function buildConsole(deps: ConsoleDeps): OperatorPages {
  const cookie = (request: IncomingMessage) => cookieOf(request, deps);
  const limit = requestLimitHook(deps, cookie, PAGE_LIMITS);
  const pictureLimit = requestLimitHook(deps, cookie, PICTURE_LIMITS);
  const session = sessionHook(deps);
  const assetsByPath = new Map(CONSOLE_ASSETS.map((asset) => [asset.path, asset]));
  const assets = () => assetsByPath;
  const form = formHooks(deps);
  const turns = new UploadTurns();
  const wrongBefore = wrongBeforeHook(deps);
  /** Forms that every session may use. */
  const own = (path: string, hook: ConsoleHook) =>
    post(path, limit, session, ...form, rightsHook(deps, 'viewer'), hook);
  const knownSetup = { leads: false };
  const rows = [
    ...routes.CONSOLE_PAGES.map((row) => get(row.path, limit, session, pageHook(deps, row, knownSetup))),
    ...formRoutes(deps, limit, turns),
    ...importRoutes(deps, [limit, session]),
    post(UPLOAD_PATH, limit, session, ...uploadHooks(deps, turns)),
    get(`${CONSOLE_PATH}/`, limit, (exchange) => answers.goTo(exchange, CONSOLE_PATH)),
    get(answers.SIGN_IN_PATH, limit, signInPageHook(deps)),
    post(answers.SIGN_IN_PATH, limit, wrongBefore, ...form, signInHook(deps)),
    post('/console/sign-in-passkey-options', limit, wrongBefore, ...form, passkeys.signInOptionsHook(deps)),
    post('/console/sign-in-passkey', limit, wrongBefore, ...form, passkeys.signInHook(deps)),
    own('/console/sign-in-again-options', passkeys.renewOptionsHook(deps)),
    own('/console/sign-in-again', passkeys.renewHook(deps)),
    own('/console/passkeys/passkey-register-options', passkeys.registerOptionsHook(deps)),
    own('/console/passkeys/passkey-register', passkeys.registerHook(deps)),
    own('/console/passkeys/passkey-end', passkeys.endHook(deps)),
    own('/console/people/session-end', endSessionHook(deps)),
    own('/console/sign-out', signOutHook(deps)),
    get(PICTURE_PATH, pictureLimit, session, pictureHook(deps)),
    ...[...assets().keys()].map((path) => get(path, pageHandler(assets, path, OPERATION))),
    get(LOOK_PATH, lookHook(deps)),
  ];
  const findRoute = buildRouter(rows);
  const host = hostHook(deps);
  const answer: OperatorPages['answer'] = ({ request, response }) => {
    response.operationName = OPERATION;
    const route = findRoute(request.method ?? '', rawPathOf(request.url ?? ''));
    const isFound = route.found === 'operation';
    const exchange: ConsoleExchange = {
      request,
      response,
      body: NO_BODY,
      presentFailure: answers.presentFault,
      rawSegments: isFound ? route.rawSegments : {},
      session: undefined,
      brand: deps.look().brand,
      leadsToSetup: knownSetup.leads,
      formId: Buffer.from(deps.ports.random(FORM_ID_BYTES)).toString('base64url'),
    };
    runHooks(
      [host, ...(isFound ? route.operation.hooks : [limit, session, answers.unknownPathHook(route)])],
      exchange,
    );
  };
  return { has: isConsolePath, answer };
}

const get = (path: string, ...hooks: readonly ConsoleHook[]) => ({ method: 'GET', path, hooks });
const post = (path: string, ...hooks: readonly ConsoleHook[]) => ({ method: 'POST', path, hooks });

/** The thread may first have to start on busy cores; closing nights may wait for an import. */
const ANSWER_MS_MAX = 15_000;

function pageHook(
  { makePage, ports }: ConsoleDeps,
  { page }: ConsolePage,
  knownSetup: { leads: boolean },
): ConsoleHook {
  return async (exchange) => {
    const question = questionOf(exchange);
    if (question === undefined) return presentRefusal(exchange, 'notFound');
    const { segments, query, isJson, locale } = question;
    const made = await withinDeadline(
      makePage({
        ...answers.readerOf(exchange, ports.clock()),
        page,
        segments,
        isJson,
        locale,
        query: query.toString(),
        takesGzip: takesGzip(exchange.request.headers['accept-encoding']),
      }),
      ANSWER_MS_MAX,
    );
    if (made === undefined) return presentRefusal(exchange, 'notFound');
    const { leadsToSetup = knownSetup.leads, ...answer } = made;
    knownSetup.leads = leadsToSetup;
    answers.present(exchange, answer);
  };
}

/** A picture of the folder, shown beside its row in the form: `?src=ponte/front.jpg&size=small`. */
function pictureHook({ pictures }: ConsoleDeps): ConsoleHook {
  return async (exchange) => {
    const query = queryOf(exchange);
    const src = query.get('src') ?? '';
    const small = query.get('size') === 'small' ? smallerPathOf(src, SMALLER_WIDTHS[0]) : undefined;
    const read = async (): Promise<Picture | undefined> =>
      (small === undefined ? undefined : await pictures?.read(small)) ?? pictures?.read(src);
    const picture = await withinDeadline(read(), ANSWER_MS_MAX);
    if (picture === undefined) presentRefusal(exchange, 'notFound');
    else sendPicture(picture, exchange);
  };
}

function actHook(deps: ConsoleDeps, row: FormRoute): ConsoleHook {
  const { ports } = deps;
  return async (exchange) => {
    const { name: person, role } = exchange.session!;
    const signed = ports.storage.asAuthor({ person, role, act: CONSOLE_FORMS[row.act].command });
    const path = questionOf(exchange);
    const question = path && {
      ...path,
      form: formOf(exchange),
      pictures: exchange.pictures,
      file: exchange.file,
    };
    if (question === undefined) return presentRefusal(exchange, 'notFound');
    const actPorts: ActPorts = { ...ports, signed };
    const outcome = await withinDeadline(row.run(actPorts, question), ANSWER_MS_MAX);
    const preview = outcome?.kind === 'shown' ? row.previewOf?.(outcome.shown) : undefined;
    if (outcome === undefined) presentRefusal(exchange, 'notFound');
    else if (preview !== undefined && !question.isJson) await presentPreview(deps, exchange, preview);
    else await presentOutcome(deps, exchange, row, outcome, question);
  };
}

async function presentOutcome(
  deps: ConsoleDeps,
  exchange: ConsoleExchange,
  row: FormRoute,
  outcome: ActOutcome<unknown>,
  question: ActQuestion,
): Promise<void> {
  const isJson = asksForJson(exchange.request.headers.accept);
  const before = answers.pageBefore(exchange);
  switch (outcome.kind) {
    case 'done':
      if (isJson) return answers.presentJson(exchange, outcome.view ?? { done: true });
      return answers.goTo(exchange, withQuery(outcome.path ?? before, outcome.query ?? {}));
    case 'shown': {
      const { act, answer = (shown: unknown) => shown } = row;
      const { shown } = outcome;
      const options = outcome.isRefused === true ? { status: 422, code: 'CONSOLE_ACT_REFUSED' as const } : {};
      if (isJson || row.render === undefined) return answers.presentJson(exchange, answer(shown), options);
      return answers.presentDrawn(
        deps,
        exchange,
        { outcome: { path: row.path, act, shown, before } },
        options,
      );
    }
    case 'refused': {
      const code = 'CONSOLE_ACT_REFUSED';
      if (isJson) return presentProblem(exchange.response, code, { detail: detailOf(outcome) });
      const { form, segments } = question;
      const sent = { act: row.act, path: before, fields: withoutSecrets(form), segments };
      return answers.presentDrawn(
        deps,
        exchange,
        { refused: { formPath: row.path, sent, outcome } },
        { status: 422, code },
      );
    }
  }
}

function detailOf({ problem, mistakes = [] }: Extract<ActOutcome, { readonly kind: 'refused' }>): string {
  const found = mistakes.map(
    ({ field, reason, now }) =>
      `${field}: ${reason === undefined ? `It is now ${JSON.stringify(now)}.` : sayAlone(reason, 'en-GB')}`,
  );
  return [...(problem === undefined ? [] : [sayAlone(problem, 'en-GB')]), ...found].join(' ');
}

/** Undefined if a segment cannot be decoded. */
function questionOf(exchange: ConsoleExchange): PageQuestion | undefined {
  const { request, rawSegments } = exchange;
  const segments = Object.entries(rawSegments).map(([name, raw]) => [name, decodePathSegment(raw)] as const);
  const isText = segments.every(([, text]) => text?.isWellFormed() === true && !text.includes('\0'));
  const query = queryOf(exchange);
  const isJson = asksForJson(request.headers.accept);
  const locale = isJson ? DEFAULT_LOCALE : wantedLocale(request.headers['accept-language']);
  const texts = Object.fromEntries(segments) as Readonly<Record<string, string>>;
  return isText ? { segments: texts, query, isJson, locale } : undefined;
}
