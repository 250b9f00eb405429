/**
 * The road of supply from its transaction on: load, plan, settle, save. Written once for both engines, each of which
 * lends its books: the writer thread of SQLite goes through without a pause, PostgreSQL awaits every answer.
 */
import type { SupplyAnswer, SupplyMessage } from './message.ts';
import { type Remembered, type Settlement, SupplyPlanner } from './planner.ts';
import { type Needed, neededBy, type SupplyRows } from './rows.ts';
import type { StoredWrite, WriteOutcome } from './stored-write.ts';

/** The tables of one transaction. */
export interface Books {
  readonly load: (needed: Needed) => SupplyRows | Promise<SupplyRows>;
  /** Returns the revision of the change, or the newest when nothing has changed. */
  readonly save: (settlement: Settlement) => number | Promise<number>;
  readonly remember: (remembered: Remembered) => void | Promise<void>;
}

/** Asks the books; where there is nothing to ask, a caller with others to serve may pause. */
export type Step = ((books: Books) => unknown) | undefined;
export type Road<T> = Generator<Step, T, unknown>;

export function* settleMessages(messages: readonly SupplyMessage[]): Road<SupplyAnswer[]> {
  const planner = new SupplyPlanner(yield* load(neededBy(messages)));
  for (const message of messages) yield* planner.take(message);
  const revision = yield* save(yield* planner.settle());
  yield* remember(planner.seal(revision));
  return planner.answers();
}

/** Documents of an import: of properties of which several sources have layers, or that keep what is there. */
export function* settleDocuments(writes: readonly StoredWrite[], nowMs: number): Road<WriteOutcome[]> {
  const { planner, outcomes } = yield* planDocuments(writes, nowMs);
  yield* save(yield* planner.settle());
  return outcomes;
}

/** As `settleDocuments` would answer; saves nothing. */
export function* compareDocuments(writes: readonly StoredWrite[]): Road<WriteOutcome[]> {
  return (yield* planDocuments(writes, 0)).outcomes;
}

function* planDocuments(writes: readonly StoredWrite[], nowMs: number) {
  const propertyIds = writes.map(({ propertyId }) => propertyId);
  const planner = new SupplyPlanner(yield* load({ propertyIds, keys: [], conditionalIds: [] }));
  const outcomes: WriteOutcome[] = [];
  for (const write of writes) {
    outcomes.push(planner.write(write, nowMs));
    yield;
  }
  return { planner, outcomes };
}

/** Without a pause, over books that answer at once. */
export function travel<T>(road: Road<T>, books: Books): T {
  let step = road.next();
  while (step.done !== true) step = road.next(step.value?.(books));
  return step.value;
}

// Steps; the type of each answer is that of the book's method.

function* load(needed: Needed): Road<SupplyRows> {
  return (yield (books) => books.load(needed)) as SupplyRows;
}

function* save(settlement: Settlement): Road<number> {
  return (yield (books) => books.save(settlement)) as number;
}

function* remember(remembered: Remembered): Road<void> {
  yield (books) => books.remember(remembered);
}
