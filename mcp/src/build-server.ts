/** The MCP server of one caller: seven tools, a guide, a prompt, and cards for clients that draw them. */
import { readFileSync } from 'node:fs';
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import type { Stayport } from '../../sdk/src/index.ts';
import { offerCards, showCards, UI_EXTENSION } from './cards.ts';
import { guideOf, planAStay } from './guide.ts';
import { orRefusal } from './refusal.ts';
import { checkAvailability } from './tools/check-availability.ts';
import { createQuote } from './tools/create-quote.ts';
import { findCity } from './tools/find-city.ts';
import { findOpenStays } from './tools/find-open-stays.ts';
import { getOffer } from './tools/get-offer.ts';
import { getProperty } from './tools/get-property.ts';
import { argumentsSchema } from './tool-arguments.ts';
import { searchProperties } from './tools/search-properties.ts';
import type { Tool } from './tools/tool.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
export const SERVER_INFO = { name: 'stayport', title: 'Stayport', version };

/** Without this the library would promise to say when a list changes; no list of this server ever does. */
const FIXED_LISTS = {
  tools: { listChanged: false },
  resources: { listChanged: false },
  prompts: { listChanged: false },
  extensions: { [UI_EXTENSION]: {} },
};

export interface McpOffer {
  /** False: `create_quote` is not offered, and nothing leads to it. */
  readonly canQuote?: boolean | undefined;
  /** Origins of pictures: cards show no others. */
  readonly pictureOrigins?: readonly string[] | undefined;
}

/** `client` carries the token of the caller: no server serves two of them. */
export function buildMcpServer(
  client: Stayport,
  { canQuote = true, pictureOrigins = [] }: McpOffer = {},
): McpServer {
  const guide = guideOf(canQuote);
  const server = new McpServer(SERVER_INFO, { instructions: guide, capabilities: FIXED_LISTS });
  const offered = { server, client, canQuote };
  register(offered, findCity);
  register(offered, searchProperties);
  register(offered, getProperty);
  register(offered, checkAvailability);
  register(offered, getOffer);
  if (canQuote) register(offered, createQuote);
  register(offered, findOpenStays);
  offerCards(server, pictureOrigins);
  server.registerResource(
    'guide',
    'stayport://guide',
    {
      title: 'How to use Stayport',
      description: 'What the tools do, and what to tell the traveller.',
      mimeType: 'text/markdown',
    },
    (uri) => ({ contents: [{ uri: uri.href, mimeType: 'text/markdown', text: guide }] }),
  );
  server.registerPrompt(
    'plan_a_stay',
    {
      title: 'Plan a stay',
      description:
        'From a wish such as "three nights in Antwerp in May for two" to a link for the traveller.',
      argsSchema: fromJsonSchema<{ wish: string }>({
        type: 'object',
        properties: { wish: { type: 'string', description: 'What the traveller wants.', maxLength: 500 } },
        required: ['wish'],
      }),
    },
    ({ wish }) => ({
      messages: [
        { role: 'user' as const, content: { type: 'text' as const, text: planAStay(wish, canQuote) } },
      ],
    }),
  );
  return server;
}

interface Offered {
  readonly server: McpServer;
  readonly client: Stayport;
  readonly canQuote: boolean;
}

function register<Input>({ server, client, canQuote }: Offered, tool: Tool<Input>): void {
  const { name, title, description, annotations } = tool;
  const registered = server.registerTool(
    name,
    {
      title,
      description,
      annotations: { title, ...annotations },
      inputSchema: argumentsSchema<Input>(tool.inputSchema),
      outputSchema: fromJsonSchema<Record<string, unknown>>(tool.outputSchema),
    },
    (input, context) => orRefusal(() => tool.run(client, input, context.mcpReq.signal, canQuote)),
  );
  if (tool.hasCards) showCards(server, registered);
}
