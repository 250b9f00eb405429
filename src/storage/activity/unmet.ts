/** Exact stays that found nothing, and why. */
import { commit, rollBack } from '../engine/write-result.ts';
import { change, ordinary, type Program, rows } from '../portable-sql/program.ts';
import { addRows, compareKeys, type Counted, deleteOldest, deletion, type Sum } from './counted-rows.ts';
import { type JudgedUnmet, OTHER, type StoredUnmet, type UnmetRow, type UnmetStay } from './store.ts';

export const UNMET: Counted<UnmetRow> = {
  table: 'unmet_parties',
  columns: ['city', 'country', 'check_in', 'nights', 'guests', 'child_ages', 'searches', 'last_day'],
  keyLength: 6,
  highest: 'last_day',
  values: (row) => [...keyOf(row), row.searches, row.day],
};

function keyOf(row: UnmetStay) {
  return [row.city, row.country, row.checkIn, row.nights, row.guests, row.childAges] as const;
}

/** That of an index, backwards: nothing is sorted for the few stays that are read. */
const UNMET_ORDER = ['searches', ...UNMET.columns.slice(0, UNMET.keyLength)];
const UNMET_KEY = UNMET.columns.slice(0, UNMET.keyLength);

/** No country is called so. */
const NOT_OTHER = ` AND country <> '${OTHER}'`;

export const recordJudgements = ordinary('recordJudgements', function* (judged: readonly JudgedUnmet[]) {
  const keys = judged.map(keyOf);
  const order = judged.map((_, index) => index);
  // In the order of the keys, as `addRows` takes them.
  for (const index of order.toSorted((a, b) => compareKeys(keys[a]!, keys[b]!, UNMET.keyLength)))
    yield* change(
      `UPDATE unmet_parties SET judged_at_ms = ?, judgement = ?
       WHERE city = ? AND country = ? AND check_in = ? AND nights = ? AND guests = ? AND child_ages = ?`,
      [judged[index]!.judgedAtMs, judged[index]!.judgement, ...keys[index]!],
    );
  return commit(undefined);
});

export const trimUnmet = ordinary('trimUnmet', function* (rowsMax: number, limit: number) {
  const [counted] = yield* rows<{ readonly stays: Sum }>('SELECT count(*) AS stays FROM unmet_parties');
  const excess = Math.min(limit, Number(counted!.stays) - rowsMax);
  if (excess <= 0) return rollBack(0);
  const keys = UNMET_KEY.join(', ');
  const deleted = yield* rows<{ readonly searches: number; readonly last_day: number }>(
    `DELETE FROM unmet_parties WHERE (${keys}) IN
       (SELECT ${keys} FROM unmet_parties WHERE searches >= 0${NOT_OTHER} ORDER BY searches, last_day LIMIT ?)
     RETURNING searches, last_day`,
    [excess],
  );
  const searches = deleted.reduce((sum, row) => sum + row.searches, 0);
  const day = Math.max(...deleted.map((row) => row.last_day));
  const other = { city: OTHER, country: OTHER, checkIn: 0, nights: 0, guests: 0, childAges: '' };
  if (deleted.length > 0) yield* addRows(UNMET, [{ ...other, searches, day }]);
  return commit(deleted.length);
});

/** Those of before migration 026, which copied them: nothing reads them any more. */
const COPIED = { table: 'unmet_stays', columns: UNMET_KEY.slice(0, -1), keyLength: UNMET.keyLength - 1 };

export const deletePassedUnmet = ordinary('deletePassedUnmet', function* (before: number, limit: number) {
  yield* deleteOldest(COPIED, 'check_in', { before, limit });
  return commit(yield* deleteOldest(UNMET, 'check_in', { before, limit, also: NOT_OTHER }));
});
export const deleteOldUnmet = deletion('deleteOldUnmet', UNMET, 'last_day');

export function* readUnmet(range: {
  readonly checkInFrom: number;
  readonly rowsMax: number;
}): Program<StoredUnmet[]> {
  type Stored = Omit<StoredUnmet, 'checkIn' | 'childAges' | 'judgedAtMs'> & {
    readonly check_in: number;
    readonly child_ages: string;
    readonly judged_at_ms: number | null;
  };
  const found = yield* rows<Stored>(
    `SELECT ${UNMET_KEY.join(', ')}, searches, judged_at_ms, judgement FROM unmet_parties
     WHERE check_in >= ?${NOT_OTHER} ORDER BY ${UNMET_ORDER.join(' DESC, ')} DESC LIMIT ?`,
    [range.checkInFrom, range.rowsMax],
  );
  return found.map(({ check_in: checkIn, child_ages: childAges, judged_at_ms: judgedAtMs, ...row }) => ({
    ...row,
    checkIn,
    childAges,
    judgedAtMs,
  }));
}

export function* countOtherUnmet(): Program<number> {
  const [found] = yield* rows<{ readonly other: Sum | null }>(
    'SELECT sum(searches) AS other FROM unmet_parties WHERE country = ?',
    [OTHER],
  );
  return Number(found?.other ?? 0);
}
