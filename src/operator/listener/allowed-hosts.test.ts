import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OPERATOR_SETTINGS, startOperatorServer } from '../../../test/kit/http-fixtures.ts';
import { onlyAnswer, summaryOf } from '../../../test/kit/answer-checks.ts';
import { exchange } from '../../../test/kit/raw-client.ts';
import { allowHosts } from './operator-server.ts';

describe('The Host of the operator listener', () => {
  const isAllowed = allowHosts(['Ops.Example.com']);

  for (const host of [
    undefined,
    '',
    'localhost',
    'LOCALHOST:8081',
    'stayport.localhost:8081',
    '127.0.0.1:8081',
    '10.0.0.7',
    '[::1]:8081',
    '[2001:db8::1]',
    'stayport-1:8081',
    'ops.example.com',
    'OPS.example.com.:8081',
  ]) {
    it(`may be ${host ?? 'absent'}`, () => assert.ok(isAllowed(host)));
  }

  for (const host of [
    'evil.example',
    'evil.example:8081',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'example.com',
  ]) {
    it(`may not be ${host}`, () => assert.ok(!isAllowed(host)));
  }

  it('is checked before anything else', async () => {
    const server = await startOperatorServer({
      settings: { ...OPERATOR_SETTINGS, allowedHosts: ['ops.example.com'] },
    });
    const ask = async (path: string, host: string): Promise<string> => {
      const { answers } = await exchange(server.port, [`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`]);
      const answer = onlyAnswer(answers, host);
      return answer.status === 200 ? '200' : `${answer.status} ${summaryOf(answer)}`;
    };
    try {
      for (const path of ['/livez', '/metrics', '/handoff/resolve', '/nope']) {
        assert.equal(await ask(path, 'evil.example'), '421 OPERATOR_HOST_NOT_ALLOWED', path);
      }
      assert.equal(await ask('/livez', 'ops.example.com:8081'), '200');
      assert.equal(await ask('/metrics', '127.0.0.1'), '200');
    } finally {
      await server.close();
    }
  });
});
