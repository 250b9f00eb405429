/** A thread for long questions that does what it is asked, instead of answering. */
import { BroadcastChannel, parentPort } from 'node:worker_threads';
import { openChannel } from '../../../src/app/workers/channel.ts';
import type { Question } from '../../../src/read-model/catalogue/questions/questions.ts';

const channel = openChannel(parentPort!);
await channel.ask('join the catalogue');
/** Questions so far, by their texts. */
const asked: string[] = [];

channel.answer('question', async (question) => {
  const { text } = (question as Question<'cities'>).about;
  const [act, number = '0'] = text.split(' ');
  asked.push(text);
  if (act === 'die') process.exit(7);
  if (act === 'fail') throw new Error('it failed');
  // The thread is busy, and can be told nothing.
  for (
    const untilMs = performance.now() + (act === 'work' ? Number(number) : 0);
    performance.now() < untilMs;
  );
  if (act === 'hold') await released();
  return act === 'tell' ? asked : text;
});
channel.emit('ready');

/** Until the test sends any message to all. */
async function released(): Promise<void> {
  const orders = new BroadcastChannel('obeying reader');
  await new Promise((resolve) => orders.addEventListener('message', resolve, { once: true }));
  orders.close();
}
