/** Reading and deleting quotes, in both engines. What is written per quote, each engine has for itself. */
import { ADD_TOTALS, DAY_COLUMNS, DAY_TOTALS } from '../attribution/attribution-sql.ts';
import { commit } from '../engine/write-result.ts';
import { concern, type RunnerOf } from '../portable-sql/concern.ts';
import { change, ordinary, placeholders, type Program, rows, SKIP_LOCKED } from '../portable-sql/program.ts';
import { QUOTE, type QuoteCursor, type QuoteRow, type QuoteStore, type UnopenedQuotes } from './store.ts';

/** Quotes whose visits are being written are left for the next time. */
const deleteExpired = ordinary('deleteExpiredQuotes', function* (expiredBeforeMs: number, limit: number) {
  const found = yield* rows<{ readonly quoteId: string }>(
    `SELECT quote_id AS "quoteId" FROM quotes WHERE expires_at_ms < ?
     ORDER BY expires_at_ms LIMIT ? ${SKIP_LOCKED}`,
    [expiredBeforeMs, limit],
  );
  return commit(yield* deleteQuotes(found.map(({ quoteId }) => quoteId)));
});

/** A quote whose visit is being written is opened: it is passed over. */
const deleteUnopened = ordinary(
  'deleteUnopenedQuotes',
  function* ({ after, expiredBeforeMs, limit }: UnopenedQuotes) {
    const found = yield* rows<QuoteCursor>(
      `SELECT quote_id AS "quoteId", expires_at_ms AS "expiresAtMs" FROM quotes
       WHERE expires_at_ms >= ? AND (expires_at_ms, quote_id) > (?, ?) AND expires_at_ms < ?
       ORDER BY expires_at_ms, quote_id LIMIT ? ${SKIP_LOCKED}`,
      [after.expiresAtMs, after.expiresAtMs, after.quoteId, expiredBeforeMs, limit],
    );
    const looked = placeholders(found.map(({ quoteId }) => quoteId));
    const visits = yield* rows<{ readonly quoteId: string }>(
      `SELECT quote_id AS "quoteId" FROM handoff_visits WHERE quote_id IN (${looked.text})`,
      looked.values,
    );
    const opened = new Set(visits.map(({ quoteId }) => quoteId));
    const unopened = found.filter(({ quoteId }) => !opened.has(quoteId)).map(({ quoteId }) => quoteId);
    const { quoteId, expiresAtMs } = found.at(-1) ?? after;
    const deleted = yield* deleteQuotes(unopened);
    return commit({ looked: found.length, deleted, last: { quoteId, expiresAtMs } });
  },
);

const WRITES = [deleteExpired, deleteUnopened];

export const quoteConcern = concern(WRITES, quoteStore);

function quoteStore({
  read,
  write,
}: RunnerOf<typeof WRITES>): Pick<QuoteStore, 'findQuote' | 'deleteExpiredQuotes' | 'deleteUnopenedQuotes'> {
  return {
    findQuote: (quoteId) => read(selectQuote(quoteId)),
    deleteExpiredQuotes: (expiredBeforeMs, limit) => write(deleteExpired, expiredBeforeMs, limit),
    deleteUnopenedQuotes: (slice) => write(deleteUnopened, slice),
  };
}

function* selectQuote(quoteId: string): Program<QuoteRow | undefined> {
  const found = yield* rows<object>(`SELECT ${QUOTE.columns} FROM quotes WHERE quote_id = ?`, [quoteId]);
  return found.map(QUOTE.read)[0];
}

/**
 * Deletes quotes with their visits; what they were stays in the totals of their days. The transaction holds these
 * quotes, and the write of a visit waits for that, so that every visit there will ever be is counted.
 */
function* deleteQuotes(quoteIds: readonly string[]): Program<number> {
  const { text, values } = placeholders(quoteIds);
  yield* change(
    `INSERT INTO attribution_days AS stored (${DAY_COLUMNS})
     SELECT ${DAY_TOTALS} FROM quotes q LEFT JOIN handoff_visits v ON v.quote_id = q.quote_id
     WHERE q.quote_id IN (${text}) AND q.is_test = 0 GROUP BY 1, 2
     ON CONFLICT (day, partner_id) DO UPDATE SET ${ADD_TOTALS}`,
    values,
  );
  yield* change(`DELETE FROM handoff_visits WHERE quote_id IN (${text})`, values);
  return yield* change(`DELETE FROM quotes WHERE quote_id IN (${text})`, values);
}
