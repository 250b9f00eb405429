/** MCP over standard input and output, for an assistant that starts this program itself. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Stayport } from '../../sdk/src/index.ts';
import { buildMcpServer } from './build-server.ts';

interface StdioOptions {
  readonly baseUrl: string;
  readonly token: string;
  /** Origins of pictures that cards may show. */
  readonly pictureOrigins: readonly string[];
}

/** Runs until standard input ends. Nothing but protocol messages goes to standard output. */
export function serveMcpOverStdio({ baseUrl, token, pictureOrigins }: StdioOptions): void {
  const client = new Stayport({ baseUrl, token });
  serveStdio(() => buildMcpServer(client, { pictureOrigins }), {
    onerror: (error) => process.stderr.write(`stayport mcp: ${error.message}\n`),
  });
}
