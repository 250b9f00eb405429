/** Lists of random steps that a failed property test prints as a story, a line each, instead of as nested objects. */
import fc from 'fast-check';

/** 1 to `stepsMax` steps, any number as often, so that a failure shrinks to few. `tell` makes one line of a step. */
export function storyOf<Step>(
  step: fc.Arbitrary<Step>,
  stepsMax: number,
  tell: (step: Step) => string,
): fc.Arbitrary<readonly Step[]> {
  return fc.array(step, { minLength: 1, maxLength: stepsMax, size: 'max' }).map((list) =>
    Object.defineProperty(list, fc.toStringMethod, {
      value: () => list.map((step, index) => `\n  ${index + 1}. ${tell(step)}`).join(''),
    }),
  );
}

/** Does something with each step; a failure names the step at which it came up. */
export async function performEach<Step>(
  steps: readonly Step[],
  tell: (step: Step) => string,
  perform: (step: Step, index: number) => Promise<void>,
): Promise<void> {
  for (const [index, step] of steps.entries()) {
    try {
      await perform(step, index);
    } catch (error) {
      throw new Error(`at step ${index + 1}, ${tell(step)}`, { cause: error });
    }
  }
}
