/**
 * Cards of stays as an MCP App (`io.modelcontextprotocol/ui`, revision 2026-01-26): one page, which the client draws
 * from a tool's result. Clients without the extension get the result alone.
 */
import { readFileSync } from 'node:fs';
import type { McpServer, RegisteredTool } from '@modelcontextprotocol/server';

export const UI_EXTENSION = 'io.modelcontextprotocol/ui';
const CARDS_URI = 'ui://stayport/cards';
const MIME_TYPE = 'text/html;profile=mcp-app';
const PAGE = readFileSync(new URL('cards.html', import.meta.url), 'utf8');

/** The page reaches nothing but pictures of these origins: the client enforces it. */
export function offerCards(server: McpServer, pictureOrigins: readonly string[]): void {
  const meta = { ui: { csp: { resourceDomains: [...pictureOrigins] }, prefersBorder: false } };
  server.registerResource(
    'cards',
    CARDS_URI,
    {
      title: 'Cards of stays',
      description: 'For clients that draw results: picture, total and a button to choose.',
      mimeType: MIME_TYPE,
      _meta: meta,
    },
    () => ({ contents: [{ uri: CARDS_URI, mimeType: MIME_TYPE, text: PAGE, _meta: meta }] }),
  );
}

/** Names the page in the list of tools, unless the client has said that it can't draw it. */
export function showCards(server: McpServer, tool: RegisteredTool): void {
  // A client is known once it has asked: later than its server is built.
  Object.defineProperty(tool, '_meta', {
    get: () => (drawsCards(server) ? { ui: { resourceUri: CARDS_URI } } : undefined),
  });
}

/** Those of an older client over HTTP, and of a newer one over stdio, are not known here: they may. */
function drawsCards({ server }: McpServer): boolean {
  const capabilities = server.getClientCapabilities();
  if (capabilities === undefined) return true;
  const types = capabilities.extensions?.[UI_EXTENSION]?.['mimeTypes'];
  return Array.isArray(types) && types.includes(MIME_TYPE);
}
