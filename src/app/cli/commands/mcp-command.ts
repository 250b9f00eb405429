import { type Command, InvalidArgumentError } from 'commander';
import { partnerTokenOfEnvironment } from '../../settings/settings.ts';
import { inEnglish, Wrong } from '../../../domain/wrong.ts';
import { networks } from '../../settings/setting-values.ts';
import { openLog } from '../terminal/logger.ts';
import { wholeNumber } from '../terminal/option-values.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { example, helpLines } from '../terminal/example.ts';
import type { OpenAccess } from '../../../../mcp/src/http-handler.ts';
import { pictureOriginOf } from '../../../../mcp/src/picture-origin.ts';
import type { Session } from '../terminal/session.ts';
import { awaitStopSignal } from '../terminal/stop-signal.ts';
import { messageOf } from '../../../runtime/message-of.ts';

/** Requests per minute of each source address and of each token. */
const LIMIT = 120;
const LIMIT_MAX = 1_000_000;
const PROBE_MS_MAX = 10_000;

interface Options {
  readonly url: string;
  readonly listen?: Address;
  readonly allowHost: readonly string[];
  readonly limit: number;
  readonly trustedProxy: readonly string[];
  readonly public?: true;
  readonly publicQuotes?: true;
  readonly pictures: readonly string[];
}

interface Address {
  readonly host: string;
  readonly port: number;
}

export function configureMcp(command: Command, session: Session): void {
  command
    .requiredOption('--url <url>', 'URL of the partner API, such as https://partners.example.com', httpUrl)
    .option('--listen <host:port>', 'serve HTTP at /mcp there; callers send their own bearer token', address)
    .option(
      '--allow-host <name>',
      'with --listen: another host name that clients use; repeat for several',
      add,
      [],
    )
    .option(
      '--limit <count>',
      'with --listen: requests per source address, and per token, in a minute; 0 turns both limits off',
      wholeNumber(0, LIMIT_MAX),
      LIMIT,
    )
    .option(
      '--trusted-proxy <network>',
      'with --listen: a proxy whose X-Forwarded-For names the caller, as an address or CIDR; repeat for several',
      addNetwork,
      [],
    )
    .option(
      '--public',
      'with --listen: serve everybody, with the token in STAYPORT_TOKEN, which must lack the scope quotes:write',
    )
    .option('--public-quotes', 'with --public: everybody may create quotes too')
    .option(
      '--pictures <url>',
      'where pictures of properties come from, such as HANDOFF_BASE_URL: cards show them; repeat for several',
      addPictures,
      [],
    )
    .addHelpText(
      'after',
      helpLines(
        'Without --listen it speaks on standard input and output, with the token in STAYPORT_TOKEN.',
        example(
          'mcp --url http://127.0.0.1:8080',
          'mcp --url https://partners.example.com --listen 127.0.0.1:8090',
          'mcp --url https://partners.example.com --listen 127.0.0.1:8090 --public',
        ),
      ),
    )
    .action(async (options: Options) => {
      const { url, listen, pictures } = options;
      if (options.public && listen === undefined)
        throw new CommandFailure('--public needs --listen HOST:PORT');
      if (options.publicQuotes && !options.public) throw new CommandFailure('--public-quotes needs --public');
      await (listen === undefined ? overStdio(url, pictures) : overHttp(session, listen, options));
    });
}

/** Ends when the assistant closes standard input. */
async function overStdio(baseUrl: string, pictureOrigins: readonly string[]): Promise<void> {
  const token = partnerTokenOfEnvironment();
  if (token === undefined) {
    throw new CommandFailure('STAYPORT_TOKEN is not set: put the partner token there, or use --listen');
  }
  const { formatWrongStart, serveMcpOverStdio } = await import('../../../../mcp/src/serve-stdio.ts');
  try {
    serveMcpOverStdio({ baseUrl, token, pictureOrigins });
  } catch (error) {
    throw new CommandFailure(formatWrongStart(error));
  }
}

async function overHttp(session: Session, { host, port }: Address, options: Options): Promise<void> {
  const { startMcpListener } = await import('../../service/listeners/mcp-wiring.ts');
  const open = options.public && (await openAccess(options));
  const log = openLog('warn', process.stderr.isTTY);
  const listener = await startMcpListener({
    host,
    port,
    baseUrl: options.url,
    allowedHosts: options.allowHost,
    limit: options.limit,
    trustedProxies: options.trustedProxy,
    open,
    pictureOrigins: options.pictures,
    logger: log.logger,
  }).catch((error: Error) => {
    throw new CommandFailure(`--listen: ${host}:${port} can't be used: ${error.message}`);
  });
  session.answer({ url: listener.url }, () => `MCP for ${options.url} is at ${listener.url}`);
  await awaitStopSignal(() => {});
  await listener.close();
  log.flush();
}

/** The token for everybody. If it may quote, everybody can fill the database, so that needs its own option. */
async function openAccess({ url, publicQuotes }: Options): Promise<OpenAccess> {
  const token = partnerTokenOfEnvironment();
  if (token === undefined)
    throw new CommandFailure('STAYPORT_TOKEN is not set: put the token there with which everybody is served');
  if (publicQuotes) return { token, canQuote: true };
  const { status, said } = await askForEmptyQuote(url, token);
  if (status === NO_SCOPE) return { token, canQuote: false };
  throw new CommandFailure(
    status === NO_QUOTE
      ? 'STAYPORT_TOKEN may create quotes: issue a token without the scope quotes:write, or add --public-quotes'
      : `STAYPORT_TOKEN can't be used at ${url}: ${said}`,
  );
}

const NO_SCOPE = 403;
const NO_QUOTE = 400;

/** Sends an empty quote: scopes are checked before the body, and an empty one stores nothing. */
async function askForEmptyQuote(
  url: string,
  token: string,
): Promise<{ readonly status: number | undefined; readonly said: string }> {
  try {
    const answer = await fetch(`${url.replace(/(?<!\/)\/+$/, '')}/v1/quotes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}',
      redirect: 'error',
      signal: AbortSignal.timeout(PROBE_MS_MAX),
    });
    const { code = 'without a code' } = (await answer.json()) as { readonly code?: string };
    return { status: answer.status, said: `${answer.status} ${code}` };
  } catch (error) {
    return { status: undefined, said: messageOf(error) };
  }
}

const VERSION_END = /\/v1\/*$/;

function httpUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) {
    if (!VERSION_END.test(new URL(text).pathname)) return text;
    throw new InvalidArgumentError('It ends in /v1, which stands before each path already: leave it out.');
  }
  throw new InvalidArgumentError('It is not a URL like https://partners.example.com.');
}

/** `127.0.0.1:8090`, `[::1]:8090`. */
function address(text: string): Address {
  const match = /^(?:\[([0-9a-f:]+)\]|([^:\s]+)):(\d{1,5})$/i.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535)
    throw new InvalidArgumentError('It is not HOST:PORT, like 127.0.0.1:8090.');
  return { host: match[1] ?? match[2] ?? '', port };
}

function add(name: string, names: readonly string[]): string[] {
  return [...names, name];
}

function addPictures(url: string, origins: readonly string[]): string[] {
  const origin = pictureOriginOf(url);
  if (origin === undefined) throw new InvalidArgumentError('It is not a URL like https://book.example.com.');
  return [...origins, origin];
}

function addNetwork(text: string, known: readonly string[]): string[] {
  const parsed = networks(text);
  if (parsed instanceof Wrong) throw new InvalidArgumentError(`It ${inEnglish(parsed)}, like 10.0.0.0/8.`);
  return [...known, ...parsed];
}
