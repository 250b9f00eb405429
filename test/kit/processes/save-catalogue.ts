/** Saves a catalogue to the file that it is given, with one property more each time, until it is ended; or `once`. */
import { buildCalendar } from '../../../src/domain/calendar.ts';
import { makeProperty, TODAY } from '../catalogue-samples.ts';
import { applyAll, makeFiled, settledAt } from '../saved-catalogue.ts';

const [path, firstCount, once] = process.argv.slice(2);
const { catalogue, file, lines } = makeFiled({ path: path! });
const open = buildCalendar([{ from: TODAY, to: TODAY + 30, set: { availability: 1, rate: 5000 } }]);
const samples = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    property: makeProperty(`h${from + index}`, {}, [2]),
    calendars: [open],
  }));
let count = Number(firstCount);
applyAll(catalogue, samples(0, count));
do {
  await file.save(settledAt(count));
  console.log(lines.pop() ?? 'saved');
  applyAll(catalogue, samples(count++, 1), count);
} while (once === undefined);
