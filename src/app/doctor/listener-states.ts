/** Whether the ports of the settings are free, ours, or taken by another program. */
import { createServer } from 'node:net';
import { askUrl, type UrlAnswer } from './ask-url.ts';
import type { ListenerState } from './check.ts';
import type { Settings } from '../settings/settings.ts';

interface Listener {
  readonly setting: string;
  readonly host: string;
  readonly port: number;
  /** A path that only Stayport answers. */
  readonly path: string;
  readonly isOurs: (answer: UrlAnswer) => boolean;
  readonly isTls: boolean;
}

export function examineListeners(settings: Settings): Promise<readonly ListenerState[]> {
  return Promise.all(listenersOf(settings).map(examine));
}

/** An answer of the partner listener to a request without a credential. */
export function isPartnerAnswer({ status, headers }: UrlAnswer): boolean {
  const type = String(headers['content-type']);
  return (
    (status === 401 || status === 429 || status === 503) &&
    type.startsWith('application/problem+json') &&
    headers['x-correlation-id'] !== undefined
  );
}

export const PARTNER_PATH = '/v1/properties';

function listenersOf(settings: Settings): readonly Listener[] {
  const { host, port, operatorHost, operatorPort, webHost, webPort, webTlsCert } = settings;
  return [
    { setting: 'PORT', host, port, path: PARTNER_PATH, isOurs: isPartnerAnswer, isTls: false },
    {
      setting: 'OPERATOR_PORT',
      host: operatorHost,
      port: operatorPort,
      path: '/livez',
      isTls: false,
      isOurs: ({ status, headers }) => status === 200 && headers['x-correlation-id'] !== undefined,
    },
    ...(webPort === undefined
      ? []
      : [
          {
            setting: 'WEB_PORT',
            host: webHost,
            port: webPort,
            path: '/handoff',
            isTls: webTlsCert !== undefined,
            isOurs: ({ body }: UrlAnswer) => body.includes('data-outcome='),
          },
        ]),
  ];
}

async function examine({ setting, host, port, path, isOurs, isTls }: Listener): Promise<ListenerState> {
  const place = { setting, host, port };
  const problem = await findHostProblem(host);
  if (problem !== undefined) return { ...place, state: 'impossible', problem };
  if (port === 0) return { ...place, state: 'free' };
  const url = new URL(`${isTls ? 'https' : 'http'}://${reachableHost(host)}:${port}${path}`);
  try {
    return { ...place, state: isOurs(await askUrl(url)) ? 'ours' : 'taken' };
  } catch (error) {
    return { ...place, state: (error as Error).message === 'ECONNREFUSED' ? 'free' : 'taken' };
  }
}

/** The host at which a client on this machine reaches a listener of `host`. */
export function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** Listens for a moment, on any free port. */
function findHostProblem(host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port: 0 }, () => server.close(() => resolve(undefined)));
  });
}
