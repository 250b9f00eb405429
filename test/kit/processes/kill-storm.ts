/** Lets a storm rage until enough of it was acknowledged, then kills it with -9. */
import type { TestProcess } from './start.ts';
import { STORM_IMPORTED } from './storm-shape.ts';

/** The ids of all quotes that were acknowledged: at least so many, and beside them at least one import. */
export async function killStorm(storm: TestProcess, quoteCount: number): Promise<string[]> {
  const quoteIds: string[] = [];
  let isImported = false;
  const take = (line: string): void => {
    if (line === STORM_IMPORTED) isImported = true;
    else quoteIds.push(line);
  };
  while (quoteIds.length < quoteCount || !isImported) {
    const { done, value } = await storm.output.next();
    if (done === true) throw new Error('the storm ended by itself');
    take(value);
  }
  await storm.kill();
  for (let line = await storm.output.next(); line.done !== true; line = await storm.output.next()) {
    take(line.value);
  }
  return quoteIds;
}
