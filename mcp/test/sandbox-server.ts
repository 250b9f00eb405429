/** `bin/stayport mcp` over HTTP as an operator starts it, in front of a real service; the sandbox is the data. */
import { ALL_SCOPE_NAMES } from '../../src/contract/partner/scopes.ts';
import { firstLine, Workplace } from '../../test/kit/command-line.ts';
import { openInstallation } from '../../test/kit/installation.ts';

export interface SandboxServer {
  /** Of the partner API. */
  readonly apiUrl: string;
  readonly mcpUrl: string;
  /** A test token: it sees the sandbox. */
  readonly token: string;
  close(): Promise<void>;
}

export async function openSandboxServer(): Promise<SandboxServer> {
  const installation = await openInstallation();
  const workplace = new Workplace();
  const { token } = await installation.issue({ isTest: true, scopes: ALL_SCOPE_NAMES });
  const { partnerUrl: apiUrl } = await installation.serve();
  const started = workplace.start([
    'mcp',
    '--url',
    apiUrl,
    '--listen',
    '127.0.0.1:0',
    '--limit',
    '0',
    '--json',
  ]);
  const { url: mcpUrl } = JSON.parse(await firstLine(started)) as { url: string };
  return {
    apiUrl,
    mcpUrl,
    token,
    async close() {
      await workplace.remove();
      await installation.close();
    },
  };
}
