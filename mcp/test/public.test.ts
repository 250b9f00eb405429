/** `mcp --public`: everybody is served with one token, and nothing leads to a quote unless that was asked for. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { hotel, nights } from '../../test/kit/catalogue-lines.ts';
import { firstLine, Workplace } from '../../test/kit/command-line.ts';
import { exchange } from '../../test/kit/http-exchange.ts';
import { type Installation, openInstallation } from '../../test/kit/installation.ts';

const READ_ONLY = ['properties:read', 'availability:read', 'prices:read'];
const MAY = '2027-05';

let installation: Installation;
let workplace: Workplace;
let apiUrl: string;
let reading: string;
let quoting: string;
before(async () => {
  installation = await openInstallation();
  workplace = new Workplace();
  const may = nights('2027-05-01', '2027-05-31', { availability: 1, rate: '80.00' });
  const flat = { inventoryTypeId: 'flat', name: 'Flat', guestsMax: 2, calendar: [may] };
  await installation.importLines([hotel('open', { inventoryTypes: [flat] })]);
  reading = (await installation.issue({ scopes: READ_ONLY })).token;
  quoting = (await installation.issue()).token;
  apiUrl = (await installation.serve()).partnerUrl;
});
after(async () => {
  await workplace.remove();
  await installation.close();
});

const COMMAND = ['mcp', '--listen', '127.0.0.1:0', '--public', '--limit', '3', '--json'];

async function start(token: string, ...options: readonly string[]): Promise<string> {
  const env = { STAYPORT_TOKEN: token };
  const started = workplace.start([...COMMAND, '--url', apiUrl, ...options], { env });
  return (JSON.parse(await firstLine(started)) as { url: string }).url;
}

/** Without a token. */
async function connect(url: string): Promise<Client> {
  const client = new Client({ name: 'anybody', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

describe('a public MCP server', () => {
  it('answers without a token, offers no quote, and leads to none', async () => {
    const client = await connect(await start(reading, '--limit', '0'));
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      [
        'find_city',
        'search_properties',
        'get_property',
        'check_availability',
        'get_offer',
        'find_open_stays',
      ],
    );
    const stay = { checkIn: '2027-05-03', checkOut: '2027-05-05' };
    const answers = [
      await client.callTool({ name: 'search_properties', arguments: { city: 'Venezia' } }),
      await client.callTool({ name: 'check_availability', arguments: { propertyId: 'open', ...stay } }),
      await client.callTool({
        name: 'find_open_stays',
        arguments: { propertyId: 'open', month: MAY, nights: 2 },
      }),
      await client.readResource({ uri: 'stayport://guide' }),
      await client.getPrompt({ name: 'plan_a_stay', arguments: { wish: 'two nights in May' } }),
    ];
    for (const answer of answers) {
      assert.ok(!('isError' in answer) || answer.isError !== true, JSON.stringify(answer));
      assert.doesNotMatch(JSON.stringify(answer), /create_quote|handoff/);
    }
    assert.match(JSON.stringify(answers[2]), /160\.00 EUR with all mandatory fees/);
    assert.doesNotMatch(client.getInstructions() ?? '', /create_quote|handoff/);
    await client.close();
  });

  it('does not read the token of a caller, and limits an address', async () => {
    const url = new URL(await start(reading));
    const headers = {
      authorization: 'Bearer sp_live_stranger',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const call = { name: 'get_property', arguments: { propertyId: 'open' } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call });
    const statuses: number[] = [];
    const bodies: string[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      const answer = await exchange(url.origin, { method: 'POST', path: url.pathname, headers, body });
      statuses.push(answer.status);
      bodies.push(Buffer.from(answer.body).toString());
    }
    assert.deepEqual(statuses, [200, 200, 200, 429]);
    assert.doesNotMatch(bodies[0]!, /INVALID_PARTNER_CREDENTIAL/);
    // JSON-RPC leaves the numbers from -32000 down to servers.
    const refusal = JSON.parse(bodies[3]!) as { id: unknown; error: { code: number } };
    assert.deepEqual([refusal.id, refusal.error.code], [null, -32_000]);
  });

  it('offers quotes where that is asked for by name', async () => {
    const client = await connect(await start(quoting, '--public-quotes', '--limit', '0'));
    const { tools } = await client.listTools();
    assert.ok(tools.some(({ name }) => name === 'create_quote'));
    await client.close();
  });

  for (const [what, token, options, why] of [
    ['a token that may quote', () => quoting, [], /may create quotes: issue a token without the scope/],
    ['a token that is none', () => 'sp_live_stranger', [], /can't be used at .*INVALID_PARTNER_CREDENTIAL/],
    ['no token', () => '', [], /STAYPORT_TOKEN is not set/],
  ] as const)
    it(`refuses to start with ${what}`, async () => {
      const env = { STAYPORT_TOKEN: token() };
      const { code, stderr } = await workplace.run([...COMMAND, '--url', apiUrl, ...options], { env });
      assert.equal(code, 1);
      assert.match(stderr, why);
    });

  it('is for a listener, and quotes are for a public one', async () => {
    const run = async (...options: readonly string[]) => workplace.run(['mcp', '--url', apiUrl, ...options]);
    assert.match((await run('--public')).stderr, /--public needs --listen/);
    assert.match((await run('--listen', '127.0.0.1:0', '--public-quotes')).stderr, /needs --public/);
  });
});
