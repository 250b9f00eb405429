#!/usr/bin/env node
/** The program of the npm package: `stayport-mcp --url URL`, on standard input and output. */
import { parseArgs } from 'node:util';
import { SERVER_INFO } from './build-server.ts';
import { pictureOriginOf } from './picture-origin.ts';
import { formatWrongStart, serveMcpOverStdio } from './serve-stdio.ts';

const USAGE = `usage: stayport-mcp --url URL      with the partner's token in STAYPORT_TOKEN

Serves the Model Context Protocol on standard input and output, for an assistant that starts it.

  --pictures URL   where pictures of properties come from: cards show them; repeat for several

Example: STAYPORT_TOKEN=sp_test_... stayport-mcp --url https://partners.example.com
`;

main();

function main(): void {
  const { url, pictures = [], help, version } = readOptions();
  const pictureOrigins = pictures.map(pictureOriginOf).filter((origin) => origin !== undefined);
  if (help) process.stdout.write(USAGE);
  else if (version) process.stdout.write(`${SERVER_INFO.version}\n`);
  else if (url === undefined || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    fail('--url is not a URL like https://partners.example.com');
  } else if (pictureOrigins.length < pictures.length) {
    fail('--pictures is not a URL like https://book.example.com');
  } else {
    // oxlint-disable-next-line node/no-process-env -- the one setting of this program, as `stayport mcp` has it
    const token = (process.env['STAYPORT_TOKEN'] ?? '').trim();
    if (token === '') fail('STAYPORT_TOKEN is not set: put the partner token there');
    try {
      serveMcpOverStdio({ baseUrl: url, token, pictureOrigins });
    } catch (error) {
      fail(formatWrongStart(error));
    }
  }
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        url: { type: 'string' },
        pictures: { type: 'string', multiple: true },
        help: { type: 'boolean' },
        version: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    return fail((error as Error).message);
  }
}

function fail(reason: string): never {
  process.stderr.write(`stayport-mcp: ${reason}\n\n${USAGE}`);
  process.exit(2);
}
