/** Each revision that `mcp/README.md` names is answered as itself. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import packageJson from '../../package.json' with { type: 'json' };
import { openSandboxServer, type SandboxServer } from './sandbox-server.ts';

const README = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');
/** The newest one has no `initialize`: the conformance suite speaks it. */
const NEWEST = '2026-07-28';
const REVISIONS = [...new Set(README.match(/\b20\d{2}-\d{2}-\d{2}\b/g))];

describe('An older client', () => {
  let server: SandboxServer;
  before(async () => {
    server = await openSandboxServer();
  });
  after(() => server.close());

  it('finds its revision on the page', () => {
    assert.equal(REVISIONS[0], NEWEST);
    assert.equal(REVISIONS.length, 5);
  });

  for (const protocolVersion of REVISIONS.slice(1)) {
    it(`of ${protocolVersion} is answered in its revision, and is promised no changing lists`, async () => {
      const clientInfo = { name: 'scripted', version: '1.0.0' };
      const response = await fetch(server.mcpUrl, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${server.token}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'initialize',
          params: { protocolVersion, capabilities: {}, clientInfo },
        }),
      });
      const text = await response.text();
      const { result } = JSON.parse(text.replace(/^[^]*?data: /, '')) as {
        result: {
          protocolVersion: string;
          serverInfo: { version: string };
          capabilities: Record<string, { listChanged?: boolean }>;
        };
      };
      assert.equal(result.protocolVersion, protocolVersion);
      assert.equal(result.serverInfo.version, packageJson.version);
      for (const list of ['tools', 'resources', 'prompts']) {
        assert.equal(result.capabilities[list]?.listChanged, false, list);
      }
    });
  }
});
