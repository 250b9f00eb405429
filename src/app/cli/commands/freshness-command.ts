/** `freshness`: when each source last said what a property's calendar is. */
import type { Command } from 'commander';
import { presentFreshness, readConfirmations } from '../../../supply/freshness/read-freshness.ts';
import { example } from '../terminal/example.ts';
import { wholeNumber } from '../terminal/option-values.ts';
import { formatTable } from '../terminal/readable.ts';
import type { Session } from '../terminal/session.ts';
import { HOUR_MS } from '../../../domain/local-date.ts';

const STALE_HOURS_MAX = 100_000;

export function configureFreshness(command: Command, session: Session): void {
  command
    .option(
      '--stale-hours <hours>',
      'only properties that no message has confirmed for this many hours',
      wholeNumber(0, STALE_HOURS_MAX),
      0,
    )
    .addHelpText('after', example('freshness --stale-hours 24', 'freshness --json'))
    .action(async ({ staleHours }: { staleHours: number }) => {
      const rows = await findStale(session, staleHours);
      session.answer(rows, () =>
        formatTable(
          ['propertyId', 'source', 'confirmedAt', 'ageHours'],
          rows,
          staleHours === 0 ? 'No source has confirmed anything yet.' : 'No confirmation is that old.',
        ),
      );
    });
}

async function findStale(session: Session, staleHours: number) {
  const nowMs = session.clock();
  return session.withStorage(async (storage) => {
    const stale = [];
    for await (const rows of readConfirmations(storage)) {
      for (const row of rows) {
        const ageMs = Math.max(0, nowMs - row.confirmedAtMs);
        if (ageMs >= staleHours * HOUR_MS) stale.push(presentFreshness(row, nowMs));
      }
    }
    return stale;
  });
}
