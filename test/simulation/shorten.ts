/** A story that fails, made shorter as long as it fails: fewer services and readers, fewer steps. */
import type { Ending, Stage } from './run-story.ts';
import { makeStory, type Story } from './story.ts';

/** Stories that are tried at most. */
const TRIES_MAX = 400;

export interface Shortened {
  readonly story: Story;
  readonly ending: Ending;
}

/** Stories of so many seeds; `short` is the first that fails. */
export async function tellUntilOneFails(
  stage: Stage,
  first: number,
  count: number,
): Promise<{ readonly tried: number; readonly short?: Shortened }> {
  for (let tried = 1; tried <= count; tried += 1) {
    const story = makeStory(first + tried - 1);
    const ending = await stage.run(story);
    if (ending.wrong !== undefined) return { tried, short: await shorten(stage, { story, ending }) };
  }
  return { tried: count };
}

export async function shorten(stage: Stage, failed: Shortened): Promise<Shortened> {
  let best = failed;
  let triesLeft = TRIES_MAX;
  /** Takes the story if it fails, too. */
  const tries = async (story: Story): Promise<boolean> => {
    if (triesLeft-- <= 0) return false;
    const ending = await stage.run(story);
    if (ending.wrong === undefined) return false;
    best = { story, ending };
    return true;
  };
  await dropActors(() => best.story, tries);
  for (
    let size = Math.ceil(best.story.steps.length / 2);
    size >= 1 && triesLeft > 0;
    size = Math.floor(size / 2)
  )
    for (let at = 0; at < best.story.steps.length;) {
      const { steps } = best.story;
      const isShorter = await tries({
        ...best.story,
        steps: [...steps.slice(0, at), ...steps.slice(at + size)],
      });
      if (!isShorter) at += size;
    }
  await dropActors(() => best.story, tries);
  return best;
}

async function dropActors(story: () => Story, tries: (story: Story) => Promise<boolean>): Promise<void> {
  for (let service = story().readers.length - 1; service >= 0; service -= 1) {
    const { readers } = story();
    if (readers.length > 1 && (await tries({ ...story(), readers: readers.toSpliced(service, 1) }))) continue;
    while (story().readers[service]! > 1) {
      const fewer = story().readers.with(service, story().readers[service]! - 1);
      if (!(await tries({ ...story(), readers: fewer }))) break;
    }
  }
}
