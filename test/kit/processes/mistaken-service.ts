/**
 * A service that makes one mistake. With a name alone, it lives the story that is kept for it; with a first seed and a
 * count, it tries stories until one fails, and prints that one, made shorter, as a file keeps it.
 */
import { MISTAKES, plant } from '../../simulation/mistakes.ts';
import { formatKept, readKept, storyOfMistake } from '../../simulation/kept.ts';

const [name = '', first, count = '1'] = process.argv.slice(2);
if (!(name in MISTAKES)) throw new Error(`there is no such mistake: ${name}`);
plant(name);
const { openStage } = await import('../../simulation/run-story.ts');
const { tellUntilOneFails } = await import('../../simulation/shorten.ts');

const stage = await openStage();
if (first === undefined) {
  const { wrong } = await stage.run(readKept(storyOfMistake(name)));
  console.log(JSON.stringify({ wrong }));
} else {
  const { tried, short } = await tellUntilOneFails(stage, Number(first), Number(count));
  const kept = short && formatKept(short.story);
  console.log(JSON.stringify({ tried, wrong: short?.ending.wrong, kept }));
}
await stage.close();
