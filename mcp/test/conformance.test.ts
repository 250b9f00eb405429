/** The suite of the protocol's authors against `bin/stayport mcp`: each check comes out as `CONFORMANCE.md` lists it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Gateway, openBearerGateway } from './conformance/bearer-gateway.ts';
import { expectedOf, type Reason, type Revision, REVISIONS, sumsOf } from './conformance/conformance-page.ts';
import { type Outcome, type Outcomes, runSuite } from './conformance/run-suite.ts';
import { openSandboxServer, type SandboxServer } from './sandbox-server.ts';

const ARGUMENTS: Readonly<Record<Revision, readonly string[]>> = {
  '2026-07-28': ['--requirements', '2026-07-28'],
  '2025-11-25': ['--requirements', '2025-11-25'],
  '2025-06-18': ['--suite', 'all', '--spec-version', '2025-06-18'],
};
/** What the suite says where the reason is the one of the page; `check` and message are searched. */
const SIGNS: Readonly<Record<Reason, RegExp>> = {
  fixture: /(?:Tool|Prompt) '?\w+'? not found|Resource not found: test:|diagnostic tool|InputRequiredResult/,
  'not offered': /^tasks-|Method not found|x-mcp-header|did not declare/,
  stateless: /session|resumability|reconnection/,
};
const IN_EACH = / (wire-schema-valid)$/;

describe('The conformance suite', () => {
  let server: SandboxServer;
  let gateway: Gateway;
  before(async () => {
    server = await openSandboxServer();
    gateway = await openBearerGateway(server.mcpUrl, server.token);
  });
  after(async () => {
    await gateway.close();
    await server.close();
  });

  for (const revision of REVISIONS) {
    describe(`for revision ${revision}`, () => {
      const expected = expectedOf(revision);
      let outcomes: Outcomes;
      before(async () => {
        outcomes = await runSuite(gateway.url, ARGUMENTS[revision]);
      });

      it('gives each check the result that is listed, and lists no other', (test) => {
        const isSame = statusesOf(expected);
        assert.deepEqual(statusesOf(outcomes), isSame);
        const passed = Object.values(isSame).filter((status) => status === 'SUCCESS').length;
        test.diagnostic(`${passed} of ${expected.size} checks pass`);
      });

      it('says itself what the list gives as the reason', () => {
        for (const [check, { said }] of outcomes) {
          const reason = expected.get(check)?.reason;
          if (reason !== undefined) assert.match(`${check} ${said}`, SIGNS[reason], check);
        }
      });

      it('is summed up at the top of the page', () => {
        const sums = new Map([...sumsOf(revision).keys()].map((word) => [word, 0]));
        for (const { status, reason } of expected.values()) {
          const word = reason ?? (status === 'SUCCESS' ? 'passed' : 'noted');
          sums.set(word, (sums.get(word) ?? 0) + 1);
        }
        assert.deepEqual(sums, sumsOf(revision));
      });
    });
  }
});

/** A check that every scenario has is one row, unless a scenario differs from it. */
function statusesOf(results: ReadonlyMap<string, Pick<Outcome, 'status'>>): Record<string, string> {
  const pairs = [...results].map(([check, { status }]): [string, string] => {
    const [, common] = IN_EACH.exec(check) ?? [];
    return [common !== undefined && status === 'SUCCESS' ? `* ${common}` : check, status];
  });
  return Object.fromEntries(pairs);
}
