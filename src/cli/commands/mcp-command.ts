import { type Command, InvalidArgumentError } from 'commander';
import { partnerTokenOfEnvironment } from '../../settings/settings.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { example } from '../terminal/example.ts';
import type { Session } from '../terminal/session.ts';
import { awaitStopSignal } from '../terminal/stop-signal.ts';

interface Options {
  readonly url: string;
  readonly listen?: Address;
  readonly allowHost: readonly string[];
}

interface Address {
  readonly host: string;
  readonly port: number;
}

export function configureMcp(command: Command, session: Session): void {
  command
    .requiredOption('--url <url>', 'where the partner API is, such as https://partners.example.com', httpUrl)
    .option('--listen <host:port>', 'serve HTTP at /mcp there; callers send their own bearer token', address)
    .option(
      '--allow-host <name>',
      'with --listen: a further name that clients may call it by; repeatable',
      add,
      [],
    )
    .addHelpText(
      'after',
      `\nWithout --listen it speaks on standard input and output, with the token in STAYPORT_TOKEN.\n${example(
        'mcp --url http://127.0.0.1:8080',
        'mcp --url https://partners.example.com --listen 127.0.0.1:8090',
      )}`,
    )
    .action(async ({ url, listen, allowHost }: Options) => {
      await (listen === undefined ? overStdio(url) : overHttp(session, url, listen, allowHost));
    });
}

/** Ends when the assistant closes standard input. */
async function overStdio(baseUrl: string): Promise<void> {
  const token = partnerTokenOfEnvironment();
  if (token === undefined) {
    throw new CommandFailure('STAYPORT_TOKEN is not set: put the partner token there, or use --listen');
  }
  const { serveMcpOverStdio } = await import('../../../mcp/src/serve-stdio.ts');
  serveMcpOverStdio({ baseUrl, token });
}

async function overHttp(
  session: Session,
  baseUrl: string,
  { host, port }: Address,
  allowedHosts: readonly string[],
): Promise<void> {
  const { serveMcpOverHttp } = await import('../../../mcp/src/serve-http.ts');
  const server = await serveMcpOverHttp({ baseUrl, host, port, allowedHosts }).catch((error: Error) => {
    throw new CommandFailure(`--listen: ${host}:${port} can't be used: ${error.message}`);
  });
  const own = server.address();
  const url = `http://${host}:${typeof own === 'object' && own !== null ? own.port : port}/mcp`;
  session.answer({ url }, () => `MCP for ${baseUrl} is at ${url}`);
  await awaitStopSignal(() => {});
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

function httpUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
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
