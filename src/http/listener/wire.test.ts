import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertWellFormed, onlyAnswer, summaryOf } from '../../../test/kit/answer-checks.ts';
import {
  QUOTE_REQUEST,
  type RunningServer,
  startPartnerServer,
  TOKENS,
} from '../../../test/kit/http-fixtures.ts';
import { HEADER_COUNT_MAX } from './request-head.ts';
import { exchange, type RawOptions } from '../../../test/kit/raw-client.ts';

const AUTH = `Authorization: Bearer ${TOKENS.full}\r\n`;
const HEAD = `Host: x\r\n${AUTH}`;
const GOOD = `GET /v1/properties/hotel-ponte HTTP/1.1\r\n${HEAD}\r\n`;
const QUOTE = JSON.stringify(QUOTE_REQUEST);
const POST = `POST /v1/quotes HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\n`;

interface OddRequest {
  readonly name: string;
  readonly send: readonly (string | Uint8Array)[];
  /** Status and summary of the only final answer. */
  readonly status: number;
  readonly says: string;
  readonly closes?: boolean;
  readonly options?: RawOptions;
}

const MALFORMED = 'VALIDATION_ERROR request=FORMAT_INVALID';
const UNKNOWN = 'PARTNER_OPERATION_NOT_FOUND';

// prettier-ignore
const ODD_REQUESTS: readonly OddRequest[] = [
  { name: 'no HTTP at all', send: ['hello\r\n\r\n'], status: 400, says: MALFORMED, closes: true },
  { name: 'a TLS hello on the plain port', send: [Uint8Array.of(0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3)], status: 400, says: MALFORMED, closes: true },
  { name: 'an HTTP/2 preface', send: ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'], status: 400, says: MALFORMED, closes: true },
  { name: 'a header without a colon', send: ['GET / HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n'], status: 400, says: MALFORMED, closes: true },
  { name: 'a blank in a header name', send: ['GET / HTTP/1.1\r\nHost: x\r\na b: c\r\n\r\n'], status: 400, says: MALFORMED, closes: true },
  { name: 'a NUL in a header', send: ['GET / HTTP/1.1\r\nHost: x\r\na: \0\r\n\r\n'], status: 400, says: MALFORMED, closes: true },
  { name: 'a method that does not exist', send: [`BREW /v1/properties HTTP/1.1\r\n${HEAD}\r\n`], status: 400, says: MALFORMED, closes: true },
  { name: 'Content-Length beside Transfer-Encoding', send: [`${POST}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`], status: 400, says: MALFORMED, closes: true },
  { name: 'two different Content-Length', send: [`${POST}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`], status: 400, says: MALFORMED, closes: true },
  { name: 'a broken chunk size', send: [`${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`], status: 400, says: MALFORMED, closes: true },
  { name: 'a broken chunk size behind the answer', send: ['POST /v1/quotes HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n', 'zz\r\n'], status: 401, says: 'PARTNER_AUTH_REQUIRED', closes: true, options: { pauseMs: 100 } },
  { name: 'headers above the limit', send: [`GET / HTTP/1.1\r\nHost: x\r\na: ${'b'.repeat(20_000)}\r\n\r\n`], status: 400, says: 'VALIDATION_ERROR request.headers=LENGTH_INVALID', closes: true },
  { name: 'a URL above the limit', send: [`GET /${'b'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`], status: 400, says: 'VALIDATION_ERROR request.headers=LENGTH_INVALID', closes: true },
  { name: 'a half-close in the middle of the headers', send: ['GET / HTTP/1.1\r\nHos'], status: 400, says: MALFORMED, closes: true, options: { halfClose: true } },
  { name: 'a half-close in the middle of the body', send: [`${POST}Content-Length: 100\r\n\r\n{`], status: 400, says: MALFORMED, closes: true, options: { halfClose: true } },
  { name: 'no Host', send: [`GET /v1/properties HTTP/1.1\r\n${AUTH}\r\n`], status: 400, says: 'VALIDATION_ERROR request.header.host=REQUIRED', closes: true },
  { name: 'two Hosts', send: [`GET /v1/properties HTTP/1.1\r\n${HEAD}Host: y\r\n\r\n`], status: 400, says: 'VALIDATION_ERROR request.header.host=DUPLICATE_PARAMETER', closes: true },
  { name: 'a Host that is none', send: ['GET / HTTP/1.1\r\nHost: a b/c\r\n\r\n'], status: 400, says: 'VALIDATION_ERROR request.header.host=FORMAT_INVALID', closes: true },
  { name: 'two Authorization headers', send: [`GET /v1/properties HTTP/1.1\r\n${HEAD}${AUTH}\r\n`], status: 400, says: 'VALIDATION_ERROR request.header.authorization=DUPLICATE_PARAMETER', closes: true },
  { name: 'HTTP/2.0 in the request line', send: [GOOD.replace('HTTP/1.1', 'HTTP/2.0')], status: 400, says: 'VALIDATION_ERROR request.version=NOT_ALLOWED', closes: true },
  { name: 'HTTP/0.9', send: ['GET /v1/properties\r\n\r\n'], status: 400, says: 'VALIDATION_ERROR request.version=NOT_ALLOWED', closes: true },
  { name: 'a fragment in the target', send: [`GET /v1/properties#x HTTP/1.1\r\n${HEAD}\r\n`], status: 400, says: 'VALIDATION_ERROR request.target=FORMAT_INVALID', closes: true },
  { name: 'an unknown expectation', send: [`${POST}Expect: banana\r\nContent-Length: 2\r\n\r\n{}`], status: 400, says: 'VALIDATION_ERROR request.header.expect=NOT_ALLOWED', closes: true },
  { name: 'CONNECT', send: ['CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n'], status: 404, says: UNKNOWN, closes: true },
  { name: 'more header lines than are read', send: [`GET / HTTP/1.1\r\nHost: x\r\n${'a:\r\n'.repeat(HEADER_COUNT_MAX)}\r\n`], status: 400, says: 'VALIDATION_ERROR request.headers=OUT_OF_RANGE', closes: true },
  { name: 'OPTIONS *', send: ['OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n'], status: 404, says: UNKNOWN },
  { name: 'a malformed escape in an unknown path', send: ['GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n'], status: 404, says: UNKNOWN },
  { name: 'as many header lines as are read', send: [`GET /nope HTTP/1.1\r\nHost: x\r\n${'a:\r\n'.repeat(HEADER_COUNT_MAX - 1)}\r\n`], status: 404, says: UNKNOWN },
  { name: 'a malformed escape in a propertyId', send: [`GET /v1/properties/%zz HTTP/1.1\r\n${HEAD}\r\n`], status: 400, says: 'VALIDATION_ERROR propertyId=FORMAT_INVALID' },
  { name: 'a malformed escape in a propertyId, without a credential', send: ['GET /v1/properties/%zz HTTP/1.1\r\nHost: x\r\n\r\n'], status: 401, says: 'PARTNER_AUTH_REQUIRED' },
  { name: 'an escaped slash in a propertyId', send: [`GET /v1/properties/a%2Fb HTTP/1.1\r\n${HEAD}\r\n`], status: 400, says: 'VALIDATION_ERROR propertyId=FORMAT_INVALID' },
  { name: 'a propertyId of 161 characters', send: [`GET /v1/properties/${'a'.repeat(161)} HTTP/1.1\r\n${HEAD}\r\n`], status: 400, says: 'VALIDATION_ERROR propertyId=LENGTH_INVALID' },
  { name: 'a propertyId of 160 characters', send: [`GET /v1/properties/${'a'.repeat(160)} HTTP/1.1\r\n${HEAD}\r\n`], status: 404, says: 'PROPERTY_NOT_FOUND' },
  { name: 'an empty propertyId', send: [`GET /v1/properties/ HTTP/1.1\r\n${HEAD}\r\n`], status: 404, says: UNKNOWN },
  { name: 'an empty propertyId in the middle', send: [`GET /v1/properties//availability HTTP/1.1\r\n${HEAD}\r\n`], status: 404, says: UNKNOWN },
  { name: 'an escaped letter in a literal segment', send: [`GET /v1/%70roperties HTTP/1.1\r\n${HEAD}\r\n`], status: 404, says: UNKNOWN },
  { name: 'QUERY without a media type', send: [`QUERY /v1/properties HTTP/1.1\r\n${HEAD}\r\n`], status: 405, says: UNKNOWN },
  { name: 'a broken body on an unknown path', send: [`POST /nope HTTP/1.1\r\nHost: x\r\nContent-Type: ;;\r\nContent-Length: 1\r\n\r\n{`], status: 404, says: UNKNOWN },
  { name: 'a broken body with a wrong method', send: [`PUT /v1/quotes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n{`], status: 405, says: UNKNOWN },
  { name: 'TRACE', send: [`TRACE /v1/properties HTTP/1.1\r\n${HEAD}\r\n`], status: 405, says: UNKNOWN },
  { name: 'HEAD of what is only posted', send: [`HEAD /v1/quotes HTTP/1.1\r\n${HEAD}\r\n`], status: 405, says: '', options: { isHead: true } },
  { name: 'accept-version', send: [`GET /nope HTTP/1.1\r\n${HEAD}Accept-Version: 9\r\n\r\n`], status: 404, says: UNKNOWN },
  { name: 'a media type that is none', send: [`${POST.replace('application/json', ';;')}Content-Length: 2\r\n\r\n{}`], status: 400, says: 'VALIDATION_ERROR header.content-type=NOT_ALLOWED' },
  { name: 'another media type', send: [`${POST.replace('application/json', 'text/plain')}Content-Length: 2\r\n\r\n{}`], status: 400, says: 'VALIDATION_ERROR header.content-type=NOT_ALLOWED' },
  { name: 'another charset', send: [`${POST.replace('/json', '/json; charset=utf-16')}Content-Length: 2\r\n\r\n{}`], status: 400, says: 'VALIDATION_ERROR header.content-type=NOT_ALLOWED' },
  { name: 'a compressed body', send: [`${POST}Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}`], status: 400, says: 'VALIDATION_ERROR header.content-encoding=NOT_ALLOWED' },
  { name: 'no body', send: [`${POST}\r\n`], status: 400, says: 'INVALID_JSON' },
  { name: 'an empty body', send: [`${POST}Content-Length: 0\r\n\r\n`], status: 400, says: 'INVALID_JSON' },
  { name: 'NaN', send: [`${POST}Content-Length: 3\r\n\r\nNaN`], status: 400, says: 'INVALID_JSON' },
  { name: 'a truncated body', send: [`${POST}Content-Length: 8\r\n\r\n{"stay":`], status: 400, says: 'INVALID_JSON' },
  { name: 'a byte-order mark', send: [`${POST}Content-Length: 5\r\n\r\n\xef\xbb\xbf{}`], status: 400, says: 'INVALID_JSON' },
  { name: 'broken UTF-8', send: [`${POST}Content-Length: 4\r\n\r\n"\xff\xfe"`], status: 400, says: 'INVALID_JSON' },
  { name: 'an array as the body', send: [`${POST}Content-Length: 2\r\n\r\n[]`], status: 400, says: 'VALIDATION_ERROR body=TYPE_INVALID' },
  { name: 'null as the body', send: [`${POST}Content-Length: 4\r\n\r\nnull`], status: 400, says: 'VALIDATION_ERROR body=TYPE_INVALID' },
  { name: '__proto__ in the body', send: [withProto()], status: 400, says: 'VALIDATION_ERROR __proto__=UNKNOWN_FIELD' },
  { name: 'a token in the query', send: [`GET /v1/properties?access_token=${TOKENS.full} HTTP/1.1\r\nHost: x\r\n\r\n`], status: 401, says: 'PARTNER_AUTH_REQUIRED' },
];

function withProto(): string {
  const body = QUOTE.replace('{', '{"__proto__":{},');
  return `${POST}Content-Length: ${body.length}\r\n\r\n${body}`;
}

describe('the partner listener on the wire', () => {
  let server: RunningServer;
  before(async () => {
    server = await startPartnerServer();
  });
  after(() => server.close());

  describe('answers every odd request with a problem and a correlation id', () => {
    for (const { name, send, status, says, closes, options } of ODD_REQUESTS) {
      it(name, async () => {
        const { answers, rest, isClosedByServer } = await exchange(server.port, send, options);
        const answer = onlyAnswer(answers, name);
        const isHead = options?.isHead ?? false;
        assertWellFormed(answer, name, isHead);
        assert.equal(rest, '');
        assert.equal(answer.status, status, answer.body);
        if (!isHead) assert.equal(summaryOf(answer), says);
        assert.equal(isClosedByServer, closes ?? false);
      });
    }
  });

  it('answers a good request before the garbage that follows it', async () => {
    const { answers, isClosedByServer } = await exchange(server.port, [`${GOOD}garbage\r\n\r\n`], {
      answerCount: 2,
    });
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 400],
    );
    for (const answer of answers) assertWellFormed(answer, answer.statusLine);
    assert.ok(isClosedByServer);
  });

  it('answers pipelined requests in their order', async () => {
    const quote = `${POST}Content-Length: ${QUOTE.length}\r\n\r\n${QUOTE}`;
    const { answers } = await exchange(server.port, [quote + GOOD + quote + GOOD], { answerCount: 4 });
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 200, 201, 200],
    );
    assert.equal(new Set(answers.map(({ headers }) => headers.get('x-correlation-id'))).size, 4);
  });

  it('takes HTTP/1.0 without Host, and the absolute form', async () => {
    const old = await exchange(server.port, [`GET /v1/properties/hotel-ponte HTTP/1.0\r\n${AUTH}\r\n`]);
    assert.equal(onlyAnswer(old.answers, 'HTTP/1.0').status, 200);
    const absolute = GOOD.replace('GET ', 'GET http://example.org');
    const { answers } = await exchange(server.port, [absolute]);
    assert.equal(onlyAnswer(answers, 'absolute form').status, 200);
  });

  it('never takes over the correlation id of the client', async () => {
    const { answers } = await exchange(server.port, [
      GOOD.replace('\r\n\r\n', '\r\nX-Correlation-ID: mine\r\nX-Request-Id: mine\r\n\r\n'),
    ]);
    assert.notEqual(onlyAnswer(answers, 'correlation').headers.get('x-correlation-id'), 'mine');
  });

  it('ignores an offered upgrade', async () => {
    const { answers } = await exchange(server.port, [
      GOOD.replace('\r\n\r\n', '\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'),
    ]);
    assert.equal(onlyAnswer(answers, 'upgrade').status, 200);
  });

  it('asks for an awaited body only after the checks', async () => {
    const awaited = `${POST}Expect: 100-continue\r\nContent-Length: ${QUOTE.length}\r\n\r\n`;
    const accepted = await exchange(server.port, [awaited, QUOTE], { pauseMs: 30 });
    assert.deepEqual(
      accepted.answers.map(({ status }) => status),
      [100, 201],
    );
    const refused = await exchange(server.port, [awaited.replace(AUTH, '')]);
    assert.deepEqual(
      refused.answers.map(({ status }) => status),
      [401],
    );
    assert.ok(refused.isClosedByServer);
  });
});

describe('slow clients', () => {
  let server: RunningServer;
  before(async () => {
    server = await startPartnerServer({ settings: { headersTimeoutMs: 200, requestTimeoutMs: 400 } });
  });
  after(() => server.close());

  const cases = [
    { name: 'slow headers', send: 'GET / HTTP/1.1\r\nHost: x\r\n' },
    { name: 'a slow body', send: `${POST}Content-Length: 100\r\n\r\n{` },
  ];
  for (const { name, send } of cases) {
    it(`get a problem and a closed connection: ${name}`, async () => {
      const { answers, isClosedByServer } = await exchange(server.port, [send]);
      const answer = onlyAnswer(answers, name);
      assertWellFormed(answer, name);
      assert.equal(summaryOf(answer), 'VALIDATION_ERROR request=OUT_OF_RANGE');
      assert.ok(isClosedByServer);
    });
  }

  // Browsers hold such connections ready, and would take an answer for that to their next request.
  it('that send nothing are closed without a byte', async () => {
    const { answers, isClosedByServer } = await exchange(server.port, ['']);
    assert.deepEqual(answers, []);
    assert.ok(isClosedByServer);
  });
});
