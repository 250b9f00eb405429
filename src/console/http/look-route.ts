/** The operator's mark: it changes with settings of the site, and its path with it. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { rawPathOf } from '../../http/listener/request-head.ts';
import { takesGzip } from '../../http/pages/page-handler.ts';
import { presentRefusal } from './console-answers.ts';
import type { ConsoleDeps, ConsoleHook } from './console-exchange.ts';

export const LOOK_PATH = '/console/assets/{file}';

/** `/console/assets/icon-` of `/console/assets/icon-1a2b3c.svg` */
const kindOf = (path: string): string => path.slice(0, path.lastIndexOf('-') + 1);

/** The file of another look, as a page of another process may name it for a moment, is that of the present one. */
export function lookHook({ look }: Pick<ConsoleDeps, 'look'>): ConsoleHook {
  return async (exchange) => {
    const { request, response } = exchange;
    const { icon } = look().brand;
    const path = rawPathOf(request.url ?? '');
    if (kindOf(icon.path) !== kindOf(path)) return presentRefusal(exchange, 'notFound');
    const { mediaType, body, headers, cacheControl } = icon;
    const isPacked = takesGzip(request.headers['accept-encoding']);
    response.answer({
      status: 200,
      mediaType,
      cacheControl: icon.path === path ? cacheControl! : 'no-store',
      body: isPacked ? body : await promisify(gunzip)(body),
      headers: [...headers, 'Vary', 'Accept-Encoding', ...(isPacked ? ['Content-Encoding', 'gzip'] : [])],
    });
  };
}
