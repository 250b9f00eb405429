/**
 * The load itself: what it costs to ask, by our own client and by autocannon, against the same bare server. Whichever
 * costs more than the server answers would measure itself.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { startBareHttp } from '../contestants/bare-http.ts';
import { pinned } from '../machine/pinning.ts';
import type { Section } from '../section.ts';

const BODY_BYTES = 12_000;
const CONNECTIONS = 50;
const PATH = '/v1/properties?city=Antwerp&checkIn=2030-12-01&checkOut=2030-12-08&guests=2';
const REQUEST = `GET ${PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;

export const generator: Section = {
  name: 'generator',
  title: 'The load generator, against bare node:http with 12 KB answers',
  seconds: { full: 10, quick: 8 },
  async run(context) {
    const seconds = context.options.isQuick ? 1 : 2;
    const bare = await startBareHttp();
    context.onEnd(() => bare.stop());
    const headers = ['Content-Type', 'application/json', 'Content-Length', String(BODY_BYTES)];
    await bare.repeat([{ status: 200, headers, body: Buffer.alloc(BODY_BYTES, 'a') }]);
    const ours = await context.load.run({
      port: bare.port,
      requests: [REQUEST],
      connections: CONNECTIONS,
      warmUpSeconds: seconds,
      seconds,
      requestsPerSecond: 'asFastAsPossible',
    });
    const autocannon = await runAutocannon(bare.port, seconds);
    await bare.stop();
    return {
      figures: [
        { what: 'our client', value: ours.answersPerSecond, unit: 'requests/s' },
        { what: 'our client: share of its core in use', value: ours.loadBusy, unit: 'ratio' },
        { what: 'autocannon', value: autocannon.answersPerSecond, unit: 'requests/s' },
      ],
      notes: ['Our client is the one that is used.'],
      details: { ours, autocannon },
    };
  },
};

interface Autocannon {
  readonly answersPerSecond: number;
}

async function runAutocannon(port: number, seconds: number): Promise<Autocannon> {
  const program = fileURLToPath(import.meta.resolve('autocannon'));
  const url = `http://127.0.0.1:${port}${PATH}`;
  const args = [program, '-j', '-c', String(CONNECTIONS), '-W', '[', '-d', String(seconds), ']'];
  const [command, allArgs] = pinned('load', process.execPath, [...args, '-d', String(seconds), url]);
  const child = spawn(command, allArgs, { stdio: ['ignore', 'pipe', 'ignore'] });
  const output = text(child.stdout);
  await once(child, 'exit');
  // The warm-up has a line of its own before.
  const result = JSON.parse((await output).trim().split('\n').at(-1)!) as {
    readonly requests: { readonly average: number };
  };
  return { answersPerSecond: result.requests.average };
}
