/** MCP over standard input and output, for an assistant that starts this program itself. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Stayport, UsageError } from '../../sdk/src/index.ts';
import { buildMcpServer } from './build-server.ts';

interface StdioOptions {
  readonly baseUrl: string;
  readonly token: string;
  /** Origins of pictures that cards may show. */
  readonly pictureOrigins: readonly string[];
}

const NAMES: Readonly<Record<string, string>> = { token: 'STAYPORT_TOKEN', baseUrl: '--url' };

/** Why the client can't be made, by the name of what the person gave; throws other errors again. */
export function formatWrongStart(error: unknown): string {
  if (!(error instanceof UsageError) || error.field === undefined) throw error;
  return error.message.replace(error.field, () => NAMES[error.field ?? ''] ?? '');
}

/** Throws UsageError where the address or the token can't be used. Runs until standard input ends. Nothing but protocol messages goes to standard output. */
export function serveMcpOverStdio({ baseUrl, token, pictureOrigins }: StdioOptions): void {
  const client = new Stayport({ baseUrl, token });
  serveStdio(() => buildMcpServer(client, { pictureOrigins }), {
    onerror: (error) => process.stderr.write(`stayport mcp: ${error.message}\n`),
  });
}
