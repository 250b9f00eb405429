/** What the hooks of the console share: what they are built with, and what they know of a request. */
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { SignedIn } from '../../access/console-sessions.ts';
import type { ActPorts } from '../../console/console-page.ts';
import type { WindowCounter } from '../../limits/request-limits.ts';
import type { Exchange, Hook } from '../listener/exchange.ts';
import type { PictureFolder } from '../pages/pictures.ts';
import type { Page } from '../../web/kit/page.ts';
import type { PreviewMaker } from '../../web/traveller/preview-page.ts';
import type { RenderedPage, RenderRequest } from './make-page.ts';

export interface ConsoleDeps {
  /** What sessions and forms use. */
  readonly ports: Omit<ActPorts, 'signed'>;
  /** On a thread of its own. Rejects with StorageUnavailable while that can take no more. */
  readonly makePage: (order: RenderRequest) => Promise<RenderedPage | undefined>;
  /** Whose console it is. */
  readonly brand: Brand;
  readonly preview: {
    readonly maker: PreviewMaker;
    readonly style: Page;
    readonly imageOrigins: readonly string[];
  };
  /** The folder of pictures, as travellers are shown them. */
  readonly pictures: PictureFolder | undefined;
  /** CONSOLE_URL: `https://` with a host, or `http://` with one of loopback. */
  readonly consoleUrl: string;
  /** Counts wrong links and sessions by address; the listener's trusted proxies are seen through. */
  readonly wrongAttempts: WindowCounter;
  readonly sourceAddress: (request: IncomingMessage) => string;
  readonly logger: Pick<Logger, 'warn'>;
  readonly requestTimeoutMs: number;
}

export interface Brand {
  readonly name: string;
  readonly icon: Page;
}

export interface ConsoleExchange extends Exchange {
  readonly brand: Brand;
  readonly rawSegments: Readonly<Record<string, string>>;
  /** Of a form with a file, once it is read. */
  form?: URLSearchParams;
  file?: Uint8Array<ArrayBuffer>;
  session: (SignedIn & { readonly formToken: string }) | undefined;
}

export type ConsoleHook = Hook<ConsoleExchange>;

export function isSecure({ consoleUrl }: Pick<ConsoleDeps, 'consoleUrl'>): boolean {
  return consoleUrl.startsWith('https:');
}

/** The fields of the form that was sent. */
export function formOf({
  body,
  form,
}: Pick<Exchange, 'body'> & { readonly form?: URLSearchParams }): URLSearchParams {
  return form ?? new URLSearchParams(Buffer.from(body).toString('utf8'));
}
