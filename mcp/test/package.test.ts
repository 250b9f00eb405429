/** The package as it would be published: one program that an assistant starts, on each Node that it names. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const MCP = join(import.meta.dirname, '..');
const ROOT = join(MCP, '..');
const LIBRARY = '@modelcontextprotocol';

const folder = mkdtempSync(join(tmpdir(), 'stayport-mcp-'));
const home = join(folder, 'node_modules', '@stayport', 'mcp');
const program = join(home, 'dist', 'bin', 'stayport-mcp.js');
const manifest = readManifest(join(MCP, 'package.json'));

interface Manifest {
  readonly name?: string;
  readonly mcpName?: string;
  readonly version: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** This one, and the oldest that the package names where `npm run test:runtimes` has installed it. */
const OLDEST = join(ROOT, 'test/runtimes/node_modules/node-20-linux-x64/bin/node');
const NODES = [process.execPath, ...(existsSync(OLDEST) ? [OLDEST] : [])];

before(() => {
  mkdirSync(home, { recursive: true });
  copyFileSync(join(MCP, 'package.json'), join(home, 'package.json'));
  execFileSync(process.execPath, [join(MCP, 'build.ts'), home], { stdio: 'inherit' });
  symlinkSync(join(ROOT, 'node_modules', LIBRARY), join(folder, 'node_modules', LIBRARY), 'junction');
});
after(() => rmSync(folder, { recursive: true }));

describe('the package of the MCP server', () => {
  it('has the version of the project, and the library that the project has', () => {
    const root = readManifest(join(ROOT, 'package.json'));
    assert.equal(manifest.version, root.version);
    const library = `${LIBRARY}/server`;
    assert.deepEqual(manifest.dependencies, { [library]: root.dependencies?.[library] });
    const { name, version, packages } = JSON.parse(readFileSync(join(MCP, 'server.json'), 'utf8')) as {
      name: string;
      version: string;
      packages: readonly { identifier: string; version: string }[];
    };
    assert.deepEqual([name, version], [manifest.mcpName, root.version]);
    assert.deepEqual(
      packages.map((one) => [one.identifier, one.version]),
      [[manifest.name, root.version]],
    );
    assert.equal(join(home, manifest.bin?.['stayport-mcp'] ?? ''), program);
  });

  for (const node of NODES) {
    const name = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    it(`lists its tools to an assistant that starts it on Node ${name}`, async () => {
      const client = new Client({ name: 'test', version: '1' });
      const args = [program, '--url', 'http://127.0.0.1:9', '--pictures', 'https://book.example/'];
      await client.connect(
        new StdioClientTransport({ command: node, args, env: { STAYPORT_TOKEN: 'sp_test_x' } }),
      );
      try {
        const { tools } = await client.listTools();
        assert.deepEqual(
          tools.map((tool) => tool.name),
          [
            'find_city',
            'search_properties',
            'get_property',
            'check_availability',
            'get_offer',
            'create_quote',
            'find_open_stays',
          ],
        );
        assert.equal(client.getServerVersion()?.version, manifest.version);
        const { contents } = await client.readResource({ uri: 'ui://stayport/cards' });
        assert.match(JSON.stringify(contents), /"resourceDomains":\["https:\/\/book\.example"\]/);
      } finally {
        await client.close();
      }
    });
  }

  it('says what is missing, with an example', () => {
    const run = (args: readonly string[], env: Record<string, string> = {}) =>
      spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', env });
    for (const [args, reason] of [
      [[], /^stayport-mcp: --url is not a URL/],
      [['--url', 'ftp://a.example'], /^stayport-mcp: --url is not a URL/],
      [['--url', 'https://a.example', '--pictures', 'http://b.example'], /^stayport-mcp: --pictures is not/],
      [['--url', 'https://a.example'], /^stayport-mcp: STAYPORT_TOKEN is not set/],
      [['--token', 'x'], /^stayport-mcp: Unknown option '--token'/],
    ] as const) {
      const { status, stdout, stderr } = run(args);
      assert.deepEqual([status, stdout], [2, ''], args.join(' '));
      assert.match(stderr, reason);
      assert.match(stderr, /\nExample: /);
    }
    assert.match(run(['--help']).stdout, /^usage: stayport-mcp/);
    assert.equal(run(['--version']).stdout, `${manifest.version}\n`);
  });
});

function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
}
