/** Memory limits of compressed bodies, all requests together. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { until } from '../../../test/kit/command-line.ts';
import { OPERATOR_SETTINGS, startOperatorServer, SUPPLY_STUB } from '../../../test/kit/http-fixtures.ts';
import { readCalendarMessage } from '../../supply/messages/calendar-message.ts';
import { BODY_BYTES_OF_TOKEN_MAX } from './memory-budget.ts';

/** The stub's storage answers every message alike: its key was used for another body. */
const EMPTY_MESSAGE = Buffer.from('{"entries":[]}');

it('Inflated bytes count towards the memory of their token; a body beyond it is refused', async () => {
  const underway: (() => void)[] = [];
  const sizes: number[] = [];
  const supplyBodyLimitBytes = BODY_BYTES_OF_TOKEN_MAX / 2;
  const server = await startOperatorServer({
    settings: { ...OPERATOR_SETTINGS, supplyBodyLimitBytes },
    supply: {
      ...SUPPLY_STUB,
      parser: {
        ...SUPPLY_STUB.parser,
        readCalendars({ body }) {
          sizes.push(body.byteLength);
          return new Promise((resolve) => {
            underway.push(() => resolve({ ...readCalendarMessage(EMPTY_MESSAGE), bodyHash: '' }));
          });
        },
      },
    },
  });
  const body = gzipSync(Buffer.alloc(supplyBodyLimitBytes, ' '));
  const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' };
  const send = (): Promise<Response> =>
    server.fetch('/supply/v1/calendars?source=pms', { method: 'PATCH', body, headers });
  const reach = async (count: number): Promise<void> => {
    await until(() => Promise.resolve(underway.length >= count));
  };
  try {
    const first = send();
    await reach(1);
    const second = send();
    await reach(2);
    assert.deepEqual(sizes, [supplyBodyLimitBytes, supplyBodyLimitBytes]);
    const third = await send();
    assert.deepEqual([third.status, third.headers.get('retry-after')], [503, '1']);
    underway[0]!();
    assert.equal((await first).status, 409);
    const fourth = send();
    await reach(3);
    for (const end of underway) end();
    assert.deepEqual([(await second).status, (await fourth).status], [409, 409]);
  } finally {
    await server.close();
  }
});
