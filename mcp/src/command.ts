#!/usr/bin/env node
/** The program of the npm package: `stayport-mcp --url URL`, on standard input and output. */
import { parseArgs } from 'node:util';
import { SERVER_INFO } from './build-server.ts';
import { serveMcpOverStdio } from './serve-stdio.ts';

const USAGE = `usage: stayport-mcp --url URL      with the partner's token in STAYPORT_TOKEN

Serves the Model Context Protocol on standard input and output, for an assistant that starts it.

Example: STAYPORT_TOKEN=sp_test_... stayport-mcp --url https://partners.example.com
`;

main();

function main(): void {
  const { url, help, version } = readOptions();
  if (help) process.stdout.write(USAGE);
  else if (version) process.stdout.write(`${SERVER_INFO.version}\n`);
  else if (url === undefined || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    fail('--url is not a URL like https://partners.example.com');
  } else {
    // oxlint-disable-next-line node/no-process-env -- the one setting of this program, as `stayport mcp` has it
    const token = process.env['STAYPORT_TOKEN'] ?? '';
    if (token === '') fail('STAYPORT_TOKEN is not set: put the partner token there');
    serveMcpOverStdio({ baseUrl: url, token });
  }
}

function readOptions() {
  try {
    return parseArgs({
      options: { url: { type: 'string' }, help: { type: 'boolean' }, version: { type: 'boolean' } },
    }).values;
  } catch (error) {
    return fail((error as Error).message);
  }
}

function fail(reason: string): never {
  process.stderr.write(`stayport-mcp: ${reason}\n\n${USAGE}`);
  process.exit(2);
}
