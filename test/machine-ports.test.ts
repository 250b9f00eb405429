/**
 * The places where the program meets the machine's timers, its monotonic clock, and servers of others. In a simulated
 * process all of these are the scheduler's (`test/simulation/scheduler.ts`), so a story goes through each of them. Pass a
 * clock or a pause on as an argument instead of adding a place: `runtime/clock.ts`, `read-model/following/retry-loop.ts`.
 * The wall clock and randomness have one place each, which `architecture.test.ts` holds.
 */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { reachableFrom, readSourceFile, withoutComments } from './kit/import-graph.ts';

const SOURCE = join(import.meta.dirname, '..', 'src');

const TIMERS = /\bset(?:Timeout|Interval|Immediate)\b/;
const TIMER_PLACES = [
  'app/cli/commands/run-server.ts',
  'app/cli/demo/demo.ts',
  'app/service/context/asked-questions.ts',
  'app/service/imports/import-folder.ts',
  'app/service/imports/import-thread.ts',
  'app/service/open-context.ts',
  'app/service/pictures/picture-program.ts',
  'app/service/service.ts',
  'app/workers/catalogue-keeper.ts',
  'app/workers/primary.ts',
  'app/workers/reader-keeper.ts',
  'console/pages/partners/send-call.ts',
  'console/pages/supply/read.ts',
  'console/reading/cache.ts',
  'console/reading/property-names.ts',
  'console/reading/property-table.ts',
  'console/reading/sources.ts',
  'http/answers/drain-body.ts',
  'http/answers/guarded-response.ts',
  'http/listener/client-errors.ts',
  'http/listener/connections.ts',
  'http/listener/listener.ts',
  'http/listener/pipelining.ts',
  'http/listener/rounds.ts',
  'http/listener/unauthenticated-connections.ts',
  'http/observability/failure-log.ts',
  'http/observability/otlp-tracing.ts',
  'limits/redis-client.ts',
  'limits/shared-limits.ts',
  'operator/activity/activity.ts',
  'operator/activity/judge-stored.ts',
  'partner/changes/long-polls.ts',
  'partner/http/sandbox-hook.ts',
  'partner/sandbox/sandbox.ts',
  'read-model/following/market-order.ts',
  'read-model/following/retry-loop.ts',
  'runtime/deadlines.ts',
  'runtime/event-loop-watch.ts',
  'runtime/in-turns.ts',
  'runtime/job-thread.ts',
  'runtime/outbound/exchange.ts',
  'runtime/time-limit.ts',
  'storage/catalogue/sqlite-snapshot.ts',
  'storage/catalogue/sqlite.ts',
  'storage/copy/sqlite-tables.ts',
  'storage/engine/postgres/pool-sockets.ts',
  'storage/portable-sql/days-by-parts.ts',
  'storage/supply/postgres-writes.ts',
  'storage/tasks/repeat.ts',
  'storage/tasks/retention.ts',
  'storage/writer/writer.ts',
  'supply/connections/connection-deps.ts',
  'supply/freshness/watch-freshness.ts',
  'supply/ical/read-off-thread.ts',
  'supply/messages/supply-context.ts',
  'supply/polling/claims.ts',
  'supply/run/import-run.ts',
];

const MONOTONIC = /\bperformance\.now\b|\bhrtime\b/;
const MONOTONIC_PLACES = [
  'app/cli/commands/database-commands.ts',
  'app/cli/demo/demo.ts',
  'app/cli/terminal/progress.ts',
  'app/cli/terminal/stop-signal.ts',
  'app/service/context/access-cache.ts',
  'app/service/listeners/own-calls.ts',
  'app/service/pictures/picture-program.ts',
  'app/workers/catalogue-keeper.ts',
  'app/workers/primary.ts',
  'app/workers/reader-keeper.ts',
  'console/reading/cache.ts',
  'console/reading/property-names.ts',
  'http/listener/body-chunks.ts',
  'http/listener/listener.ts',
  'http/listener/rounds.ts',
  'http/listener/unauthenticated-connections.ts',
  'http/observability/refusal-log.ts',
  'limits/remember-exceeded.ts',
  'limits/window-table.ts',
  'operator/activity/activity.ts',
  'operator/activity/denial-analysis.ts',
  'partner/content/content-cache.ts',
  'runtime/clock.ts',
  'runtime/deadlines.ts',
  'runtime/event-loop-watch.ts',
  'runtime/in-turns.ts',
  'storage/catalogue/property-rows.ts',
  'storage/engine/postgres/connections.ts',
  'storage/engine/postgres/primary-fence.ts',
  'storage/engine/sqlite/session.ts',
  'storage/engine/sqlite/transactions.ts',
  'storage/supply/postgres-writes.ts',
  'storage/writer/writer.ts',
  'supply/messages/supply-context.ts',
  'supply/published/calendar-cache.ts',
  'supply/published/watch-published.ts',
  'supply/sheet/workbook-xml.ts',
];

/** Commands and the demo, which call the own service; everything else goes by `runtime/outbound/`. */
const FETCH = /(?<![.\w'])fetch\(/;
const FETCH_PLACES = [
  'app/cli/commands/mcp-command.ts',
  'app/cli/demo/demo-web.ts',
  'app/cli/demo/demo.ts',
  'partner/mcp/mcp-server.ts',
];

const files = reachableFrom(
  [
    'app/cli/main.ts',
    'app/cli/commands/worker-thread.ts',
    'app/cli/commands/catalogue-thread.ts',
    'app/cli/commands/reader-thread.ts',
  ],
  globSync('**/*.ts', { cwd: SOURCE }).map((path) => readSourceFile(SOURCE, path)),
);

/** Pages of the portal hold programs for partners as text. */
function placesOf(pattern: RegExp): string[] {
  return files
    .filter(({ path, text }) => !path.startsWith('portal/') && pattern.test(withoutComments(text)))
    .map(({ path }) => path)
    .sort();
}

describe('The program meets in named places alone', () => {
  it('timers of the machine', () => assert.deepEqual(placesOf(TIMERS), TIMER_PLACES));
  it('its monotonic clock', () => assert.deepEqual(placesOf(MONOTONIC), MONOTONIC_PLACES));
  it('servers of others, by fetch', () => assert.deepEqual(placesOf(FETCH), FETCH_PLACES));
});
