/** Memory of counting. Alone in its process: it reads the heap. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { floodActivity } from '../../../test/kit/activity-flood.ts';
import { DEMAND_ROWS_MAX, UNKNOWN_PLACES_MAX, UNMET_ROWS_MAX } from './demand-table.ts';
import { REQUESTS_WAITING_MAX } from './recent-requests.ts';
import { ROW_BYTES, WAITING_BYTES_MAX } from './slice-writer.ts';
import { TRAFFIC_ROWS_MAX } from './traffic-table.ts';

const MIB_MAX = 8;

it('Counting stays below 8 MiB a thread whatever partners ask, also while its tables are away', async () => {
  // Compiled code is not what partners ask for.
  await floodActivity(50_000);
  const { awayMib, mib, looks, others, rowsDropped } = await floodActivity(400_000);
  assert.ok(awayMib < MIB_MAX, `${awayMib} MiB while away`);
  // How much was written before the flood ended depends on timers.
  assert.ok(mib < MIB_MAX, `${mib} MiB`);
  assert.ok(rowsDropped > 10_000, `${rowsDropped} rows dropped`);
  assert.ok(looks > 0 && others > 0, 'what finds no room is counted as others');
});

it('Rows may wait until every table is full once', () => {
  const bytes =
    (TRAFFIC_ROWS_MAX + 1) * ROW_BYTES.traffic +
    (DEMAND_ROWS_MAX + 1) * ROW_BYTES.demand +
    (UNKNOWN_PLACES_MAX + 1) * ROW_BYTES.unknownPlaces +
    (UNMET_ROWS_MAX + 1) * ROW_BYTES.unmet +
    REQUESTS_WAITING_MAX * ROW_BYTES.requests;
  assert.ok(bytes < WAITING_BYTES_MAX, `${bytes} bytes`);
});
