/**
 * Builds the package: `node mcp/build.ts [FOLDER]`, into this folder unless another is named. One program with the SDK
 * inside, the page of cards, and the documents that its schemas come from. The program lies two folders deep, because the
 * source reads `../../package.json` and `../../openapi.json`.
 */
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const MCP = import.meta.dirname;
const folder = process.argv[2] ?? MCP;

rmSync(join(folder, 'dist'), { recursive: true, force: true });
await build({
  entryPoints: [join(MCP, 'src', 'command.ts')],
  outfile: join(folder, 'dist', 'bin', 'stayport-mcp.js'),
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: ['@modelcontextprotocol/server'],
  logLevel: 'warning',
});
copyFileSync(join(MCP, 'src', 'cards.html'), join(folder, 'dist', 'bin', 'cards.html'));
for (const name of ['openapi.json', 'openapi-extras.json'])
  copyFileSync(join(MCP, '..', name), join(folder, name));
