import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildCalendar, type CalendarEntry } from '../calendar.ts';
import { combineLayers } from '../layers.ts';
import { type Statement, traceSettings } from './provenance.ts';

const entry = (from: number, to: number, set: CalendarEntry['set']): CalendarEntry => ({ from, to, set });
const statement = (source: string, atMs: number, entries?: CalendarEntry[], replaces = false): Statement => ({
  source,
  atMs,
  messageId: `m${atMs}`,
  entries,
  replaces,
});
const layer = (source: string, changedAtMs: number, entries: CalendarEntry[]) => ({
  source,
  changedAtMs,
  calendar: buildCalendar(entries),
});

function trace(layers: ReturnType<typeof layer>[], statements: Statement[]) {
  return traceSettings(layers, statements, combineLayers(layers, 'pms')).map(({ from, to, settings }) => [
    `${from}..${to}`,
    settings.map(
      (one) => `${one.source} ${one.field}=${String(one.value)} ${one.messageId} ${one.atMs} ${one.decides}`,
    ),
  ]);
}

describe('traceSettings', () => {
  it('says which source set what, when, by which message, and whose value counts', () => {
    const first = entry(0, 2, { availability: 3, rate: 100 });
    const second = entry(1, 1, { availability: 2 });
    const channel = entry(1, 2, { availability: 2 });
    assert.deepEqual(
      trace(
        [layer('pms', 20, [first, second]), layer('channel', 30, [channel])],
        [statement('pms', 10, [first]), statement('pms', 20, [second]), statement('channel', 30, [channel])],
      ),
      [
        ['0..0', ['pms availability=3 m10 10 true', 'pms rate=100 m10 10 true']],
        [
          '1..1',
          [
            'pms availability=2 m20 20 true',
            'pms rate=100 m10 10 true',
            'channel availability=2 m30 30 true',
          ],
        ],
        [
          '2..2',
          [
            'pms availability=3 m10 10 false',
            'pms rate=100 m10 10 true',
            'channel availability=2 m30 30 true',
          ],
        ],
      ],
    );
  });

  it('dates by the layer what no kept message has set', () => {
    const old = entry(0, 0, { availability: 3 });
    assert.deepEqual(
      trace([layer('pms', 15, [old])], [statement('pms', 10, [entry(0, 0, { availability: 1 })])]),
      [['0..0', ['pms availability=3 null 15 true']]],
    );
    assert.deepEqual(trace([layer('pms', 15, [old])], []), [['0..0', ['pms availability=3 null 15 true']]]);
  });

  it('takes a document, and a message that replaces, as the beginning', () => {
    const units = entry(0, 1, { availability: 3 });
    const closed = entry(1, 1, { stopSell: 1 });
    const document = statement('pms', 10);
    assert.deepEqual(
      trace(
        [layer('pms', 20, [units, closed])],
        [statement('pms', 5, [units]), document, statement('pms', 20, [closed])],
      ),
      [
        ['0..0', ['pms availability=3 m10 10 true']],
        ['1..1', ['pms availability=3 m10 10 true', 'pms stopSell=1 m20 20 true']],
      ],
    );
    // An import on the command line came after it.
    assert.deepEqual(trace([layer('pms', 30, [units])], [document]), [
      ['0..1', ['pms availability=3 null 30 true']],
    ]);
    const replaced = [statement('pms', 5, [closed]), statement('pms', 7, [units], true)];
    assert.deepEqual(trace([layer('pms', 7, [units])], replaced), [
      ['0..1', ['pms availability=3 m7 7 true']],
    ]);
  });
});
