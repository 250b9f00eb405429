/** Tries stories of services that make one mistake until one fails. Prints how many that took, and what was wrong. */
import { MISTAKES, type MistakeName, plant } from '../../simulation/mistakes.ts';

const [name = '', first = '1', count = '1'] = process.argv.slice(2);
if (!(name in MISTAKES)) throw new Error(`there is no such mistake: ${name}`);
plant(name as MistakeName);
const { openStage } = await import('../../simulation/run-story.ts');
const { makeStory } = await import('../../simulation/story.ts');
const { shorten } = await import('../../simulation/shorten.ts');

const stage = await openStage();
let tried = 0;
let steps = 0;
let wrong: string | undefined;
while (wrong === undefined && tried < Number(count)) {
  const story = makeStory(Number(first) + tried);
  const ending = await stage.run(story);
  tried += 1;
  if (ending.wrong === undefined) continue;
  const short = await shorten(stage, { story, ending });
  wrong = short.ending.wrong;
  steps = short.story.steps.length;
}
await stage.close();
console.log(JSON.stringify({ tried, steps, wrong }));
