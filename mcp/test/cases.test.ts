/**
 * The cases of `mcp/README.md`, as directories of assistants ask for them: some that should work, and some that should
 * not. Each runs the tools that the page names, over both transports, against the sandbox.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { formatLocalDate, localToday } from '../../src/domain/local-date.ts';
import { BIN } from '../../test/kit/command-line.ts';
import { NOW_MS } from '../../test/kit/installation.ts';
import { openSandboxServer, type SandboxServer } from './sandbox-server.ts';

const README = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');
const TODAY = localToday('Europe/Rome', NOW_MS);
/** A month from now, for three nights. */
const STAY = { checkIn: formatLocalDate(TODAY + 30), checkOut: formatLocalDate(TODAY + 33), guests: 2 };
const MONTH = STAY.checkIn.slice(0, 7);

interface Result {
  readonly isError: boolean;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

type Call = (tool: string, input: object) => Promise<Result>;

interface Case {
  /** What the user says, word for word as on the page. */
  readonly says: string;
  /** In the order of the calls. */
  readonly tools: readonly string[];
  readonly run: (call: Call, client: Client) => Promise<void>;
}

interface OpenStay {
  readonly propertyId: string;
  readonly checkIn: string;
  readonly checkOut: string;
}

const CASES: Readonly<Record<string, Case>> = {
  'positive 1': {
    says: 'Find us a place in Testville for three nights a month from now, for two.',
    tools: ['search_properties'],
    async run(call) {
      const { body, text } = await call('search_properties', { city: 'Testville', ...STAY });
      const { items, pagination } = body as {
        items: { propertyId: string }[];
        pagination: { total: number };
      };
      assert.equal(items.length, 3);
      assert.ok(pagination.total > 40);
      for (const { propertyId } of items) assert.ok(text.includes(`- ${propertyId}: <data>`), text);
    },
  },
  'positive 2': {
    says: 'Tell me about the property test-always, in English.',
    tools: ['get_property'],
    async run(call) {
      const { body, text } = await call('get_property', { propertyId: 'test-always', locale: 'en-GB' });
      assert.equal(body['name'], 'Always available');
      assert.match(text, /Nights from 100\.00 EUR/);
    },
  },
  'positive 3': {
    says: 'Is test-always free for three nights a month from now, for two?',
    tools: ['check_availability'],
    async run(call) {
      const { body, text } = await call('check_availability', { propertyId: 'test-always', ...STAY });
      assert.equal(body['available'], true);
      assert.match(text, /3 nights, 2 guests: available/);
    },
  },
  'positive 4': {
    says: 'When could two of us stay three nights at test-weekend next month?',
    tools: ['find_open_stays', 'check_availability'],
    async run(call) {
      const { body } = await call('find_open_stays', { propertyId: 'test-weekend', month: MONTH, nights: 3 });
      const stays = body['stays'] as OpenStay[];
      assert.equal(stays.length, 10);
      const { propertyId, checkIn, checkOut } = stays[0]!;
      const checked = await call('check_availability', { propertyId, checkIn, checkOut, guests: 2 });
      assert.equal(checked.body['available'], true);
    },
  },
  'positive 5': {
    says: 'Three nights in Testville next month for two: what would it cost, and where can I book?',
    tools: ['find_open_stays', 'create_quote'],
    async run(call) {
      const found = await call('find_open_stays', { city: 'Testville', month: MONTH, nights: 3, guests: 2 });
      const { propertyId, checkIn, checkOut } = (found.body['stays'] as OpenStay[])[0]!;
      const stay = { checkIn, checkOut, guests: 2 };
      const { body, text } = await call('create_quote', { propertyId, stay, locale: 'en-GB' });
      const { total } = body['pricing'] as { total: string };
      assert.ok(text.includes(`Indicative total: ${total} EUR`), text);
      assert.ok(text.includes(`unchanged: ${String(body['handoffUrl'])}`), text);
    },
  },
  'positive 6': {
    says: 'Two of us and children of 1 and 8, two nights at test-family a month from now: the total, and the link?',
    tools: ['check_availability', 'get_offer', 'create_quote', 'create_quote'],
    async run(call) {
      const party = { adults: 2, children: [8, 1] };
      const stay = { checkIn: STAY.checkIn, checkOut: formatLocalDate(TODAY + 32) };
      const propertyId = 'test-family';
      const checked = await call('check_availability', { propertyId, ...stay, ...party });
      assert.equal(checked.body['available'], true, checked.text);
      assert.match(checked.text, /2 adults, 2 children \(1, 8\): available/);
      const offer = await call('get_offer', { propertyId, ...stay, ...party });
      assert.match(offer.text, /2 adults, 2 children \(1, 8\): total 244\.00 EUR/);
      const quoted = { propertyId, stay: { ...stay, ...party }, locale: 'en-GB' };
      const { body, text } = await call('create_quote', quoted);
      assert.match(
        text,
        /Indicative total: 244\.00 EUR \(accommodation 230\.00, cleaning 0\.00, taxes 14\.00\)/,
      );
      assert.deepEqual((body['stay'] as { childAges: number[] }).childAges, [1, 8]);
      const twice = await call('create_quote', { ...quoted, stay: { ...quoted.stay, guests: 4 } });
      assert.equal(twice.isError, true);
      assert.match(twice.text, /either guests, or adults and children/);
    },
  },
  'negative 1': {
    says: 'Quote test-sold-out for three nights a month from now, for two.',
    tools: ['create_quote'],
    async run(call) {
      const input = { propertyId: 'test-sold-out', stay: STAY, locale: 'en-GB' };
      const { isError, text } = await call('create_quote', input);
      assert.equal(isError, true);
      assert.match(text, /STAY_UNAVAILABLE[^]*\nTry: find_open_stays/);
    },
  },
  'negative 2': {
    says: 'Show me the property test-hidden.',
    tools: ['get_property'],
    async run(call) {
      const { isError, text } = await call('get_property', { propertyId: 'test-hidden' });
      assert.equal(isError, true);
      assert.match(text, /PROPERTY_NOT_FOUND[^]*\nTry: take the propertyId from search_properties/);
    },
  },
  'negative 3': {
    says: 'Book test-always now and charge my card.',
    tools: [],
    async run(_call, client) {
      const { tools } = await client.listTools();
      const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true);
      assert.deepEqual(
        writing.map(({ name }) => name),
        ['create_quote'],
      );
      assert.match(writing[0]!.description ?? '', /Nothing is booked/);
      const fields = tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}));
      assert.deepEqual(
        fields.filter((field) => /card|pay|guestName|email|phone/i.test(field)),
        [],
      );
    },
  },
};

let server: SandboxServer;
before(async () => {
  server = await openSandboxServer();
});
after(() => server.close());

const TRANSPORTS: Readonly<Record<string, () => Transport>> = {
  stdio: () =>
    new StdioClientTransport({
      command: process.execPath,
      args: [BIN, 'mcp', '--url', server.apiUrl],
      env: { PATH: process.env['PATH'] ?? '', STAYPORT_TOKEN: server.token },
    }),
  HTTP: () =>
    new StreamableHTTPClientTransport(new URL(server.mcpUrl), {
      requestInit: { headers: { Authorization: `Bearer ${server.token}` } },
    }),
};

for (const [transport, connect] of Object.entries(TRANSPORTS)) {
  describe(`Over ${transport}`, () => {
    let client: Client;
    before(async () => {
      client = new Client({ name: 'scripted', version: '1.0.0' });
      await client.connect(connect());
    });
    after(() => client.close());

    for (const [name, { says, tools, run }] of Object.entries(CASES)) {
      it(`${name}: ${says}`, async () => {
        const called: string[] = [];
        await run(async (tool, input) => {
          called.push(tool);
          return readResult(await client.callTool({ name: tool, arguments: { ...input } }));
        }, client);
        assert.deepEqual(called, tools);
      });
    }
  });
}

describe('The table of cases in mcp/README.md', () => {
  it('has these cases, word for word, and no others', () => {
    const rows = [...README.matchAll(/^\| ((?:positive|negative) \d) \| ([^|]+) \| ([^|]+) \|/gm)];
    const documented = rows.map(([, name, says, tools]) => [name, says, tools!.match(/[a-z_]+(?=`)/g) ?? []]);
    const expected = Object.entries(CASES).map(([name, { says, tools }]) => [name, says, [...tools]]);
    assert.deepEqual(documented, expected);
  });
});

function readResult(result: unknown): Result {
  const { isError, content, structuredContent } = result as {
    isError?: boolean;
    content: { text: string }[];
    structuredContent?: Record<string, unknown>;
  };
  const text = content.map((part) => part.text).join('\n');
  return { isError: isError === true, text, body: structuredContent ?? {} };
}
