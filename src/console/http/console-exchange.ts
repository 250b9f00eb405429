/** Types that the console's hooks share: their dependencies, and the state of a request. */
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { SignedIn } from '../../access/console-sessions.ts';
import type { SiteSettingChange } from '../../storage/site/store.ts';
import type { ActPorts, UploadedPicture } from '../reading/console-page.ts';
import { readPairs } from '../../contract/reading/sent-pairs.ts';
import type { RememberingCounter } from '../../limits/remember-exceeded.ts';
import type { Exchange, Hook } from '../../http/listener/exchange.ts';
import { rawQueryOf } from '../../http/listener/request-head.ts';
import type { PictureFolder } from '../../http/pages/pictures.ts';
import type { Page } from '../../http/html/page.ts';
import type { PreviewMaker } from '../../traveller/web/preview-page.ts';
import type { DrawRequest, RenderedPage, RenderRequest } from './make-page.ts';

export interface ConsoleDeps {
  /** Ports for sessions and forms. */
  readonly ports: Omit<ActPorts, 'signed'>;
  /** Makes a page on another thread. Rejects with StorageUnavailable while that thread's queue is full. */
  readonly makePage: (order: RenderRequest | DrawRequest) => Promise<RenderedPage | undefined>;
  /** As it is by now. */
  readonly look: () => ConsoleLook;
  /** The traveller's page with these settings of the site in place of those that are stored. */
  readonly lookWith: (site: readonly SiteSettingChange[]) => ConsoleLook['preview'];
  /** The folder of pictures, as travellers see them. */
  readonly pictures: PictureFolder | undefined;
  /** CONSOLE_URL: `https://` with a host, or `http://` with a loopback host. */
  readonly consoleUrl: string;
  /** Counts wrong links and sessions by client address, seen through the listener's trusted proxies. */
  readonly wrongAttempts: RememberingCounter;
  readonly sourceAddress: (request: IncomingMessage) => string;
  readonly logger: Pick<Logger, 'warn'>;
  readonly requestTimeoutMs: number;
}

export interface ConsoleLook {
  /** The operator's name and logo. */
  readonly brand: Brand;
  readonly preview: {
    readonly maker: PreviewMaker;
    readonly imageOrigins: readonly string[];
  };
}

export interface Brand {
  readonly name: string;
  readonly icon: Page;
}

export interface ConsoleExchange extends Exchange {
  readonly brand: Brand;
  /** 32 random bytes, base64url. */
  readonly formId: string;
  /** As the page knew that was made last: answers to forms do not ask again. */
  readonly leadsToSetup: boolean;
  readonly rawSegments: Readonly<Record<string, string>>;
  /** The fields of a form, once read. */
  form?: URLSearchParams;
  /** Pictures that came with the form, stored or refused. */
  pictures?: readonly UploadedPicture[];
  /** The file of a form that hands it to its act. */
  file?: Uint8Array | undefined;
  session: (SignedIn & { readonly formToken: string }) | undefined;
  /** The cookie of a session that has ended, where a form was sent with it. */
  endedCookie?: string;
}

export type ConsoleHook = Hook<ConsoleExchange>;

export function isSecure({ consoleUrl }: Pick<ConsoleDeps, 'consoleUrl'>): boolean {
  return consoleUrl.startsWith('https:');
}

/** Fields of a large form: reading as many parts takes a quarter of a second. */
export const FORM_FIELDS_MAX = 6_000;

/** The fields of a sent form, read when somebody first asks; `formHooks` has counted them. */
export function formOf(exchange: Pick<ConsoleExchange, 'body' | 'form'>): URLSearchParams {
  exchange.form ??= readPairs(Buffer.from(exchange.body).toString('utf8'), FORM_FIELDS_MAX);
  return exchange.form;
}

/** The query of a page. */
export function queryOf({ request }: Pick<Exchange, 'request'>): URLSearchParams {
  return readPairs(rawQueryOf(request.url ?? ''));
}
