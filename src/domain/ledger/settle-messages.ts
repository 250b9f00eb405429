/**
 * The steps of supply within a transaction: load, plan, settle, save. Written once for both engines, each of which
 * opens its tables: the writer thread of SQLite runs the steps without a pause, PostgreSQL awaits every answer.
 */
import type { SupplyAnswer, SupplyMessage } from './message.ts';
import { type Remembered, type Settlement, SupplyPlanner } from './planner.ts';
import { type Needed, neededBy, type SupplyRows } from './rows.ts';
import type { StoredWrite, WriteOutcome } from './stored-write.ts';

/** The tables of one transaction. */
export interface SupplyTables {
  readonly load: (needed: Needed) => SupplyRows | Promise<SupplyRows>;
  /** Returns the revision of the change, or the newest when nothing has changed. */
  readonly save: (settlement: Settlement) => number | Promise<number>;
  readonly remember: (remembered: Remembered) => void | Promise<void>;
}

/** Asks the tables; where there is nothing to ask, a caller with others to serve may pause. */
export type Step = ((tables: SupplyTables) => unknown) | undefined;
export type SupplySteps<T> = Generator<Step, T, unknown>;

export function* settleMessages(messages: readonly SupplyMessage[]): SupplySteps<SupplyAnswer[]> {
  const planner = new SupplyPlanner(yield* load(neededBy(messages)));
  for (const message of messages) yield* planner.take(message);
  const revision = yield* save(yield* planner.settle());
  yield* remember(planner.seal(revision));
  return planner.answers();
}

/** Documents of an import: of properties of which several sources have layers, or that keep what is there. */
export function* settleDocuments(writes: readonly StoredWrite[], nowMs: number): SupplySteps<WriteOutcome[]> {
  const { planner, outcomes } = yield* planDocuments(writes, nowMs);
  yield* save(yield* planner.settle());
  return outcomes;
}

/** As `settleDocuments` would answer; saves nothing. */
export function* compareDocuments(writes: readonly StoredWrite[]): SupplySteps<WriteOutcome[]> {
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

/** Runs all steps without a pause, on tables that answer at once. */
export function runSteps<T>(steps: SupplySteps<T>, tables: SupplyTables): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next(step.value?.(tables));
  return step.value;
}

// Steps; the type of each answer is that of the method of `SupplyTables`.

function* load(needed: Needed): SupplySteps<SupplyRows> {
  return (yield (tables) => tables.load(needed)) as SupplyRows;
}

function* save(settlement: Settlement): SupplySteps<number> {
  return (yield (tables) => tables.save(settlement)) as number;
}

function* remember(remembered: Remembered): SupplySteps<void> {
  yield (tables) => tables.remember(remembered);
}
