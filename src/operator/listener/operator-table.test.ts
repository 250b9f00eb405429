/** Rules for every row of the operator's table, including future ones. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  OPERATOR_SETTINGS,
  type RunningServer,
  startOperatorServer,
  TOKENS,
} from '../../../test/kit/http-fixtures.ts';
import { assertWellFormed, onlyAnswer, summaryOf } from '../../../test/kit/answer-checks.ts';
import { exchange, type RawAnswer } from '../../../test/kit/raw-client.ts';
import { type OperatorOperation, problemCodesOf, tooLargeCodeOf } from '../../contract/operator/operation.ts';
import { OPERATOR_OPERATIONS } from './operator-table.ts';
import { OPERATOR_PROBLEMS, OPERATOR_PROBLEM_CODES } from '../../contract/operator/problems.ts';

const ROWS = OPERATOR_OPERATIONS;
const AUTHORIZED = `Authorization: Bearer ${TOKENS.operator}\r\n`;

describe('every operation of the operator listener', () => {
  let server: RunningServer;
  before(async () => {
    server = await startOperatorServer();
  });
  after(() => server.close());

  async function ask(method: string, path: string, headers = AUTHORIZED, body = ''): Promise<RawAnswer> {
    const isHead = method === 'HEAD';
    const request = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n${body}`;
    const answer = onlyAnswer(
      (await exchange(server.port, [request], { isHead })).answers,
      `${method} ${path}`,
    );
    assertWellFormed(answer, `${method} ${path}`, isHead);
    return answer;
  }

  const filledIn = ({ path }: OperatorOperation): string => path.replaceAll(/\{\w+\}/g, 'x');

  for (const row of ROWS) {
    const name = `${row.method} ${row.path}`;
    it(`${name}: its codes belong to this listener`, () => {
      for (const code of problemCodesOf(row)) assert.ok(OPERATOR_PROBLEM_CODES.includes(code), code);
    });

    it(`${name}: other methods are 405`, async () => {
      const others = ROWS.filter(({ path }) => path === row.path).map(({ method }) => method);
      const allowed = others.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
      const answer = await ask('QUERY', filledIn(row));
      assert.deepEqual([answer.status, summaryOf(answer)], [405, 'OPERATOR_OPERATION_NOT_FOUND']);
      assert.deepEqual(answer.headers.get('allow'), allowed.join(', '));
    });

    if (row.scope !== undefined) {
      it(`${name}: asks for a token before anything else`, async () => {
        const long = `Content-Length: ${OPERATOR_SETTINGS.supplyBodyLimitBytes + 1}\r\nContent-Type: a/b\r\n`;
        assert.equal(summaryOf(await ask(row.method, filledIn(row), long)), 'OPERATOR_AUTH_REQUIRED');
        const partner = `Authorization: Bearer ${TOKENS.full}\r\n`;
        assert.equal(summaryOf(await ask(row.method, filledIn(row), partner)), 'OPERATOR_TOKEN_INVALID');
      });
    }
    const { body } = row;
    if (body !== undefined) {
      it(`${name}: takes its media types only`, async () => {
        const answer = await ask(
          row.method,
          filledIn(row),
          `${AUTHORIZED}Content-Type: image/png\r\nContent-Length: 0\r\n`,
        );
        const isSupply = body.limit === 'SUPPLY_BODY_LIMIT_BYTES';
        assert.match(
          summaryOf(answer),
          isSupply
            ? /^SUPPLY_VALIDATION_ERROR .*HEADER_INVALID$/
            : /^VALIDATION_ERROR header.content-type=NOT_ALLOWED$/,
        );
      });
    }
    if (body?.limit !== undefined) {
      it(`${name}: bounds its body`, async () => {
        const bytes =
          body.limit === 'BODY_LIMIT_BYTES'
            ? OPERATOR_SETTINGS.bodyLimitBytes
            : OPERATOR_SETTINGS.supplyBodyLimitBytes;
        const answer = await ask(row.method, filledIn(row), `${AUTHORIZED}Content-Length: ${bytes + 1}\r\n`);
        assert.deepEqual([answer.status, summaryOf(answer)], [413, tooLargeCodeOf(body)]);
      });
    }
    if (row.method === 'GET') {
      it(`${name}: answers HEAD`, async () => {
        const { headers } = await ask('HEAD', filledIn(row));
        assert.ok(Number(headers.get('content-length')) > 0);
      });
    }
  }

  it('has a description that the listener serves', async () => {
    const answer = await ask('GET', '/openapi.json', '');
    const document = JSON.parse(answer.body) as {
      paths: Record<string, Record<string, { operationId: string; security: unknown[]; responses: object }>>;
    };
    for (const row of ROWS) {
      const described = document.paths[row.path]?.[row.method.toLowerCase()];
      assert.equal(described?.operationId, row.operationId);
      assert.equal(described.security.length, row.scope === undefined ? 0 : 1);
      const statuses = [
        ...row.successes.map(({ status }) => status),
        ...problemCodesOf(row).map((code) => OPERATOR_PROBLEMS[code].status),
      ];
      assert.deepEqual(
        Object.keys(described.responses).map(Number),
        [...new Set(statuses)].sort((a, b) => a - b),
      );
    }
  });
});
