/**
 * `npm run bench`: runs the sections one after the other within twenty-five minutes, prints one table and writes the results.
 */
import { loadavg } from 'node:os';
import { type OpenContext, openContext } from './context.ts';
import { describeMachine } from './machine/machine.ts';
import { formatPinning } from './machine/pinning.ts';
import { findCommit, RevisionMissing } from './contestants/revision.ts';
import { type BenchOptions, formatCommand, parseOptions, USAGE } from './options.ts';
import { formatTable } from './report/print-table.ts';
import type { SectionReport } from './report/report.ts';
import { writeReport } from './report/write-report.ts';
import type { Section } from './section.ts';
import { SECTIONS } from './sections.ts';
import { messageOf } from '../src/runtime/message-of.ts';

/** Everything together; closing and writing come on top. */
const BUDGET_SECONDS = 1_485;
/** With a section that runs only when it is named. */
const ON_DEMAND_SECONDS = 7_200;
const TIME_IS_UP = 'the time was used up';
/** Why a section was left out, as the page says it; the whole of it is printed. */
const REASON_LENGTH_MAX = 200;

await main();

async function main(): Promise<void> {
  const options = readOptions();
  if (options === undefined) return;
  const startedAtMs = performance.now();
  const loadAverageAtStart = loadavg()[0]!;
  const context = await openContext(options);
  endOnSignals(context);
  const sections: SectionReport[] = [];
  try {
    // Before anything is measured: the history may not be here.
    if (options.against !== undefined) await findCommit(options.against);
    for (const section of chosen(options)) {
      const usedSeconds = (performance.now() - startedAtMs) / 1000;
      const secondsLeft = (section.isOnDemand === true ? ON_DEMAND_SECONDS : BUDGET_SECONDS) - usedSeconds;
      sections.push(await runSection(section, context, secondsLeft));
    }
  } catch (error) {
    if (!(error instanceof RevisionMissing)) throw error;
    process.stderr.write(`${error.message}\n`);
    await context.close();
    process.exit(2);
  } finally {
    await context.close();
  }
  const report = {
    date: new Date().toISOString(),
    command: formatCommand(options),
    machine: describeMachine(),
    pinning: formatPinning(),
    isQuick: options.isQuick,
    seconds: (performance.now() - startedAtMs) / 1000,
    loadAverageAtStart,
    sections,
  };
  process.stdout.write(`\n${formatTable(report)}`);
  await writeReport(report, !options.isQuick && options.only.length === 0);
}

function readOptions(): BenchOptions | undefined {
  try {
    const options = parseOptions(process.argv.slice(2));
    const unknown = options.only.filter((name) => !SECTIONS.some((section) => section.name === name));
    if (unknown.length === 0) return options;
    throw new Error(
      `no section ${unknown.join(', ')}; there are ${SECTIONS.map(({ name }) => name).join(', ')}`,
    );
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n\n${USAGE}`);
    process.exitCode = 2;
    return undefined;
  }
}

function chosen({ only }: BenchOptions): readonly Section[] {
  return SECTIONS.filter(({ name, isOnDemand }) =>
    only.length === 0 ? isOnDemand !== true : only.includes(name),
  );
}

/** A section that fails or has no time left is reported as left out; the others go on. */
async function runSection(
  section: Section,
  context: OpenContext,
  secondsLeft: number,
): Promise<SectionReport> {
  const { name, title } = section;
  const empty = { name, title, seconds: 0, figures: [], notes: [], details: undefined };
  const needed = context.options.isQuick ? section.seconds.quick : section.seconds.full;
  if (needed > secondsLeft) return { ...empty, leftOut: TIME_IS_UP };
  context.say(`${name}: ${title}`);
  const startedAtMs = performance.now();
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new Error(TIME_IS_UP)), secondsLeft * 1000);
  try {
    const result = await Promise.race([section.run(context), timeout.promise]);
    return { name, title, seconds: (performance.now() - startedAtMs) / 1000, ...result };
  } catch (error) {
    const message = messageOf(error);
    if (error instanceof RevisionMissing) throw error;
    context.say(`  ${error instanceof Error ? (error.stack ?? message) : message}`);
    return { ...empty, leftOut: message.split('\n', 1)[0]!.slice(0, REASON_LENGTH_MAX) };
  } finally {
    clearTimeout(timer);
  }
}

/** Whatever was started ends with this process. */
function endOnSignals(context: OpenContext): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void context.close().finally(() => process.exit(1)));
  }
}
